// The own password, people, tokens of programs, and what the center says of itself.
import {html, nothing} from 'lit-html';
import {live} from 'lit-html/directives/live.js';
import {get, part, post, put, remove} from '../api.js';
import {ago, bytes, dateTime, short} from '../format.js';
import {t} from '../i18n.js';
import {ROLES} from '../roles.js';
import {ask, badge, empty, panel, waiting} from './shared.js';

export default class CenterSettings {
  #app;
  #people;
  #tokens;
  #made;
  #failure = '';
  #done = '';

  constructor(app) {
    this.#app = app;
    if (app.mayEverywhere('admin')) this.#try(async () => {});
  }

  async #load() {
    [this.#people, this.#tokens] = await Promise.all([get('/people'), get('/access-tokens')]);
  }

  /** Makes a change, or none at first, and shows how things are then; what went wrong stays to be read. */
  async #try(change, done = '') {
    try {
      await change();
      if (this.#app.mayEverywhere('admin')) await this.#load();
      this.#failure = '';
      this.#done = done;
    } catch (e) {
      this.#failure = this.#app.refused(e);
      this.#done = '';
    }
    this.#app.draw();
  }

  view() {
    const {center} = this.#app.state;
    return html`${this.#failure ? html`<div class="banner bad" role="alert">${this.#failure}</div>` : nothing}
      ${this.#done ? html`<div class="banner info" role="status">${this.#done}</div>` : nothing}
      ${this.#made ? panel(t('shownOnce'), html`<div class="pad"><p>${this.#made.note}</p><pre class="script" tabindex="0">${this.#made.text}</pre></div>`, html`<button class="button" @click=${() => navigator.clipboard.writeText(this.#made.text)}>${t('copy')}</button>`) : nothing}
      ${this.#app.mayEverywhere('admin') ? html`${this.#peopleView()}${this.#tokensView()}` : nothing}
      ${this.#app.info.csrf && !this.#app.info.caller?.provider ? this.#password() : nothing}
      ${center ? this.#about(center) : waiting()}`;
  }

  #peopleView() {
    if (!this.#people) return nothing;
    return panel(
      t('people'),
      html`${this.#people.length === 0 ? empty(t('noPeople')) : html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t('people')}><table class="plain"><thead><tr><th>${t('name')}</th><th>${t('role')}</th><th>${t('sites')}</th><th>${t('logsInBy')}</th><th>${t('lastSeen')}</th><th><span class="hidden-text">${t('actions')}</span></th></tr></thead><tbody>${this.#people.map(
        (person) => html`<tr><td><strong>${person.name}</strong> ${person.shutOut ? badge(t('revoked'), 'bad') : nothing} ${person.locked ? badge(t('locked'), 'warn') : nothing}</td>
          ${this.#permission('people', person)}<td>${person.provider ?? t('password')}</td><td>${ago(person.lastSeenMillis)}</td><td class="num"><button class="button small danger" @click=${() => this.#removePerson(person)}>${t('remove')}</button></td></tr>`,
      )}</tbody></table></div>`}
      <form class="pad row" @submit=${(event) => this.#invite(event)}><label class="field">${t('name')}<input type="text" name="name" required maxlength="64" autocapitalize="none"></label>${permissionFields()}<button class="button main-action">${t('invite')}</button></form>`,
    );
  }

  /** The cells of the role and the sites that somebody has, to be changed there; a login provider says the role. */
  #permission(kind, {name, role, sites, provider}) {
    return html`<td><select ?disabled=${provider !== undefined} aria-label=${`${t('role')} ${name}`} .value=${live(role)} @change=${(event) => this.#permit(kind, name, {role: event.target.value}, {role, sites})}>${ROLES.map((one) => html`<option value=${one} ?selected=${one === role}>${t(`role-${one}`)}</option>`)}</select></td>
      <td><input type="text" aria-label=${`${t('sites')} ${name}`} placeholder=${sites?.length === 0 ? t('none') : t('all')} autocapitalize="none" .value=${sites?.join(', ') ?? ''} @change=${(event) => this.#permitAt(event.target, kind, name, role, sites)}></td>`;
  }

  /** What is typed stays while the page is drawn; what is not done is put back. */
  async #permitAt(field, kind, name, role, before) {
    if (!(await this.#permit(kind, name, {sites: sitesIn(field) ?? ['*']}, {role, sites: before}))) field.value = before?.join(', ') ?? '';
  }

  /**
   * Whether it was done.
   *
   * @param before the role and the sites, which stay if the change has none
   */
  async #permit(kind, name, change, before) {
    const at = change.sites ?? before.sites;
    const sites = at === undefined || at[0] === '*' ? t('all') : at.join(', ');
    const sure = await ask(t('roleAsk', {name, role: t(`role-${change.role ?? before.role}`), sites}), t('change'));
    if (sure) await this.#try(() => put(`/${kind}/${part(name)}/role`, change), t('saved'));
    this.#app.draw();
    return sure && !this.#failure;
  }

  /** Whom a login provider would let in again is shut out first, and forgotten the second time. */
  async #removePerson({name, provider, shutOut}) {
    const question = shutOut ? 'removeAgainAsk' : provider ? 'removeProviderAsk' : 'removeAsk';
    if (await ask(t(question, {name}), t('remove'))) {
      await this.#try(() => remove(`/people/${part(name)}${shutOut ? '?forget=true' : ''}`));
    }
  }

  async #invite(event) {
    event.preventDefault();
    const {name, role, sites} = event.target.elements;
    await this.#try(async () => {
      const {link} = await post('/people', {name: name.value.trim(), role: role.value, sites: sitesIn(sites)});
      this.#made = {note: t('inviteNote', {name: name.value.trim()}), text: link};
    });
  }

