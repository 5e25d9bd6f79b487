// The page: asks what it is served by, and shows the pages of that kind.
import {html, nothing, render} from 'lit-html';
import {get, remove, useCsrf} from './api.js';
import {language, t, useLanguage} from './i18n.js';
import {icon} from './icons.js';
import {ROLES} from './roles.js';
import {CenterState} from './live/center.js';
import {RunState} from './live/run.js';
import {SiteState} from './live/site.js';

const KEPT_THEME = 'sedge-theme';

/** The numbers of a page change no more often than so. */
const CALM_INTERVAL = 250;

const KINDS = {
  run: {
    state: RunState,
    pages: [
      ['overview', () => import('./pages/run-overview.js')],
      ['data', () => import('./pages/run-data.js')],
      ['alarms', () => import('./pages/alarms.js')],
      ['job', () => import('./pages/run-job.js')],
      ['logs', () => import('./pages/run-logs.js')],
    ],
  },
  site: {
    state: SiteState,
    pages: [
      ['overview', () => import('./pages/site-overview.js')],
      ['alarms', () => import('./pages/alarms.js')],
      ['jobs', () => import('./pages/site-jobs.js')],
      ['what-if', () => import('./pages/site-what-if.js')],
      ['logs', () => import('./pages/site-logs.js')],
    ],
  },
  center: {
    state: CenterState,
    pages: [
      ['overview', () => import('./pages/center-overview.js')],
      ['alarms', () => import('./pages/alarms.js')],
      ['sites', () => import('./pages/center-sites.js')],
      ['jobs', () => import('./pages/center-jobs.js')],
      ['data', () => import('./pages/center-data.js')],
      ['query', () => import('./pages/center-query.js')],
      ['audit', () => import('./pages/center-audit.js')],
      ['settings', () => import('./pages/center-settings.js')],
    ],
  },
};


/** What pages are given: what is served, who looks, where in the page one is, and how to draw anew. */
class App {
  info;
  state;
  failure;
  /** What the login provider has sent the browser back with; the page of the log-in takes it. */
  returned = takeReturned();
  route = {page: '', rest: [], query: new URLSearchParams()};
  #root = document.getElementById('app');
  #page;
  #going = 0;
  #frame;
  #calm;
  #drawnAt = 0;

  async start() {
    useTheme(localStorage.getItem(KEPT_THEME) ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
    window.addEventListener('hashchange', () => this.#go());
    await this.load();
  }

  /** Asks anew what is served and who looks: after a log-in and a log-out. */
  async load() {
    try {
      this.info = await get('/console');
      this.failure = undefined;
    } catch (e) {
      this.failure = e;
      this.draw();
      setTimeout(() => this.load(), 3000);
      return;
    }
    useCsrf(this.info.csrf);
    document.title = `${this.info.title} · Sedge`;
    this.#forget();
    this.state = this.mayLook() ? new KINDS[this.info.kind].state(this) : undefined;
    await this.#go();
    // Pages that are here can be opened when the server has gone.
    KINDS[this.info.kind].pages.forEach(([, load]) => load().catch(() => {}));
  }

  /** The page is of who looked before, and has nothing to show without his state, which asks no more. */
  #forget() {
    this.#going++;
    this.#page?.leave?.();
    this.#page = undefined;
    this.state?.close();
    this.state = undefined;
  }

  mayLook() {
    return this.info.login === 'none' || this.info.caller !== undefined;
  }

  /** Whether who looks has at least this role, at some site at least. */
  may(role) {
    return this.info.caller !== undefined && ROLES.indexOf(this.info.caller.role) >= ROLES.indexOf(role);
  }

  /** Whether he has it at this site. */
  mayAt(site, role) {
    return this.may(role) && (this.info.caller.sites?.includes(site) ?? true);
  }

  mayEverywhere(role) {
    return this.may(role) && this.info.caller.sites === undefined;
  }

  /**
   * What to tell of an answer that says no. The page stays, with what somebody has typed, also where the session
   * has ended or another tab has begun one.
   */
  refused(e) {
    if (e.status === 401 || e.code === 'CSRF_REFUSED') this.#who();
    if (e.code === 'UNREACHABLE') return t('unreachable');
    return e.code === 'CSRF_REFUSED' ? t('tryAgain') : e.message;
  }

  async #who() {
    const info = await get('/console').catch(() => undefined);
    if (info) this.told(info);
  }

  /** Takes what a server says of who looks. */
  told(info) {
    this.info = info;
    useCsrf(info.csrf);
    this.draw();
  }

