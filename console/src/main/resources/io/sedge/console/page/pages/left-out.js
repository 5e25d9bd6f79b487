// What a job has left out: payloads and rows, by the reasons, with a sample of each.
import {html, nothing} from 'lit-html';
import {getIdly} from '../api.js';
import {short} from '../format.js';
import {t} from '../i18n.js';
import {panel, plainTable, unavailable, waiting} from './shared.js';

/** It is asked for as long as it is shown and seen. */
export class LeftOut {
  #app;
  #path;
  #interval;
  #answer;
  /** Why the page has no newer answer. */
  #failure = '';
  #timer;
  #asking = false;
  /** Whether it is to ask anew as soon as it has the answer that it waits for. */
  #again = false;
  /** Whether nobody looks at it. */
  #resting = true;

  /**
   * @param interval how often it is asked, in milliseconds
   */
  constructor(app, path, interval) {
    this.#app = app;
    this.#path = path;
    this.#interval = interval;
  }

  /** Asks now, and then at intervals. One question at a time: devices may take a while to answer. */
  async look() {
    clearTimeout(this.#timer);
    this.#resting = false;
    this.#again = this.#asking;
    if (this.#asking) return;
    this.#asking = true;
    try {
      if (!document.hidden) await this.#ask();
    } finally {
      this.#asking = false;
    }
    if (this.#again) this.look();
    else if (!this.#resting) this.#timer = setTimeout(() => this.look(), this.#interval);
  }

  /** Asks no more, until it looks again. */
  rest() {
    clearTimeout(this.#timer);
    this.#resting = true;
    this.#again = false;
  }

  async #ask() {
    try {
      this.#answer = await getIdly(this.#path);
      this.#failure = '';
    } catch (e) {
      // That the connection is broken the page says by itself.
      this.#failure = e.code === 'UNREACHABLE' ? '' : this.#app.refused(e);
    }
    if (!this.#resting) this.#app.draw();
  }

  /**
   * @param note what else is to be said of it
   */
  view(note = nothing) {
    const failure = this.#failure ? waiting(this.#failure) : nothing;
    if (!this.#answer) return this.#failure ? failure : waiting();
    const {leftOut, others, missing = []} = this.#answer;
    const ofSite = leftOut.some((out) => out.devices);
    return html`${failure}${unavailable(missing)}${panel(
      t('leftOut'),
      html`${note}${plainTable(
        t('leftOut'),
        [[t('table')], [t('howMany'), 'num'], [t('leftWhat')], [t('reason')], [t('sample')], ...(ofSite ? [[t('devices')]] : [])],
        leftOut,
        (out) => html`<td>${out.table}</td><td class="num">${short(out.count)}</td><td>${t(`left-${out.what}`)}</td><td>${out.reason}</td><td class="mono small">${out.sample}</td>${ofSite ? html`<td>${out.devices.join(', ')}</td>` : nothing}`,
        t('nothingLeftOut'),
      )}${others > 0 ? html`<p class="pad small quiet">${t('leftOutOthers', {n: short(others)})}</p>` : nothing}`,
    )}`;
  }
}
