// What the tasks of a site have said on its devices, the latest first.
import {html} from 'lit-html';
import {getIdly, part} from '../api.js';
import {t} from '../i18n.js';
import {logView, panel, selector, switcher, unavailable} from './shared.js';

const INTERVAL = 3000;
const MAX_LINES = 2000;

export default class SiteLogs {
  #app;
  #job;
  #least = 'info';
  #marks = {};
  #lines = [];
  #away = [];
  #timer;
  #left = false;
  #looks = 0;

  constructor(app) {
    this.#app = app;
    this.#job = app.route.rest[0] ?? '';
    this.#look();
  }

  leave() {
    this.#left = true;
    clearTimeout(this.#timer);
  }

  /** One question at a time: each tells how far the one before has read. */
  async #look() {
    clearTimeout(this.#timer);
    const look = ++this.#looks;
    if (!document.hidden) await this.#ask();
    if (!this.#left && look === this.#looks) this.#timer = setTimeout(() => this.#look(), INTERVAL);
  }

  async #ask() {
    const job = this.#job;
    const look = this.#looks;
    try {
      const {devices} = await getIdly(`/logs?job=${part(job)}&marks=${part(JSON.stringify(this.#marks))}`);
      if (look !== this.#looks) return;
      this.#away = devices.filter((device) => device.unavailable);
      const fresh = devices.flatMap((device) => (device.lines ?? []).map((line) => ({...line, device: device.name})));
      for (const device of devices) if (device.mark) this.#marks[device.name] = device.mark;
      if (fresh.length > 0) this.#lines = [...this.#lines, ...fresh].sort((a, b) => a.atMillis - b.atMillis).slice(-MAX_LINES);
    } catch (e) {
      this.#away = [{name: '', unavailable: this.#app.refused(e)}];
    }
    this.#app.draw();
  }

  view() {
    const jobs = this.#app.state.status?.jobs ?? [];
    const lines = this.#lines.filter((line) => this.#least === 'info' || line.severity !== 'info').reverse();
    return html`${unavailable(this.#away)}
      ${panel(
        t('logs'),
        logView(lines, t('noLogs')),
        html`${selector(t('job'), [['', t('all')], ...jobs.map((job) => [job.name, job.name])], this.#job, (job) => this.#of(job))}
          ${switcher(t('severity'), [['info', t('all')], ['warning', t('warnings')]], this.#least, (next) => {
            this.#least = next;
            this.#app.draw();
          })}`,
      )}`;
  }

  #of(job) {
    this.#job = job;
    this.#marks = {};
    this.#lines = [];
    this.#app.draw();
    this.#look();
  }
}
