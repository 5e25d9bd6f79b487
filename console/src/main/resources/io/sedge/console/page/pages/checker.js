// A script that is checked while it is written.
import {html, nothing} from 'lit-html';
import {post} from '../api.js';
import {graphView} from '../elements/graph.js';
import {t} from '../i18n.js';
import {badge} from './shared.js';

/** How long somebody who types is let alone. */
const PATIENCE = 400;

export class Checker {
  report;
  failure;
  #app;
  #asked = 0;
  #look;
  #timer;

  /**
   * @param look asks what is to be said of a script
   */
  constructor(app, script, look = (text) => post('/check', {script: text})) {
    this.#app = app;
    this.#look = look;
    this.script = script;
    import('../elements/editor.js').then(() => app.draw());
  }

  get accepted() {
    return this.report !== undefined && this.report.problems.every((problem) => problem.severity === 'warning');
  }

  /** Takes what stands in the editor; it is not accepted until it was checked. */
  #edited(script) {
    this.script = script;
    this.report = undefined;
    this.#asked++;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.check(), PATIENCE);
    this.#app.draw();
  }

  async check() {
    const {script} = this;
    const number = ++this.#asked;
    try {
      const report = await this.#look(script);
      if (number !== this.#asked) return;
      this.report = report;
      this.failure = undefined;
      const editor = this.#element();
      if (editor) editor.problems = report.problems;
    } catch (e) {
      this.report = undefined;
      this.failure = this.#app.refused(e);
    }
    this.#app.draw();
  }

  #element() {
    return document.querySelector('sedge-editor');
  }

  state() {
    if (this.failure) return badge(this.failure, 'bad');
    if (!this.report) return badge(t('checking'), 'plain');
    const errors = this.report.problems.filter((problem) => problem.severity !== 'warning').length;
    return errors === 0 ? badge(t('accepted'), 'good') : badge(t('problems', {n: errors}), 'bad');
  }

  view() {
    if (!customElements.get('sedge-editor')) return html`<div class="empty">${t('loading')}</div>`;
    return html`<sedge-editor label=${t('script')} .start=${this.script} .onEdit=${(script) => this.#edited(script)}></sedge-editor>
      <div role="status"><ol class="problems" ?hidden=${!this.report || this.report.problems.length === 0}>${(this.report?.problems ?? []).map(
        (problem) => html`<li><button type="button" @click=${() => this.#element().goTo(problem.line, problem.column)}>${t('lineColumn', {line: problem.line, column: problem.column})}</button> ${problem.message}${problem.remedy ? html` <span class="quiet">${problem.remedy}</span>` : nothing}</li>`,
      )}</ol></div>${(this.report?.notes ?? []).map((note) => html`<p class="pad small quiet">${note}</p>`)}`;
  }

  plan() {
    return this.report?.graph ? graphView(this.report.graph) : nothing;
  }
}
