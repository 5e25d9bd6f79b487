// A question in SQL, which can read and nothing else.
import {html, nothing} from 'lit-html';
import '../elements/rows.js';
import {post, save} from '../api.js';
import {duration, short} from '../format.js';
import {t} from '../i18n.js';
import {empty, panel} from './shared.js';

const KEPT = 'sedge-query';
const LIMIT = 10_000;

export default class CenterQuery {
  #app;
  #answer;
  #failure = '';
  #busy = false;
  #took;
  #sql;

  constructor(app) {
    this.#app = app;
    this.#sql = sessionStorage.getItem(KEPT) ?? undefined;
  }

  view() {
    const tables = this.#app.state.tables ?? [];
    this.#sql ??= tables.length > 0 ? `SELECT * FROM "${tables[0].name}" ORDER BY 1 DESC LIMIT 100` : undefined;
    return html`${panel(
      t('query'),
      html`<div class="pad"><label class="field"><span class="hidden-text">SQL</span><textarea class="mono" rows="6" spellcheck="false" aria-label="SQL" .value=${this.#sql ?? ''}
          @input=${(event) => (this.#sql = event.target.value)} @keydown=${(event) => (event.ctrlKey || event.metaKey) && event.key === 'Enter' && this.#ask()}></textarea></label>
        <p class="small quiet">${tables.map((table) => table.name).join(' · ')}</p></div>`,
      html`<span class="small quiet">Ctrl+Enter</span><button class="button" @click=${() => this.#save()}>CSV</button><button class="button main-action" ?disabled=${this.#busy} @click=${() => this.#ask()}>${this.#busy ? t('asking') : t('ask')}</button>`,
    )}
    ${this.#failure ? html`<div class="banner bad" role="alert">${this.#failure}</div>` : nothing}
    ${this.#answer
      ? panel(
          t('rowsIn', {n: short(this.#answer.rows.length), d: duration(this.#took)}),
          this.#answer.columns.length === 0 ? empty(t('noRows')) : html`<sedge-rows .content=${this.#answer}></sedge-rows>`,
          this.#answer.complete === false ? html`<span class="small quiet">${t('cutOff')}</span>` : nothing,
        )
      : nothing}`;
  }

  async #ask() {
    if (this.#busy || !this.#sql?.trim()) return;
    this.#busy = true;
    sessionStorage.setItem(KEPT, this.#sql);
    this.#app.draw();
    const begin = performance.now();
    try {
      const answer = await post('/query', {sql: this.#sql, limit: LIMIT});
      this.#failure = answer.error ? answer.error.message : '';
      this.#answer = {
        complete: answer.complete,
        rows: answer.rows,
        columns: answer.columns.map((column, i) => ({name: column.name, kind: answer.rows.some((row) => typeof row[i] === 'number') ? 'number' : 'text'})),
      };
    } catch (e) {
      this.#failure = this.#app.refused(e);
    }
    this.#took = performance.now() - begin;
    this.#busy = false;
    this.#app.draw();
  }

  async #save() {
    try {
      await save('rows.csv', 'POST', '/query', {sql: this.#sql, limit: 1_000_000});
      this.#failure = '';
    } catch (e) {
      this.#failure = this.#app.refused(e);
    }
    this.#app.draw();
  }
}
