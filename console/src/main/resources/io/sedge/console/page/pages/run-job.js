// The script of a job, its plan with what goes through it, and a place to try a change.
import {html, nothing} from 'lit-html';
import {graphView} from '../elements/graph.js';
import {short} from '../format.js';
import {t} from '../i18n.js';
import {Checker} from './checker.js';
import {panel, switcher, waiting} from './shared.js';

export default class RunJob {
  #app;
  #mode = 'plan';
  #checker;

  constructor(app) {
    this.#app = app;
  }

  view() {
    const {state} = this.#app;
    if (!state.job) return waiting();
    return html`<div>${switcher(t('view'), [['plan', t('plan')], ['script', t('script')], ['try', t('tryScript')]], this.#mode, (mode) => this.#choose(mode))}</div>
      ${this.#mode === 'plan'
        ? panel(t('plan'), graphView(state.job.graph, state.rates((key, rate) => (rate === undefined ? undefined : t(key, {n: short(rate)})))))
        : this.#mode === 'script'
          ? panel(t('script'), html`<pre class="script" tabindex="0">${state.job.script}</pre>`)
          : html`${panel(t('tryScript'), html`<p class="pad quiet">${t('tryNote')}</p>${this.#checker.view()}`, this.#checker.state())}
            ${this.#checker.report?.graph ? panel(t('plan'), this.#checker.plan()) : nothing}`}`;
  }

  #choose(mode) {
    this.#mode = mode;
    if (mode === 'try' && !this.#checker) {
      this.#checker = new Checker(this.#app, this.#app.state.job.script);
      this.#checker.check();
    }
    this.#app.draw();
  }
}
