// What the devices of a site have said, asked of the site when somebody wants to know.
import {html, nothing} from 'lit-html';
import {get, part} from '../api.js';
import {t} from '../i18n.js';
import {logView, panel, selector} from './shared.js';

export class CenterLog {
  #app;
  #site;
  #device = '';
  #job = '';
  /** What was heard; undefined before anybody has asked. */
  #log;
  #asking = false;
  #failure = '';

  constructor(app, site) {
    this.#app = app;
    this.#site = site;
  }

  view(devices, jobs) {
    const names = (all) => [['', t('all')], ...all.map(({name}) => [name, name])];
    const end = html`${selector(t('device'), names(devices), this.#device, (device) => this.#choose({device}))}
      ${selector(t('job'), names(jobs), this.#job, (job) => this.#choose({job}))}
      <button class="button" ?disabled=${this.#asking} @click=${() => this.#ask()}>${t(this.#asking ? 'logAsking' : 'logAsk')}</button>`;
    return panel(t('logs'), html`${this.#failure ? html`<div class="banner bad" role="alert">${this.#failure}</div>` : nothing}${this.#heard()}`, end);
  }

  #heard() {
    if (!this.#log) return html`<p class="pad small quiet">${t('logNote')}</p>`;
    const lost = Object.entries(this.#log.unavailable);
    return html`${lost.length > 0 ? html`<div class="banner">${lost.map(([device, why]) => html`<div>${device}: ${why}</div>`)}</div>` : nothing}
      ${logView([...this.#log.lines].reverse(), t('noLogs'))}`;
  }

  #choose({device = this.#device, job = this.#job}) {
    this.#device = device;
    this.#job = job;
    this.#log = undefined;
    this.#app.draw();
  }

  async #ask() {
    this.#asking = true;
    this.#failure = '';
    this.#app.draw();
    try {
      const asked = [this.#device, this.#job];
      const log = await get(`/sites/${part(this.#site)}/log?device=${part(this.#device)}&job=${part(this.#job)}`);
      if (asked[0] === this.#device && asked[1] === this.#job) this.#log = log;
    } catch (e) {
      this.#failure = this.#app.refused(e);
    }
    this.#asking = false;
    this.#app.draw();
  }
}
