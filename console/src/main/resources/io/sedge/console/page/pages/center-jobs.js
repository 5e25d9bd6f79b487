// The jobs that a center gives to sites; one of them, at each site; a new version.
import {html, nothing} from 'lit-html';
import {get, getIdly, part, post, remove} from '../api.js';
import {ago, dateTime} from '../format.js';
import {t} from '../i18n.js';
import {Checker} from './checker.js';
import {ask, Attempt, badge, empty, panel, switcher, tile, waiting} from './shared.js';

/** How often a page asks how far a job is. */
const LOOK = 2000;

const TONES = {
  done: 'good', checked: 'good', healthy: 'good', rolling: 'warn', checking: 'warn', rolling_back: 'warn', removing: 'warn', away: 'warn', sent: 'warn', gated: 'warn',
  refused: 'bad', rolled_back: 'bad', failed: 'bad',
};

const START = `CREATE TABLE readings (
  machine STRING, quantity STRING, ts BIGINT, \`value\` DOUBLE,
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '2' SECOND
) WITH (
  'connector' = 'mqtt', 'url' = 'mqtt://localhost:1883',
  'topic' = 'plant/process/{machine}/{quantity}', 'format' = 'json'
);
`;

export default class CenterJobs {
  #app;
  #name;
  #jobs;
  #job;
  #versions = [];
  #attempt;
  /** Why what is shown is not as it is now. */
  #away = '';
  #mode = 'sites';
  #checker;
  #diff;
  #timer;
  /** What somebody has typed of a new version. */
  #wanted = {name: '', labels: '', waves: '1, rest', gate: '60'};

  constructor(app) {
    this.#app = app;
    this.#attempt = new Attempt(app);
    this.#name = app.route.rest[0];
    if (this.#name === 'new') {
      this.#begin();
    } else {
      this.#load(get);
      this.#timer = setInterval(() => this.#load(getIdly), LOOK);
    }
  }

