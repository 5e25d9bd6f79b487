// The words of the page, in the language that the person has chosen or the browser prefers.
import en from './text/en.js';
import zh from './text/zh.js';

const TEXTS = {en, zh};
const KEPT = 'sedge-language';

let chosen = pick();

function pick() {
  const kept = localStorage.getItem(KEPT);
  if (kept in TEXTS) return kept;
  return (navigator.languages ?? []).some((tag) => tag.toLowerCase().startsWith('zh')) &&
    !navigator.language.toLowerCase().startsWith('en')
    ? 'zh'
    : 'en';
}

export const language = () => chosen;

export function useLanguage(next) {
  chosen = next;
  localStorage.setItem(KEPT, next);
  document.documentElement.lang = next === 'zh' ? 'zh-CN' : 'en';
}

/** A text, with `{name}` replaced by the values given. */
export function t(key, values = {}) {
  const text = TEXTS[chosen][key] ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}

useLanguage(chosen);
