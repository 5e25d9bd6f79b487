// The script of a job, its plan with what goes through it, and a place to try a change.
import {html, nothing} from 'lit-html';
import {getIdly} from '../api.js';
import {graphView} from '../elements/graph.js';
import {short} from '../format.js';
import {t} from '../i18n.js';
import {Checker} from './checker.js';
import {panel, plainTable, switcher, waiting} from './shared.js';

/** How often it is asked what was left out, while somebody looks. */
const LOOK = 2000;

export default class RunJob {
  #app;
  #mode = 'plan';
  #checker;
  /** Payloads and rows that the job has left out, by their reasons. */
  #leftOut;
  #timer;

  constructor(app) {
    this.#app = app;
    if (app.route.rest[0] === 'left-out') this.#choose('leftOut');
  }

  leave() {
    clearInterval(this.#timer);
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
    if (!this.#leftOut) return waiting();
    const late = this.#app.state.counters.at(-1)?.late ?? 0;
    return panel(
      t('leftOut'),
      html`${late > 0 ? html`<p class="pad small quiet">${t('lateNote', {n: short(late)})}</p>` : nothing}${plainTable(
        t('leftOut'),
        [[t('table')], [t('howMany'), 'num'], [t('what')], [t('reason')], [t('sample')]],
        this.#leftOut,
        (out) => html`<td>${out.table}</td><td class="num">${short(out.count)}</td><td>${t(`left-${out.what}`)}</td><td>${out.reason}</td><td class="mono small">${out.sample}</td>`,
        t('nothingLeftOut'),
      )}`,
    );
  }

  async #look() {
    if (document.hidden) return;
    try {
      this.#leftOut = (await getIdly('/left-out')).leftOut;
    } catch {
      // The page says by itself that the connection is broken, and this is asked again.
    }
    this.#app.draw();
  }

  #choose(mode) {
    this.#mode = mode;
    clearInterval(this.#timer);
    if (mode === 'leftOut') {
      this.#timer = setInterval(() => this.#look(), LOOK);
      this.#look();
    }
    if (mode === 'try' && !this.#checker) {
      this.#checker = new Checker(this.#app, this.#app.state.job.script);
      this.#checker.check();
    }
    this.#app.draw();
  }
}
