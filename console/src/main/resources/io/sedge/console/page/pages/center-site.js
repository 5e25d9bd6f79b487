// One site of a center: how it is, what it has sent, and commands to its tables.
import {html, nothing} from 'lit-html';
import {get, getIdly, part, post, put, save} from '../api.js';
import {ago, bytes, dateTime, duration, short} from '../format.js';
import {t} from '../i18n.js';
import {CenterLog} from './center-log.js';
import {siteBadge} from './center-overview.js';
import {deviceState} from './site-overview.js';
import {ask, askFor, Attempt, badge, empty, panel, plainTable, waiting} from './shared.js';

/** How often a page asks what became of commands that have not ended. */
const LOOK = 2000;

const TONES = {
  queued: 'warn', sent: 'warn', accepted: 'warn', written: 'good', confirmed: 'good',
  refused: 'bad', failed: 'bad', unknown: 'bad', expired: 'bad', cancelled: '',
};

const JOB_TONES = {running: 'good', paused: 'warn', failed: 'bad'};

export class CenterSite {
  #app;
  #name;
  #site;
  #condition;
  #commands = [];
  /** Why the site cannot be shown as it is now. */
  #away = '';
  #version = -1;
  #loading = false;
  #askedAt = 0;
  #timer;
  #attempt;
  #log;
  /** The device of which a bundle is on its way. */
  #bundled = '';
  /** What somebody has typed of a command. */
  #wanted = {to: '', values: '', expires: '30'};

  constructor(app, name) {
    this.#app = app;
    this.#name = name;
    this.#attempt = new Attempt(app);
    this.#log = new CenterLog(app, name);
    this.#load();
    this.#timer = setInterval(() => this.#follow(), LOOK);
  }

