// The script of a job, its plan with what goes through it, and a place to try a change.
import {html, nothing} from 'lit-html';
import {graphView} from '../elements/graph.js';
import {short} from '../format.js';
import {t} from '../i18n.js';
import {Checker} from './checker.js';
import {LeftOut} from './left-out.js';
import {panel, switcher, waiting} from './shared.js';

/** How often it is asked what was left out, while somebody looks. */
const LOOK = 2000;

export default class RunJob {
  #app;
  #mode = 'plan';
  #checker;
  #leftOut;

  constructor(app) {
    this.#app = app;
    this.#leftOut = new LeftOut(app, '/left-out', LOOK);
    if (app.route.rest[0] === 'left-out') this.#choose('leftOut');
  }

  leave() {
    this.#leftOut.rest();
  }

  view() {
    const {state} = this.#app;
    if (!state.job) return waiting();
    return html`<div>${switcher(t('view'), [['plan', t('plan')], ['script', t('script')], ['try', t('tryScript')], ['leftOut', t('leftOut')]], this.#mode, (mode) => this.#choose(mode))}</div>
      ${this.#mode === 'plan'
        ? panel(t('plan'), graphView(state.job.graph, state.rates((key, rate) => (rate === undefined ? undefined : t(key, {n: short(rate)})))))
        : this.#mode === 'script'
          ? panel(t('script'), html`<pre class="script" tabindex="0">${state.job.script}</pre>`)
          : this.#mode === 'leftOut'
            ? this.#leftOutView()
            : html`${panel(t('tryScript'), html`<p class="pad quiet">${t('tryNote')}</p>${this.#checker.view()}`, this.#checker.state())}
            ${this.#checker.report?.graph ? panel(t('plan'), this.#checker.plan()) : nothing}`}`;
  }

  #leftOutView() {
    const late = this.#app.state.counters.at(-1)?.late ?? 0;
    return this.#leftOut.view(late > 0 ? html`<p class="pad small quiet">${t('lateNote', {n: short(late)})}</p>` : nothing);
  }

  #choose(mode) {
    this.#mode = mode;
    if (mode === 'leftOut') this.#leftOut.look();
    else this.#leftOut.rest();
    if (mode === 'try' && !this.#checker) {
      this.#checker = new Checker(this.#app, this.#app.state.job.script);
      this.#checker.check();
    }
    this.#app.draw();
  }
}