  async #go() {
    // Before it is known who looks there is nothing to show; `load` goes on from there.
    if (!this.info || (this.mayLook() && !this.state)) return;
    const going = ++this.#going;
    const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
    const [page, ...rest] = path.split('/').map(decoded);
    const route = {page, rest, query: new URLSearchParams(query ?? '')};
    let made;
    if (page === 'first' || page === 'login' || !this.mayLook()) {
      const {Login} = await import('./pages/login.js');
      made = () => new Login(this);
    } else {
      const pages = KINDS[this.info.kind].pages;
      const [name, load] = pages.find(([each]) => each === page) ?? pages[0];
      route.page = name;
      const Page = (await load()).default;
      made = () => new Page(this);
    }
    // Somebody may have gone on while this page was fetched.
    if (going !== this.#going) return;
    this.#page?.leave?.();
    this.route = route;
    this.#page = made();
    this.draw();
    window.scrollTo(0, 0);
  }

  /** Draws in the next frame. */
  draw() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#drawnAt = performance.now();
      render(this.#view(), this.#root);
    });
  }

  /** Draws soon: for what changes all the time. */
  drawCalmly() {
    if (this.#calm !== undefined) return;
    this.#calm = setTimeout(
      () => {
        this.#calm = undefined;
        this.draw();
      },
      Math.max(0, this.#drawnAt + CALM_INTERVAL - performance.now()),
    );
  }

  #view() {
    if (!this.info || !this.#page) {
      return html`<main class="login"><div class="empty" role="status">${this.failure ? t('unreachable') : t('loading')}</div></main>`;
    }
    if (this.#page.alone) return this.#page.view();
    return html`<a class="skip" href="#content" @click=${skip}>${t('skip')}</a>
      <div class="frame">
        ${this.#side()}
        <main class="main" id="content" tabindex="-1">
          <div class="top">
            <h1>${this.#page.title?.() ?? t(this.route.page)}</h1>
            <span class="sub">${this.#page.subtitle?.() ?? ''}</span>
            <div class="end">${this.#page.actions?.() ?? nothing}<div class="narrow">${this.#tools()}</div></div>
          </div>
          <div aria-live="polite">${this.state?.banner?.() ?? nothing}</div>
          <div class="content">${this.#page.view()}</div>
        </main>
      </div>`;
  }

  #side() {
    const {info} = this;
    return html`<aside class="side">
      <a class="brand" href="#/"><img src="/icon.svg" alt=""><span>Sedge</span></a>
      <nav aria-label=${t('pages')}>${KINDS[info.kind].pages.map(
        ([name]) => html`<a href=${`#/${name}`} aria-current=${this.route.page === name ? 'page' : nothing}>${icon(name)}<span>${t(name)}</span>${name === 'alarms' ? this.#count() : nothing}</a>`,
      )}</nav>
      <div class="foot">
        ${info.kind !== 'run' && info.caller?.name ? html`<div>${info.caller.name} · ${t(`role-${info.caller.role}`)}${info.caller.sites ? ` · ${info.caller.sites.slice(0, 3).join(', ')}${info.caller.sites.length > 3 ? ' …' : ''}` : nothing}</div>` : nothing}
        ${this.#tools()}
        <div>${t(`kind-${info.kind}`)} · ${info.version}</div>
      </div>
    </aside>`;
  }

  /** How many alarms ask for attention. */
  #count() {
    const n = this.state?.alarms?.attention ?? 0;
    return n > 0 ? html`<span class="count" aria-label=${t('alarmsCount', {n})}>${n > 99 ? '99+' : n}</span>` : nothing;
  }

  /** What belongs to who looks, not to a page. */
  #tools() {
    const {info} = this;
    return html`<div class="row">
          <button class="button bare small" @click=${() => this.#toggleTheme()} aria-label=${t('theme')}>${icon('theme')}</button>
          <button class="button bare small" lang=${language() === 'zh' ? 'en' : 'zh-CN'} @click=${() => this.#toggleLanguage()}>${language() === 'zh' ? 'English' : '中文'}</button>
          ${info.login !== 'none' && !info.csrf ? html`<a class="button bare small" href="#/login">${t('logIn')}</a>` : nothing}
          ${info.csrf ? html`<button class="button bare small" @click=${() => this.#logOut()}>${t('logOut')}</button>` : nothing}
        </div>`;
  }

  #toggleTheme() {
    const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    localStorage.setItem(KEPT_THEME, next);
    useTheme(next);
    this.draw();
  }

  #toggleLanguage() {
    useLanguage(language() === 'zh' ? 'en' : 'zh');
    this.draw();
  }

  async #logOut() {
    this.#forget();
    this.draw();
    await remove('/session').catch(() => {});
    history.replaceState(null, '', '#/');
    await this.load();
  }
}

/** It does not stay in the address nor in the history. */
function takeReturned() {
  const query = new URLSearchParams(location.search);
  if (!query.has('state')) return undefined;
  history.replaceState(null, '', `${location.pathname}#/login`);
  return Object.fromEntries(query);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function useTheme(theme) {
  document.documentElement.dataset.theme = theme;
  window.dispatchEvent(new Event('sedge-theme'));
}

/** The hash is where the page is, so a jump within it is made by hand. */
function skip(event) {
  event.preventDefault();
  document.getElementById('content').focus();
}

new App().start();
