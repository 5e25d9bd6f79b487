// What has come to the center.
import {html, nothing} from 'lit-html';
import {Events, getIdly} from '../api.js';
import {t} from '../i18n.js';

export class CenterState {
  sites;
  tables;
  center;
  /** How many alarms sites have. */
  alarms;
  connected = true;
  /** Rises when rows have come. */
  version = 0;
  /** Rows of all tables over time. */
  rows = {times: [], values: []};
  #app;
  #events;
  #timer;
  /** How far the center's clock is ahead of the browser's, in milliseconds. */
  #ahead = 0;

  constructor(app) {
    this.#app = app;
    this.#events = new Events('/events', {center: (now) => this.#changed(now)}, (connected) => this.#connection(connected));
    this.#look();
    this.#timer = setInterval(() => this.#look(), 10_000);
  }

  async #look() {
    if (document.hidden) return;
    try {
      this.center = await getIdly('/center');
      this.#app.drawCalmly();
    } catch (e) {
      this.#app.refused(e);
    }
  }

  async #connection(connected) {
    if (!connected && this.connected) await getIdly('/center').catch((e) => this.#app.refused(e));
    this.connected = connected;
    this.#app.draw();
  }

  #changed({atMillis, sites, tables, alarms}) {
    this.#ahead = atMillis - Date.now();
    this.sites = sites;
    this.tables = tables;
    this.alarms = alarms;
    this.rows.times.push(atMillis);
    this.rows.values.push(tables.reduce((sum, table) => sum + table.rows, 0));
    if (this.rows.times.length > 900) {
      this.rows.times.shift();
      this.rows.values.shift();
    }
    this.version++;
    this.#app.drawCalmly();
  }

  /** The center's clock. */
  now() {
    return Date.now() + this.#ahead;
  }

  /** Rows a second, over the last half minute. */
  rate() {
    const {times, values} = this.rows;
    const from = this.now() - 30_000;
    const first = Math.max(0, times.findLastIndex((at) => at <= from));
    const seconds = (this.now() - times[first]) / 1000;
    return seconds > 1 ? Math.max(0, (values.at(-1) - values[first]) / seconds) : undefined;
  }

  banner() {
    if (!this.#app.mayLook()) {
      return html`<div class="banner bad">${t('sessionEnded')} <button class="button small" @click=${() => this.#app.load()}>${t('logIn')}</button></div>`;
    }
    if (!this.connected) return html`<div class="banner bad">${t('centerAway')}</div>`;
    const database = this.center?.database;
    return database && !database.available
      ? html`<div class="banner bad"><strong>${t('databaseAway')}</strong> ${database.lastFailure ?? ''}</div>`
      : nothing;
  }

  close() {
    clearInterval(this.#timer);
    this.#events.close();
  }
}