  title = () => (this.#name === 'new' ? t('newJob') : (this.#name ?? t('jobs')));

  actions = () =>
    this.#name
      ? html`<a class="button" href="#/jobs">${t('allJobs')}</a>`
      : this.#app.may('engineer')
        ? html`<a class="button main-action" href="#/jobs/new">${t('newJob')}</a>`
        : nothing;

  leave() {
    clearInterval(this.#timer);
  }

  async #load(asking) {
    if (document.hidden) return;
    try {
      if (this.#name) {
        this.#job = await asking(`/jobs/${part(this.#name)}`);
        if (this.#versions[0]?.version !== this.#job.version) this.#versions = await asking(`/jobs/${part(this.#name)}/versions`);
      } else {
        this.#jobs = await asking('/jobs');
      }
      this.#away = '';
    } catch (e) {
      this.#away = this.#app.refused(e);
    }
    this.#app.draw();
  }

  /** A new job, or a version of one that there is. */
  async #begin() {
    const before = this.#app.route.query.get('job');
    let script = START;
    if (before) {
      this.#wanted.name = before;
      const latest = await this.#attempt.make(() => get(`/jobs/${part(before)}`));
      if (latest?.script) script = latest.script;
      if (latest?.selection.includes('=')) this.#wanted.labels = latest.selection.replaceAll(',', '');
    }
    this.#checker = new Checker(this.#app, script, async (text) => ({problems: await post('/scripts/check', {name: this.#wanted.name || 'job', script: text})}));
    if (this.#app.may('engineer')) this.#checker.check();
    this.#app.draw();
  }

  view() {
    const failure = html`${this.#attempt.banner()}${this.#away ? waiting(this.#away) : nothing}`;
    if (this.#name === 'new') return html`${failure}${this.#new()}`;
    if (this.#name) return html`${failure}${this.#job ? this.#one() : this.#away ? nothing : waiting()}`;
    return html`${failure}${this.#jobs ? this.#list() : this.#away ? nothing : waiting()}`;
  }

  #list() {
    if (this.#jobs.length === 0) return html`<section class="panel">${empty(t('noFleet'), t('noFleetHint'))}</section>`;
    return panel(
      t('jobs'),
      html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t('jobs')}><table class="plain"><thead><tr><th>${t('job')}</th><th class="num">${t('version')}</th><th>${t('state')}</th><th>${t('runsOn')}</th><th>${t('sites')}</th><th>${t('when')}</th></tr></thead>
      <tbody>${this.#jobs.map((job) => html`<tr><td><a href=${`#/jobs/${part(job.job)}`}><strong>${job.job}</strong></a></td><td class="num">${job.version}</td>
        <td>${badge(t(`fleet-${job.state}`), TONES[job.state] ?? '')}${job.detail ? html`<div class="small quiet">${job.detail}</div>` : nothing}</td>
        <td>${installed(job)}</td><td class="small">${job.selection}</td><td>${ago(job.givenAtMillis, this.#app.state.now())}</td></tr>`)}</tbody></table></div>`,
    );
  }

  #one() {
    const job = this.#job;
    const engineer = this.#app.may('engineer') && (job.sites ?? []).every(({site}) => this.#app.mayAt(site, 'engineer'));
    return html`<div class="tiles">${tile(t('state'), t(`fleet-${job.state}`), job.detail, TONES[job.state] === 'bad' ? 'bad' : '')}
        ${tile(t('version'), job.version, t('givenBy', {who: job.givenBy}))}
        ${tile(t('runsOn'), installed(job))}
        ${tile(t('waves'), job.waves.length === 0 ? '–' : `${job.wave}`, job.waves.join(', '))}</div>
      <div class="row spread">${switcher(t('view'), [['sites', t('sites')], ['script', t('script')], ['versions', t('versions')]], this.#mode, (mode) => this.#choose(mode))}
        <div class="row">${engineer ? html`<a class="button main-action" href=${`#/jobs/new?job=${part(job.job)}`}>${t('newVersion')}</a>
          ${['checking', 'rolling', 'done'].includes(job.state) ? html`<button class="button" @click=${() => this.#rollBack()}>${t('rollBack')}</button>` : nothing}
          ${job.ended && job.state !== 'removed' ? html`<button class="button danger" @click=${() => this.#remove()}>${t('remove')}</button>` : nothing}` : nothing}</div></div>
      ${this.#mode === 'sites' ? this.#sites(job) : nothing}
      ${this.#mode === 'script' ? panel(t('script'), html`<pre class="script" tabindex="0">${job.script}</pre>`) : nothing}
      ${this.#mode === 'versions' ? this.#history() : nothing}`;
  }

  #sites(job) {
    return panel(
      t('sites'),
      html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t('sites')}><table class="plain"><thead><tr><th>${t('site')}</th><th class="num">${t('wave')}</th><th>${t('state')}</th><th class="num">${t('runsVersion')}</th><th class="num">${t('before')}</th><th>${t('since')}</th></tr></thead>
      <tbody>${job.sites.map((site) => html`<tr><td><a href=${`#/sites/${part(site.site)}`}><strong>${site.site}</strong></a></td><td class="num">${site.wave || '–'}</td>
        <td>${badge(t(`fleet-${site.state}`), TONES[site.state] ?? '')}${site.detail ? html`<div class="small quiet">${site.detail}</div>` : nothing}</td>
        <td class="num">${site.installed || '–'}</td><td class="num">${site.before || '–'}</td><td>${ago(site.stateAtMillis, this.#app.state.now())}</td></tr>`)}</tbody></table></div>`,
    );
  }

  #history() {
    return html`${panel(
      t('versions'),
      html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t('versions')}><table class="plain"><thead><tr><th class="num">${t('version')}</th><th>${t('state')}</th><th>${t('who')}</th><th>${t('when')}</th><th></th></tr></thead>
      <tbody>${this.#versions.map((each, index) => html`<tr><td class="num">${each.version}</td><td>${badge(t(`fleet-${each.state}`), TONES[each.state] ?? '')}${each.detail ? html`<div class="small quiet">${each.detail}</div>` : nothing}</td><td>${each.givenBy}</td><td>${dateTime(each.givenAtMillis)}</td>
        <td>${index < this.#versions.length - 1 ? html`<button class="button small" @click=${() => this.#compare(this.#versions[index + 1].version, each.version)}>${t('diffTo', {n: this.#versions[index + 1].version})}</button>` : nothing}</td></tr>`)}</tbody></table></div>`,
    )}${this.#diff ? panel(t('diffOf', this.#diff), html`<pre class="script diff" tabindex="0">${this.#diff.lines.map((line) => html`<span class=${line.change}>${{added: '+', removed: '-'}[line.change] ?? ' '} ${line.text}\n</span>`)}</pre>`) : nothing}`;
  }

  #choose(mode) {
    this.#mode = mode;
    this.#app.draw();
  }

  async #compare(from, to) {
    const lines = await this.#attempt.make(() => get(`/jobs/${part(this.#name)}/diff?from=${from}&to=${to}`));
    this.#diff = lines ? {from, to, lines} : undefined;
    this.#app.draw();
  }

  async #rollBack() {
    if (!(await ask(t('rollBackAsk', {n: this.#job.version}), t('rollBack')))) return;
    await this.#attempt.make(() => post(`/jobs/${part(this.#name)}/rollback?version=${this.#job.version}`));
    await this.#load(get);
  }

  async #remove() {
    if (!(await ask(t('removeJobAsk', {job: this.#name}), t('remove')))) return;
    await this.#attempt.make(() => remove(`/jobs/${part(this.#name)}`));
    await this.#load(get);
  }

  #new() {
    if (!this.#app.may('engineer')) return html`<div class="banner">${t('needsRole', {role: t('role-engineer')})}</div>`;
    if (!this.#checker) return waiting();
    const beyond = this.#matching().filter((site) => !this.#app.mayAt(site.name, 'engineer'));
    const field = (key, text) =>
      html`<label class="field">${text}<input type="text" autocapitalize="none" maxlength="200" .value=${this.#wanted[key]} @input=${(event) => this.#typed(key, event.target.value)}></label>`;
    return panel(
      t('script'),
      html`<div class="pad fields">${field('name', t('jobName'))}${field('labels', t('sitesByLabel'))}${field('waves', t('waves'))}${field('gate', t('gate'))}
          <p class="small quiet">${t('sitesMatched', {n: this.#matching().length, names: this.#matching().slice(0, 8).map((site) => site.name).join(', ')})}</p>
          ${beyond.length > 0 ? html`<p class="small bad">${t('sitesBeyond', {names: beyond.slice(0, 8).map((site) => site.name).join(', ')})}</p>` : nothing}</div>${this.#checker.view()}`,
      html`${this.#checker.state()}<button class="button main-action" ?disabled=${!this.#checker.accepted || this.#matching().length === 0 || beyond.length > 0 || !this.#wanted.name} @click=${() => this.#deploy()}>${t('deploy')}</button>`,
    );
  }

  #typed(key, value) {
    this.#wanted[key] = value;
    this.#app.draw();
  }

  #labels() {
    return Object.fromEntries(this.#wanted.labels.split(/\s+/).filter((each) => each.includes('=')).map((each) => [each.split('=')[0], each.split('=').slice(1).join('=')]));
  }

  #matching() {
    const labels = Object.entries(this.#labels());
    return labels.length === 0 ? [] : (this.#app.state.sites ?? []).filter((site) => site.state === 'active' && labels.every(([key, value]) => site.labels?.[key] === value));
  }

  async #deploy() {
    const {name, waves, gate} = this.#wanted;
    const given = await this.#attempt.make(() =>
      post(`/jobs/${part(name.trim())}/versions`, {
        script: this.#checker.script,
        labels: this.#labels(),
        waves: waves.split(/[\s,]+/).filter(Boolean),
        gateSeconds: Number(gate) || 0,
      }),
    );
    if (given) location.hash = `#/jobs/${part(given.job)}`;
  }
}

function installed(job) {
  const all = Object.entries(job.installed);
  return all.length === 0 ? '–' : all.map(([version, sites]) => t('versionOn', {version, n: sites})).join(', ');
}
