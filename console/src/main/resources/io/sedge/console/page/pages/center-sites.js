// The sites of a center; one of them with what it has sent; a token for a new one.
import {html, nothing} from 'lit-html';
import {get, part, post, put} from '../api.js';
import {ago, bytes, dateTime, short} from '../format.js';
import {t} from '../i18n.js';
import {siteBadge, siteTable} from './center-overview.js';
import {ask, empty, panel, waiting} from './shared.js';

export default class CenterSites {
  #app;
  #name;
  #site;
  /** Why what somebody wanted was not done. */
  #failure = '';
  /** Why the site cannot be shown as it is now. */
  #away = '';
  #token;
  #version = -1;

  constructor(app) {
    this.#app = app;
    this.#name = app.route.rest[0];
    if (this.#name) this.#load();
  }

  title = () => this.#name ?? t('sites');

  actions = () =>
    this.#name
      ? html`<a class="button" href="#/sites">${t('allSites')}</a>`
      : this.#app.may('engineer')
        ? html`<button class="button main-action" @click=${() => this.#makeToken()}>${t('addSite')}</button>`
        : nothing;

  async #load() {
    this.#version = this.#app.state.version;
    try {
      this.#site = await get(`/sites/${part(this.#name)}`);
      this.#away = '';
    } catch (e) {
      this.#away = this.#app.refused(e);
    }
    this.#app.draw();
  }

  view() {
    const refusal = this.#failure || this.#away;
    const failure = refusal ? html`<div class="banner bad" role="alert">${refusal}</div>` : nothing;
    if (this.#name) {
      if (this.#site && this.#version !== this.#app.state.version) this.#load();
      return html`${failure}${this.#site ? this.#one(this.#site) : refusal ? nothing : waiting()}`;
    }
    const {sites} = this.#app.state;
    if (!sites) return waiting();
    return html`${failure}${this.#token ? this.#tokenView() : nothing}${sites.length === 0 ? html`<section class="panel">${empty(t('noSites'), t('noSitesHint'))}</section>` : siteTable(sites, this.#app.state.now())}`;
  }

  #one(site) {
    return html`${panel(
      t('site'),
      html`<div class="pad"><dl class="facts"><dt>${t('state')}</dt><dd>${siteBadge(site, this.#app.state.now())} ${site.held ?? ''}</dd><dt>${t('lastSeen')}</dt><dd>${ago(site.seenAtMillis, this.#app.state.now())}</dd>
        <dt>${t('enrolled')}</dt><dd>${dateTime(site.enrolledAtMillis)}</dd><dt>${t('certificate')}</dt><dd class="mono small">${site.fingerprint}</dd>
        <dt>${t('labels')}</dt><dd>${Object.entries(site.labels ?? {}).map(([key, value]) => `${key}=${value}`).join(' ') || '–'}</dd></dl></div>`,
      html`${this.#app.may('engineer') ? html`<button class="button" @click=${() => this.#label(site)}>${t('setLabels')}</button>` : nothing}
        ${site.held && this.#app.may('operator') ? html`<button class="button main-action" @click=${() => this.#do('accept-restored', t('acceptAsk', {site: site.name}), t('accept'))}>${t('accept')}</button>` : nothing}
        ${site.state !== 'revoked' && this.#app.may('admin') ? html`<button class="button danger" @click=${() => this.#do('revoke', t('revokeAsk', {site: site.name}), t('revoke'))}>${t('revoke')}</button>` : nothing}`,
    )}
    ${panel(
      t('streams'),
      (site.streams ?? []).length === 0
        ? empty(t('noRows'))
        : html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t('streams')}><table class="plain"><thead><tr><th>${t('job')}</th><th>${t('task')}</th><th>${t('table')}</th><th class="num">${t('rows')}</th><th class="num">${t('wire')}</th><th class="num">${t('sequence')}</th></tr></thead><tbody>${site.streams.map(
            (stream) => html`<tr><td>${stream.job}</td><td>${stream.task}</td><td><a href=${`#/data/${part(stream.table)}`}>${stream.table}</a></td><td class="num">${short(stream.rows)}</td><td class="num">${bytes(stream.bytes)}</td><td class="num">${short(stream.sequence)}</td></tr>`,
          )}</tbody></table></div>`,
    )}`;
  }

  async #try(change) {
    try {
      const answer = await change();
      this.#failure = '';
      return answer;
    } catch (e) {
      this.#failure = this.#app.refused(e);
      return undefined;
    } finally {
      this.#app.draw();
    }
  }

  async #do(action, question, text) {
    if (!(await ask(question, text))) return;
    await this.#try(() => post(`/sites/${part(this.#name)}/${action}`));
    if (!this.#failure) await this.#load();
  }

  async #label(site) {
    const before = Object.entries(site.labels ?? {}).map(([key, value]) => `${key}=${value}`).join(' ');
    const said = prompt(t('labelsAsk'), before);
    if (said === null) return;
    const labels = Object.fromEntries(said.split(/\s+/).filter(Boolean).map((each) => [each.split('=')[0], each.split('=').slice(1).join('=')]));
    await this.#try(() => put(`/sites/${part(site.name)}/labels`, labels));
    if (!this.#failure) await this.#load();
  }

  async #makeToken() {
    this.#token = await this.#try(() => post('/site-tokens'));
    this.#app.draw();
  }

  #tokenView() {
    const command = `sedge site report --to ${this.#token.address} --token ${this.#token.token}`;
    return panel(t('addSite'), html`<div class="pad"><p>${t('tokenNote')}</p><pre class="script" tabindex="0">${command}</pre></div>`, html`<button class="button" @click=${() => navigator.clipboard.writeText(command)}>${t('copy')}</button>`);
  }
}
