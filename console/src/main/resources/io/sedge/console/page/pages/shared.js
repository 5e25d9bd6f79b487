// Pieces that several pages show.
import {html, nothing} from 'lit-html';
import {time} from '../format.js';
import {t} from '../i18n.js';

export const tile = (name, value, note = '', tone = '') =>
  html`<div class="tile ${tone}"><div class="name">${name}</div><div class="value">${value}</div><div class="note">${note}</div></div>`;

export const empty = (title, text = '') => html`<div class="empty"><strong>${title}</strong>${text}</div>`;

export const panel = (title, body, end = nothing) =>
  html`<section class="panel"><header><h2>${title}</h2><div class="end">${end}</div></header>${body}</section>`;

export const badge = (text, tone = '') => html`<span class="badge ${tone}">${text}</span>`;

/** Buttons of which one is pressed. */
export const switcher = (label, choices, chosen, choose) =>
  html`<div class="switch" role="group" aria-label=${label}>${choices.map(
    ([value, text]) => html`<button type="button" aria-pressed=${value === chosen} @click=${() => choose(value)}>${text}</button>`,
  )}</div>`;

export const selector = (label, choices, chosen, choose) =>
  html`<label class="inline"><span class="small">${label}</span><select .value=${String(chosen)} @change=${(event) => choose(event.target.value)}>${choices.map(
    ([value, text]) => html`<option value=${value} ?selected=${String(value) === String(chosen)}>${text}</option>`,
  )}</select></label>`;

const TONES = {warning: 'warn', error: 'bad', info: ''};

/** Lines that a job or a device has said, the latest first. */
export const logView = (lines, none) =>
  lines.length === 0
    ? empty(none)
    : html`<ul class="log" tabindex="0" aria-label=${t('logs')}>${lines.map(
        (line) => html`<li><span class="mono small quiet">${time(line.atMillis)}</span>${badge(t(`severity-${line.severity}`), TONES[line.severity] ?? '')}
          <span class="text">${line.device || line.task ? html`<span class="who">${[line.device, line.task].filter(Boolean).join(' · ')} </span>` : nothing}${line.message}</span></li>`,
      )}</ul>`;

/** Asks before something is done that cannot be undone by a second click. */
export function ask(text, action) {
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-label', text);
    const words = document.createElement('div');
    words.className = 'pad';
    words.textContent = text;
    const actions = document.createElement('div');
    actions.className = 'actions';
    const answer = (value) => {
      dialog.close();
      dialog.remove();
      resolve(value);
    };
    for (const [label, value, style] of [[t('cancel'), false, ''], [action, true, 'main-action']]) {
      const button = document.createElement('button');
      button.className = `button ${style}`;
      button.textContent = label;
      button.addEventListener('click', () => answer(value));
      actions.append(button);
    }
    dialog.append(words, actions);
    dialog.addEventListener('cancel', () => answer(false));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** What a page waits for, or why it cannot be had. */
export const waiting = (failure) => (failure ? html`<div class="banner bad" role="alert">${failure}</div>` : html`<div class="empty" role="status">${t('loading')}</div>`);
