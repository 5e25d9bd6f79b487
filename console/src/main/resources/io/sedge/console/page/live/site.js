// A site as one of its devices sees it.
import {html, nothing} from 'lit-html';
import {Events} from '../api.js';
import {t} from '../i18n.js';

export class SiteState {
  status;
  connected = true;
  /** By device: how busy it was, for a small line. */
  busy = new Map();
  #app;
  #events;

  constructor(app) {
    this.#app = app;
    this.#events = new Events('/events', {site: (status) => this.#changed(status)}, (connected) => {
      this.connected = connected;
      this.#app.draw();
    });
  }

  #changed(status) {
    this.status = status;
    const at = status.atMillis ?? Date.now();
    for (const device of status.devices) {
      let line = this.busy.get(device.name);
      if (!line) this.busy.set(device.name, (line = {times: [], values: [], version: 0}));
      line.times.push(at);
      line.values.push(device.alive ? device.busy : null);
      line.version++;
      if (line.times.length > 300) {
        line.times.shift();
        line.values.shift();
      }
    }
    this.#app.drawCalmly();
  }

  banner() {
    return this.connected ? nothing : html`<div class="banner bad">${t('deviceAway', {device: this.#app.info.device ?? ''})}</div>`;
  }

  close() {
    this.#events.close();
  }
}