  #tokensView() {
    if (!this.#tokens) return nothing;
    return panel(
      t('programs'),
      html`${this.#tokens.length === 0 ? empty(t('noTokens')) : html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t('programs')}><table class="plain"><thead><tr><th>${t('name')}</th><th>${t('role')}</th><th>${t('sites')}</th><th>${t('expires')}</th><th><span class="hidden-text">${t('actions')}</span></th></tr></thead><tbody>${this.#tokens.map(
        (token) => html`<tr><td><strong>${token.name}</strong></td>${token.name === 'local' ? html`<td>${t(`role-${token.role}`)}</td><td>${t('all')}</td>` : this.#permission('access-tokens', token)}<td>${token.endsAtMillis ? dateTime(token.endsAtMillis) : t('never')}</td><td class="num">${token.name === 'local' ? nothing : html`<button class="button small danger" @click=${() => this.#removeToken(token.name)}>${t('remove')}</button>`}</td></tr>`,
      )}</tbody></table></div>`}
      <form class="pad row" @submit=${(event) => this.#addToken(event)}><label class="field">${t('name')}<input type="text" name="name" required maxlength="64" autocapitalize="none"></label>${permissionFields()}<button class="button">${t('makeToken')}</button></form>`,
    );
  }

  async #removeToken(name) {
    if (await ask(t('removeTokenAsk', {name}), t('remove'))) {
      await this.#try(() => remove(`/access-tokens/${part(name)}`));
    }
  }

  async #addToken(event) {
    event.preventDefault();
    const {name, role, sites} = event.target.elements;
    await this.#try(async () => {
      const {token} = await post('/access-tokens', {name: name.value.trim(), role: role.value, sites: sitesIn(sites)});
      this.#made = {note: t('tokenOnce'), text: token};
    });
  }

  #password() {
    return panel(
      t('ownPassword'),
      html`<form class="pad row" @submit=${(event) => this.#change(event)}>
        <label class="field">${t('oldPassword')}<input type="password" name="old" autocomplete="current-password" required maxlength="128"></label>
        <label class="field">${t('newPassword')}<input type="password" name="new" autocomplete="new-password" required minlength="12" maxlength="128"></label>
        <button class="button">${t('change')}</button></form><p class="pad small quiet">${t('passwordRule')}</p>`,
    );
  }

  async #change(event) {
    event.preventDefault();
    const form = event.target;
    await this.#try(async () => this.#app.told(await put('/session/password', {old: form.elements.old.value, new: form.elements.new.value})), t('passwordChanged'));
    if (!this.#failure) form.reset();
  }

  #about(center) {
    const {database} = center;
    return panel(
      t('center'),
      html`<div class="pad"><dl class="facts"><dt>${t('version')}</dt><dd>${center.version}</dd><dt>${t('started')}</dt><dd>${ago(center.startedAtMillis)}</dd>
        <dt>${t('sitesReportTo')}</dt><dd class="mono">${center.siteAddress}</dd><dt>${t('database')}</dt><dd>${database.name}, ${bytes(database.bytes)}</dd>
        <dt>${t('commits')}</dt><dd>${short(database.commits)}</dd><dt>${t('repeated')}</dt><dd>${short(database.repeatedBlocks)}</dd><dt>${t('rejected')}</dt><dd>${short(database.rejectedRows)}</dd></dl></div>`,
    );
  }
}

/** The names of sites in a field, with commas between them; undefined if there is none, for all. */
const sitesIn = ({value}) => {
  const names = value.split(',').map((name) => name.trim()).filter((name) => name !== '');
  return names.length === 0 ? undefined : names;
};

const permissionFields = () => html`<label class="field">${t('role')}<select name="role">${ROLES.map((role) => html`<option value=${role}>${t(`role-${role}`)}</option>`)}</select></label><label class="field">${t('sites')}<input type="text" name="sites" placeholder=${t('all')} autocapitalize="none"></label>`;
