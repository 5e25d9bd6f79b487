// Who has done what, the latest first.
import {html, nothing} from 'lit-html';
import {get} from '../api.js';
import {dateTime} from '../format.js';
import {t} from '../i18n.js';
import {empty, panel, waiting} from './shared.js';

const LIMIT = 500;

export default class CenterAudit {
  #app;
  #entries;
  #filter = '';
  #failure = '';

  constructor(app) {
    this.#app = app;
    this.#load();
  }

  async #load() {
    try {
      this.#entries = await get(`/audit?limit=${LIMIT}`);
    } catch (e) {
      this.#failure = this.#app.refused(e);
    }
    this.#app.draw();
  }

  view() {
    if (!this.#entries) return waiting(this.#failure);
    const wanted = this.#filter.toLowerCase();
    const shown = this.#entries.filter((entry) => `${entry.who} ${entry.what} ${entry.subject} ${entry.detail}`.toLowerCase().includes(wanted));
    return panel(
      t('audit'),
      shown.length === 0
        ? empty(t('noEntries'))
        : html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t('audit')}><table class="plain"><thead><tr><th>${t('when')}</th><th>${t('who')}</th><th>${t('what')}</th><th>${t('subject')}</th></tr></thead><tbody>${shown.map(
            (entry) => html`<tr><td class="mono small">${dateTime(entry.atMillis)}</td><td>${entry.who}</td><td>${entry.what}</td><td>${entry.subject}${entry.detail ? html`<div class="small quiet">${entry.detail}</div>` : nothing}</td></tr>`,
          )}</tbody></table></div>`,
      html`<input type="search" placeholder=${t('filter')} aria-label=${t('filter')} .value=${this.#filter} @input=${(event) => {
        this.#filter = event.target.value;
        this.#app.draw();
      }}>`,
    );
  }
}
