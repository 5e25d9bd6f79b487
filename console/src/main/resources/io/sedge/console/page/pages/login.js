// How one becomes somebody: a name and a password, the code of a link that may be used once, or a login provider.
import {html, nothing} from 'lit-html';
import {post} from '../api.js';
import {t} from '../i18n.js';

export class Login {
  alone = true;
  #app;
  #failure = '';
  #busy = false;

  constructor(app) {
    this.#app = app;
    this.code = app.route.query.get('code') ?? '';
    this.first = app.route.page === 'first';
    this.invited = app.route.query.get('name') ?? '';
    // The code does not stay in the address nor in the history.
    if (this.code) history.replaceState(null, '', `#/${app.route.page}`);
    if (this.code && !this.first) this.#send('/session', {code: this.code});
    if (app.returned) this.#back(app.returned);
    app.returned = undefined;
  }

  view() {
    const link = this.#app.info.login === 'link';
    return html`<main class="login"><form class="panel" @submit=${(event) => this.#submit(event)}>
      <div class="row"><img src="/icon.svg" alt="" width="30" height="30"><h1>${this.first ? t('welcome') : t('logIn')}</h1></div>
      <p class="quiet">${this.first ? t('firstNote') : link ? t('linkNote') : this.#app.info.title}</p>
      ${this.first ? this.#first() : link ? this.#link() : this.#password()}
      <p class="error" role="alert" ?hidden=${!this.#failure}>${this.#failure}</p>
      <button class="button main-action" ?disabled=${this.#busy}>${this.first ? t('choosePassword') : t('logIn')}</button>
      ${this.#app.info.provider && !this.first ? html`<button type="button" class="button" ?disabled=${this.#busy} @click=${() => this.#leave()}>${t('logInAt', {name: this.#app.info.provider})}</button>` : nothing}
      ${link && this.#app.mayLook() ? html`<a href="#/">${t('lookOnly')}</a>` : nothing}
    </form></main>`;
  }

  #password() {
    return html`<label class="field">${t('name')}<input type="text" name="name" autocomplete="username" autocapitalize="none" required maxlength="128"></label>
      <label class="field">${t('password')}<input name="password" type="password" autocomplete="current-password" required maxlength="128"></label>`;
  }

  #link() {
    return html`<label class="field">${t('code')}<input name="code" type="text" autocomplete="one-time-code" required .value=${this.code} maxlength="200"></label>`;
  }

  #first() {
    return html`<label class="field">${t('name')}<input type="text" name="name" autocomplete="username" autocapitalize="none" required maxlength="64" .value=${this.invited} ?readonly=${this.invited !== ''}></label>
      <label class="field">${t('password')}<input name="password" type="password" autocomplete="new-password" required minlength="12" maxlength="128" aria-describedby="password-rule"></label>
      <p class="small quiet" id="password-rule">${t('passwordRule')}</p>
      <label class="field">${t('passwordAgain')}<input name="again" type="password" autocomplete="new-password" required maxlength="128"></label>`;
  }

  async #submit(event) {
    event.preventDefault();
    const field = (name) => event.target.elements[name]?.value;
    if (this.first) {
      if (field('password') !== field('again')) {
        this.#failure = t('passwordsDiffer');
        this.#app.draw();
        return;
      }
      await this.#send('/session/first', {code: this.code, name: field('name'), password: field('password')});
    } else if (this.#app.info.login === 'link') {
      await this.#send('/session', {code: field('code').trim()});
    } else {
      await this.#send('/session', {name: field('name'), password: field('password')});
    }
  }

  /** The browser goes to the login provider, which sends it back. */
  #leave() {
    return this.#try(async () => location.assign((await post('/session/oidc')).location));
  }

  #back({state, code, iss, error}) {
    if (error === undefined) {
      this.#send('/session/oidc/code', {state, code, iss});
    } else {
      // Whoever makes a link may write anything there.
      this.#failure = t('providerRefused', {error: /^[a-z_]{1,40}$/.test(error) ? error : '…'});
    }
  }

  #send(path, body) {
    return this.#try(async () => {
      await post(path, body);
      // Whoever came for a page sees it then.
      if (['first', 'login'].includes(this.#app.route.page)) history.replaceState(null, '', '#/');
      await this.#app.load();
    });
  }

  async #try(work) {
    this.#busy = true;
    this.#app.draw();
    try {
      await work();
      this.#failure = '';
    } catch (e) {
      this.#failure = e.code === 'UNREACHABLE' ? t('unreachable') : e.message;
    }
    this.#busy = false;
    this.#app.draw();
  }
}
