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

/** The devices that could not be asked, and why. */
export const unavailable = (devices) =>
  devices.length > 0 ? html`<div class="banner">${devices.map((device) => html`<div>${device.name} ${device.unavailable}</div>`)}</div>` : nothing;

const TONES = {warning: 'warn', error: 'bad', info: ''};

/** Lines that a job or a device has said, the latest first. */
export const logView = (lines, none) =>
  lines.length === 0
    ? empty(none)
    : html`<ul class="log" tabindex="0" aria-label=${t('logs')}>${lines.map(
        (line) => html`<li><span class="mono small quiet">${time(line.atMillis)}</span>${badge(t(`severity-${line.severity}`), TONES[line.severity] ?? '')}
          <span class="text">${line.device || line.task ? html`<span class="who">${[line.device, line.task].filter(Boolean).join(' · ')} </span>` : nothing}${line.message}</span></li>`,
      )}</ul>`;

/** A table that may be wider than the page. A head is its text, and a class if it has one. */
export const plainTable = (label, heads, rows, cells, none = '') =>
  rows.length === 0
    ? empty(none)
    : html`<div class="scroll-x" tabindex="0" role="region" aria-label=${label}><table class="plain"><thead><tr>${heads.map(
        ([text, style]) => html`<th class=${style ?? nothing}>${text || html`<span class="hidden-text">${t('actions')}</span>`}</th>`,
      )}</tr></thead><tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table></div>`;

/** What somebody wants to be done, and why the last such thing was not. */
export class Attempt {
  #app;
  #failure = '';

  constructor(app) {
    this.#app = app;
  }

  /** Does it; undefined if it was refused. */
  async make(change) {
    try {
      const answer = await change();
      this.#failure = '';
      return answer ?? true;
    } catch (e) {
      this.#failure = this.#app.refused(e);
      return undefined;
    } finally {
      this.#app.draw();
    }
  }

  banner() {
    return this.#failure ? html`<div class="banner bad" role="alert">${this.#failure}</div>` : nothing;
  }
}

/** Asks before something is done that cannot be undone by a second click. */
export const ask = async (text, action) => (await open(text, action)) !== undefined;

/**
 * Asks for a line of text; undefined if there is to be none.
 *
 * @param isRight whether a text may be given as it is
 */
export function askFor(text, action, value, isRight) {
  const input = document.createElement('input');
  input.type = 'text';
  input.value = value;
  input.maxLength = 4096;
  input.autocapitalize = 'none';
  input.setAttribute('aria-label', text);
  return open(text, action, input, isRight);
}

function open(text, action, input, isRight = () => true) {
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-label', text);
    const form = document.createElement('form');
    const words = document.createElement('div');
    words.className = 'pad words';
    words.append(text, ...(input ? [input] : []));
    const actions = document.createElement('div');
    actions.className = 'actions';
    const answer = (value) => {
      dialog.close();
      dialog.remove();
      resolve(value);
    };
    const button = (label, style, type) => {
      const made = document.createElement('button');
      made.className = `button ${style}`;
      made.textContent = label;
      made.type = type;
      actions.append(made);
      return made;
    };
    button(t('cancel'), '', 'button').addEventListener('click', () => answer(undefined));
    const done = button(action, 'main-action', 'submit');
    input?.addEventListener('input', () => (done.disabled = !isRight(input.value)));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      answer(input?.value ?? '');
    });
    form.append(words, actions);
    dialog.append(form);
    dialog.addEventListener('cancel', () => answer(undefined));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** What a page waits for, or why it cannot be had. */
export const waiting = (failure) => (failure ? html`<div class="banner bad" role="alert">${failure}</div>` : html`<div class="empty" role="status">${t('loading')}</div>`);
