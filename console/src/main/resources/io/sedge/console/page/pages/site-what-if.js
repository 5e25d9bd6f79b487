// What would become of a site's tasks if devices were lost.
import {html} from 'lit-html';
import {get, part} from '../api.js';
import {t} from '../i18n.js';
import {panel, waiting} from './shared.js';

export default class SiteWhatIf {
  #app;
  #lost = new Set();
  #text = '';

  constructor(app) {
    this.#app = app;
  }

  view() {
    const {status} = this.#app.state;
    if (!status) return waiting();
    return panel(
      t('what-if'),
      html`<div class="pad row" role="group" aria-label=${t('devices')}>${status.devices.map(
        (device) => html`<label class="inline"><input type="checkbox" .checked=${this.#lost.has(device.name)} @change=${() => this.#toggle(device.name)}>${device.name}</label>`,
      )}</div><pre class="script" aria-live="polite">${this.#lost.size === 0 ? t('whatIfHint') : this.#text}</pre>`,
    );
  }

  async #toggle(name) {
    if (!this.#lost.delete(name)) this.#lost.add(name);
    const asked = [...this.#lost].join();
    this.#app.draw();
    if (!asked) return;
    try {
      const {text} = await get(`/what-if?lost=${part(asked)}`);
      if (asked === [...this.#lost].join()) this.#text = text;
    } catch (e) {
      this.#text = this.#app.refused(e);
    }
    this.#app.draw();
  }
}