  leave() {
    clearInterval(this.#timer);
  }

  /**
   * Asks for all that is shown.
   *
   * @param asking whether somebody wants it (`get`), or the page by itself (`getIdly`)
   */
  async #load(asking = get) {
    if (this.#loading) return;
    this.#loading = true;
    this.#askedAt = performance.now();
    this.#version = this.#app.state.version;
    const site = `/sites/${part(this.#name)}`;
    try {
      this.#site = await asking(site);
      this.#commands = await asking(`${site}/commands?limit=50`);
      // A site that has just come, or is of an earlier version, has told nothing of itself.
      if (this.#site.inventory) this.#condition = await asking(`${site}/condition`);
      this.#away = '';
    } catch (e) {
      this.#away = this.#app.refused(e);
    } finally {
      this.#loading = false;
      this.#app.draw();
    }
  }

  async #follow() {
    if (document.hidden || this.#commands.every((command) => command.ended)) return;
    this.#commands = await getIdly(`/sites/${part(this.#name)}/commands?limit=50`).catch(() => this.#commands);
    this.#app.draw();
  }

  view() {
    if (this.#version !== this.#app.state.version && performance.now() - this.#askedAt > LOOK) this.#load(getIdly);
    return html`${this.#attempt.banner()}${this.#away ? waiting(this.#away) : nothing}
      ${this.#site ? html`${this.#facts(this.#site)}${this.#devices()}${this.#jobs()}${this.#commandsView()}${this.#logView()}${this.#streams(this.#site)}` : this.#away ? nothing : waiting()}`;
  }

  #facts(site) {
    return panel(
      t('site'),
      html`<div class="pad"><dl class="facts"><dt>${t('state')}</dt><dd>${siteBadge(site, this.#app.state.now())} ${site.held ?? ''}</dd><dt>${t('lastSeen')}</dt><dd>${ago(site.seenAtMillis, this.#app.state.now())}</dd>
        <dt>${t('enrolled')}</dt><dd>${dateTime(site.enrolledAtMillis)}</dd><dt>${t('certificate')}</dt><dd class="mono small">${site.fingerprint}</dd>
        <dt>${t('labels')}</dt><dd>${labelText(site) || '–'}</dd></dl></div>`,
      html`${this.#app.mayAt(site.name, 'engineer') ? html`<button class="button" @click=${() => this.#label(site)}>${t('setLabels')}</button>` : nothing}
        ${site.held && this.#app.mayAt(site.name, 'operator') ? html`<button class="button main-action" @click=${() => this.#do('accept-restored', t('acceptAsk', {site: site.name}), t('accept'))}>${t('accept')}</button>` : nothing}
        ${site.state !== 'revoked' && this.#app.mayAt(site.name, 'admin') ? html`<button class="button danger" @click=${() => this.#do('revoke', t('revokeAsk', {site: site.name}), t('revoke'))}>${t('revoke')}</button>` : nothing}`,
    );
  }

  #devices() {
    if (!this.#condition) return nothing;
    const {devices, leader, toldAtMillis} = this.#condition;
    const engineer = this.#app.mayAt(this.#name, 'engineer');
    return panel(
      t('devices'),
      plainTable(t('devices'), [[t('device')], [t('state')], [t('version')], [t('diskFree'), 'num'], ...(engineer ? [['', 'num']] : [])], devices, (device) => html`<td><strong>${device.name}</strong> ${device.name === leader ? badge(t('leader'), 'plain') : nothing}</td>
        <td>${deviceState({...device, state: device.state.toLowerCase()})}${device.alive ? nothing : html` <span class="small quiet">${t('deviceSilent', {d: duration(device.silentMillis)})}</span>`}</td><td>${device.version || '–'}</td>
        <td class="num">${device.diskFreeBytes < 0 ? '–' : `${bytes(device.diskFreeBytes)} / ${bytes(device.diskBytes)}`}</td>
        ${engineer ? html`<td class="num"><button class="button small" title=${t('bundleNote')} ?disabled=${this.#bundled !== ''} @click=${() => this.#bundle(device.name)}>${t(this.#bundled === device.name ? 'bundleAsking' : 'bundle')}</button></td>` : nothing}`),
      html`<span class="small quiet">${t('toldAgo', {d: ago(toldAtMillis, this.#app.state.now())})}</span>`,
    );
  }

  #logView() {
    return this.#condition && this.#app.mayAt(this.#name, 'operator') ? this.#log.view(this.#condition.devices, this.#condition.jobs) : nothing;
  }

  async #bundle(device) {
    this.#bundled = device;
    this.#app.draw();
    await this.#attempt.make(() => save(`sedge-${this.#name}-${device}.zip`, 'GET', `/sites/${part(this.#name)}/devices/${part(device)}/bundle`));
    this.#bundled = '';
    this.#app.draw();
  }

  #jobs() {
    if (!this.#condition) return nothing;
    return panel(
      t('jobs'),
      plainTable(
        t('jobs'),
        [[t('job')], [t('state')], [t('tasks'), 'num'], [t('readings'), 'num'], [t('lag'), 'num'], [t('rowsGiven'), 'num'], [t('rowsWaiting'), 'num'], [t('malformed'), 'num']],
        this.#condition.jobs,
        (job) => html`<td>${job.given > 0 ? html`<a href=${`#/jobs/${part(job.name)}`}><strong>${job.name}</strong></a>` : html`<strong>${job.name}</strong>`}${job.detail ? html`<div class="small quiet">${job.detail}</div>` : nothing}</td>
          <td>${badge(t(`state-${job.state.toLowerCase()}`), JOB_TONES[job.state.toLowerCase()] ?? '')}</td><td class="num">${job.runningTasks} / ${job.tasks}</td>
          <td class="num">${job.readingsPerSecond < 0 ? '–' : t('perSecond', {n: short(job.readingsPerSecond)})}</td><td class="num">${job.lagSeconds < 0 ? '–' : duration(job.lagSeconds * 1000)}</td>
          <td class="num">${short(job.rows)}</td><td class="num">${short(job.waitingRows)}</td><td class="num">${short(job.malformed)}</td>`,
        t('noJobs'),
      ),
    );
  }

  #commandsView() {
    const operator = this.#app.mayAt(this.#name, 'operator');
    return panel(
      t('commands'),
      html`${operator ? this.#form() : nothing}
        ${plainTable(
          t('commands'),
          [[t('when')], [t('who')], [t('table')], [t('values')], [t('state')], ['', 'num']],
          this.#commands,
          (command) => html`<td>${dateTime(command.givenAtMillis)}</td><td>${command.givenBy}</td><td>${command.job}.${command.table}</td>
            <td class="mono small">${pairText(command.values)}</td>
            <td title=${command.state === 'unknown' ? t('commandUnknown') : nothing}>${badge(t(`command-${command.state}`), TONES[command.state] ?? '')}${command.detail ? html`<div class="small quiet">${command.detail}</div>` : nothing}</td>
            <td class="num">${operator && command.state === 'queued' ? html`<button class="button small" @click=${() => this.#cancel(command)}>${t('takeBack')}</button>` : nothing}</td>`,
          t('noCommands'),
        )}`,
    );
  }

  #form() {
    const field = (key, text, hint, width) =>
      html`<label class="field">${text}<input type="text" name=${key} autocapitalize="none" spellcheck="false" maxlength="4096" size=${width} placeholder=${hint} .value=${this.#wanted[key]} @input=${(event) => this.#typed(key, event.target.value)}></label>`;
    return html`<form class="pad row" @submit=${(event) => this.#send(event)}>${field('to', t('jobAndTable'), 'press.valve', 18)}${field('values', t('values'), 'position=40', 24)}${field('expires', t('expiresSeconds'), '30', 6)}
      <button class="button main-action" ?disabled=${!this.#command()}>${t('send')}</button></form><p class="pad small quiet">${t('commandNote')}</p>`;
  }

  #typed(key, value) {
    this.#wanted[key] = value;
    this.#app.draw();
  }

  /** What has been typed, as a command; undefined while something is missing. A value may have blanks. */
  #command() {
    const [, job, table] = this.#wanted.to.trim().match(/^([^.\s]+)\.(\S+)$/) ?? [];
    const values = pairs(this.#wanted.values);
    const expiresSeconds = Number(this.#wanted.expires);
    return job && values && Number.isInteger(expiresSeconds) && expiresSeconds > 0 ? {job, table, values, expiresSeconds} : undefined;
  }

  async #send(event) {
    event.preventDefault();
    const command = this.#command();
    if (!command || !(await ask(t('commandAsk', {values: pairText(command.values), s: command.expiresSeconds, table: `${command.job}.${command.table}`, site: this.#name}), t('send')))) return;
    if (await this.#attempt.make(() => post(`/sites/${part(this.#name)}/commands`, command))) this.#wanted.values = '';
    await this.#load();
  }

  async #cancel(command) {
    await this.#attempt.make(() => post(`/sites/${part(this.#name)}/commands/${part(command.id)}/cancel`));
    await this.#load();
  }

  #streams(site) {
    return panel(
      t('streams'),
      plainTable(
        t('streams'),
        [[t('job')], [t('task')], [t('table')], [t('rows'), 'num'], [t('wire'), 'num'], [t('sequence'), 'num']],
        site.streams ?? [],
        (stream) => html`<td>${stream.job}</td><td>${stream.task}</td><td><a href=${`#/data/${part(stream.table)}`}>${stream.table}</a></td><td class="num">${short(stream.rows)}</td><td class="num">${bytes(stream.bytes)}</td><td class="num">${short(stream.sequence)}</td>`,
        t('noRows'),
      ),
    );
  }

  async #do(action, question, text) {
    if (!(await ask(question, text))) return;
    await this.#attempt.make(() => post(`/sites/${part(this.#name)}/${action}`));
    await this.#load();
  }

  async #label(site) {
    const said = await askFor(t('labelsAsk'), t('saveLabels'), labelText(site), (text) => text.trim() === '' || pairs(text) !== undefined);
    if (said === undefined) return;
    await this.#attempt.make(() => put(`/sites/${part(site.name)}/labels`, pairs(said) ?? {}));
    await this.#load();
  }
}

const pairText = (values) => Object.entries(values).map(([key, value]) => `${key}=${value}`).join('\n');

const labelText = (site) => Object.entries(site.labels ?? {}).map(([key, value]) => `${key}=${value}`).join(' ');

/** `a=1 b=two words` by its keys; undefined if it is something else, nothing, or has a key twice. */
function pairs(text) {
  const found = [...text.trim().matchAll(/([^\s=]+)=(.*?)(?=\s+[^\s=]+=|$)/gs)];
  const whole = found.length > 0 && found[0].index === 0;
  const keys = new Set(found.map(([, key]) => key));
  return whole && keys.size === found.length ? Object.fromEntries(found.map(([, key, value]) => [key, value.trim()])) : undefined;
}
