// The sites of a center; a token for a new one.
import {html, nothing} from 'lit-html';
import {post} from '../api.js';
import {t} from '../i18n.js';
import {siteTable} from './center-overview.js';
import {CenterSite} from './center-site.js';
import {Attempt, empty, panel, waiting} from './shared.js';

export default class CenterSites {
  #app;
  #name;
  /** The one that is shown, if it is one. */
  #one;
  #attempt;
  #token;

  constructor(app) {
    this.#app = app;
    this.#name = app.route.rest[0];
    this.#attempt = new Attempt(app);
    if (this.#name) this.#one = new CenterSite(app, this.#name);
  }

  title = () => this.#name ?? t('sites');

  actions = () =>
    this.#name
      ? html`<a class="button" href="#/sites">${t('allSites')}</a>`
      : this.#app.mayEverywhere('engineer')
        ? html`<button class="button main-action" @click=${() => this.#makeToken()}>${t('addSite')}</button>`
        : nothing;

  leave() {
    this.#one?.leave();
  }

  view() {
    if (this.#one) return this.#one.view();
    const {sites} = this.#app.state;
    if (!sites) return waiting();
    return html`${this.#attempt.banner()}${this.#token ? this.#tokenView() : nothing}${sites.length === 0 ? html`<section class="panel">${empty(t('noSites'), t('noSitesHint'))}</section>` : siteTable(sites, this.#app.state.now())}`;
  }

  async #makeToken() {
    this.#token = await this.#attempt.make(() => post('/site-tokens'));
    this.#app.draw();
  }

  #tokenView() {
    const command = `sedge site report --to ${this.#token.address} --token ${this.#token.token}`;
    return panel(t('addSite'), html`<div class="pad"><p>${t('tokenNote')}</p><pre class="script" tabindex="0">${command}</pre></div>`, html`<button class="button" @click=${() => navigator.clipboard.writeText(command)}>${t('copy')}</button>`);
  }
}
