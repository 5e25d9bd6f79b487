// A site as one of its devices sees it.
import {html, nothing} from 'lit-html';
import {Events, get} from '../api.js';
import {t} from '../i18n.js';

export class SiteState {
  status;
  connected = true;
  /** Why the device cannot say how the site is. */
  unavailable;
  #app;
  #events;

  constructor(app) {
    this.#app = app;
    this.#events = new Events(
      '/events',
      {
        site: (status) => this.#changed(status),
        unavailable: ({message}) => {
          this.unavailable = message;
          this.#app.draw();
        },
      },
      (connected) => this.#connection(connected),
    );
  }

  /** How many alarms there are. */
  get alarms() {
    return this.status?.alarms;
  }

  async #connection(connected) {
    this.connected = connected;
    this.#app.draw();
    // Events tell what changes: what is so now is asked for.
    if (connected) this.#changed(await get('/site').catch(() => this.status));
  }

  #changed(status) {
    if (!status) return;
    this.status = status;
    this.unavailable = undefined;
    this.#app.drawCalmly();
  }

  banner() {
    if (!this.connected) return html`<div class="banner bad">${t('deviceAway', {device: this.#app.info.device ?? ''})}</div>`;
    return this.unavailable ? html`<div class="banner bad">${this.unavailable}</div>` : nothing;
  }

  close() {
    this.#events.close();
  }
}
