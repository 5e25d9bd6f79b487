// The jobs of a site; one of them; a new one.
import {html, nothing} from 'lit-html';
import {get, part, post, put} from '../api.js';
import {graphView} from '../elements/graph.js';
import {duration, percent, short} from '../format.js';
import {t} from '../i18n.js';
import {Checker} from './checker.js';
import {LeftOut} from './left-out.js';
import {ask, Attempt, badge, empty, panel, switcher, tile, waiting} from './shared.js';

/** How often the devices are asked what was left out, while somebody looks. */
const LOOK = 5000;
const TONES = {running: 'good', paused: 'warn', failed: 'bad', stopped: '', finished: ''};
const START = `CREATE TABLE readings (
  machine STRING, quantity STRING, ts BIGINT, \`value\` DOUBLE,
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '2' SECOND
) WITH (
  'connector' = 'mqtt', 'url' = 'mqtt://localhost:1883',
  'topic' = 'plant/process/{machine}/{quantity}', 'format' = 'json'
);
`;

export default class SiteJobs {
  #app;
  #name;
  #job;
  #attempt;
  /** Why the job cannot be shown as it is now. */
  #away = '';
  #mode = 'plan';
  #checker;
  #replacement;
  #seen;
  #leftOut;

  constructor(app) {
    this.#app = app;
    this.#attempt = new Attempt(app);
    this.#name = app.route.rest[0];
    if (this.#name === 'new') this.#edit(START);
    else if (this.#name) this.#open(app.route.rest[1]);
  }

  #open(what) {
    this.#leftOut = new LeftOut(this.#app, `/jobs/${part(this.#name)}/left-out`, LOOK);
    if (what === 'left-out') this.#choose('leftOut');
    this.#load();
  }

  leave() {
    this.#leftOut?.rest();
  }

  title = () => (this.#name === 'new' ? t('newJob') : (this.#name ?? t('jobs')));

  subtitle = () => '';

  actions = () =>
    !this.#name && this.#app.may('engineer')
      ? html`<a class="button main-action" href="#/jobs/new">${t('newJob')}</a>`
      : this.#name
        ? html`<a class="button" href="#/jobs">${t('allJobs')}</a>`
        : nothing;

  async #load() {
    try {
      this.#job = await get(`/jobs/${part(this.#name)}`);
      this.#away = '';
    } catch (e) {
      this.#away = this.#app.refused(e);
    }
    this.#app.draw();
  }

  view() {
    const {status} = this.#app.state;
    if (!status) return waiting();
    const failure = html`${this.#attempt.banner()}${this.#away ? waiting(this.#away) : nothing}`;
    if (this.#name === 'new') return html`${failure}${this.#new()}`;
    if (this.#name) return html`${failure}${this.#one(status.jobs.find((job) => job.name === this.#name))}`;
    return html`${failure}${this.#list(status.jobs)}`;
  }

  #list(jobs) {
    if (jobs.length === 0) return html`<section class="panel">${empty(t('noJobs'), t('noJobsHint'))}</section>`;
    return panel(
      t('jobs'),
      html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t('jobs')}><table class="plain"><thead><tr><th>${t('job')}</th><th>${t('state')}</th><th class="num">${t('tasks')}</th><th class="num">${t('readings')}</th><th class="num">${t('lag')}</th><th class="num">${t('rowsGiven')}</th><th class="num">${t('rowsWaiting')}</th></tr></thead>
      <tbody>${jobs.map((job) => html`<tr><td><a href=${`#/jobs/${part(job.name)}`}><strong>${job.name}</strong></a>${job.detail ? html`<div class="small quiet">${job.detail}</div>` : nothing}</td>
        <td>${badge(t(`state-${job.state}`), TONES[job.state] ?? '')}${job.input?.parts > 0 ? html` <span class="small">${percent(job.input.partsDone / job.input.parts)}</span>` : nothing}</td>
        <td class="num">${job.runningTasks} / ${job.tasks}</td>
        <td class="num">${job.readingsPerSecond < 0 ? '–' : t('perSecond', {n: short(job.readingsPerSecond)})}</td>
        <td class="num">${job.lagSeconds < 0 ? '–' : duration(job.lagSeconds * 1000)}</td><td class="num">${short(job.rows)}</td><td class="num">${short(job.waitingRows)}</td></tr>`)}</tbody></table></div>`,
    );
  }

  #one(status) {
    this.#keepUp(status);
    if (!this.#job) return this.#away ? nothing : waiting();
    return html`${status ? this.#tiles(status) : nothing}
      <div class="row spread">${switcher(t('view'), [['plan', t('plan')], ['parts', t('parts')], ['script', t('script')], ['leftOut', t('leftOut')], ...(this.#app.may('engineer') ? [['change', t('change')]] : [])], this.#mode, (mode) => this.#choose(mode))}
        <div class="row"><a href=${`#/logs/${part(this.#name)}`}>${t('logs')}</a>${status && this.#app.may('operator') ? this.#buttons(status) : nothing}</div></div>
      ${this.#mode === 'plan' ? panel(t('plan'), this.#job.graph ? graphView(this.#job.graph) : html`<pre class="script">${this.#job.text}</pre>`) : nothing}
      ${this.#mode === 'script' ? panel(t('script'), this.#job.script === undefined ? empty(t('scriptHidden'), t('linkNote')) : html`<pre class="script" tabindex="0">${this.#job.script}</pre>`) : nothing}
      ${this.#mode === 'parts' ? this.#parts() : nothing}
      ${this.#mode === 'leftOut' ? this.#leftOut.view(html`<p class="pad small quiet">${t('leftOutSince')}</p>`) : nothing}
      ${this.#mode === 'change' ? this.#change() : nothing}`;
  }

  /** The parts are asked for anew when the job is another, or runs elsewhere. */
  #keepUp(status) {
    const tasks = this.#app.state.status.tasks.filter((task) => task.job === this.#name);
    const now = JSON.stringify([status?.state, status?.version, tasks.map((task) => [task.shard, task.device])]);
    if (now === this.#seen) return;
    const first = this.#seen === undefined;
    this.#seen = now;
    if (first) return;
    this.#load();
    if (this.#mode === 'leftOut') this.#leftOut.look();
  }

  #tiles(status) {
    return html`<div class="tiles">${tile(t('state'), t(`state-${status.state}`), status.detail, status.state === 'failed' ? 'bad' : '')}
      ${tile(t('readings'), status.readingsPerSecond < 0 ? '–' : t('perSecond', {n: short(status.readingsPerSecond)}))}
      ${tile(t('lag'), status.lagSeconds < 0 ? '–' : duration(status.lagSeconds * 1000), t('lagNote'))}
      ${tile(t('tasks'), `${status.runningTasks} / ${status.tasks}`)}
      ${tile(t('rowsGiven'), short(status.rows), t('rowsWaitingNote', {n: short(status.waitingRows)}))}</div>`;
  }

  #buttons(status) {
    const button = (action, text, question) =>
      html`<button class="button ${action === 'stop' ? 'danger' : ''}" @click=${() => this.#act(action, question, text)}>${text}</button>`;
    return html`${status.state === 'running' ? button('pause', t('pause')) : nothing}
      ${status.state === 'paused' ? button('resume', t('resume')) : nothing}
      ${['running', 'paused'].includes(status.state) && this.#app.may('engineer') ? button('stop', t('stop'), t('stopAsk', {job: this.#name})) : nothing}`;
  }

  async #act(action, question, text) {
    if (question && !(await ask(question, text))) return;
    await this.#attempt.make(() => post(`/jobs/${part(this.#name)}/${action}`));
  }

  #parts() {
    return this.#job.parts.map((each) => panel(
      html`${each.shard} <span class="quiet">${each.device || t('nobody')}</span>`,
      html`<div class="two pad"><pre class="text">${each.plan}</pre><pre class="text quiet">${each.why}</pre></div>`,
    ));
  }

  #choose(mode) {
    this.#mode = mode;
    if (mode === 'leftOut') this.#leftOut.look();
    else this.#leftOut.rest();
    if (mode === 'change' && !this.#checker) this.#edit(this.#job.script);
    this.#app.draw();
  }

  #edit(script) {
    this.#checker = new Checker(this.#app, script);
    this.#checker.check();
  }

  #new() {
    if (!this.#app.may('engineer')) return html`<div class="banner">${t('needsRole', {role: t('role-engineer')})}</div>`;
    return html`${panel(
      t('script'),
      html`<div class="pad"><label class="field">${t('jobName')}<input type="text" id="job-name" maxlength="63" autocapitalize="none" required></label></div>${this.#checker.view()}`,
      html`${this.#checker.state()}<button class="button main-action" ?disabled=${!this.#checker.accepted} @click=${() => this.#submit()}>${t('submit')}</button>`,
    )}${this.#checker.report?.graph ? panel(t('plan'), this.#checker.plan()) : nothing}`;
  }

  async #submit() {
    const name = document.getElementById('job-name').value.trim();
    if (await this.#attempt.make(() => post('/jobs', {name, script: this.#checker.script}))) location.hash = `#/jobs/${part(name)}`;
  }

  #change() {
    return html`${panel(
      t('change'),
      this.#checker.view(),
      html`${this.#checker.state()}<button class="button" ?disabled=${!this.#checker.accepted} @click=${() => this.#ask()}>${t('whatHappens')}</button>`,
    )}${this.#replacement ? this.#fates() : nothing}`;
  }

  async #ask() {
    const script = this.#checker.script;
    const shown = await this.#attempt.make(() => post(`/jobs/${part(this.#name)}/replacement`, {script}));
    this.#replacement = shown ? {script, shown} : undefined;
    this.#app.draw();
  }

  #fates() {
    const {script, shown} = this.#replacement;
    const {changes, parts} = shown;
    if (!changes) return html`<div class="banner info">${t('nothingChanges')}</div>`;
    const tone = {kept: 'good', begins_anew: 'warn', dropped: 'bad'};
    return panel(
      t('whatHappens'),
      html`<table class="plain"><tbody>${parts.map((each) => html`<tr><td>${badge(t(`fate-${each.fate}`), tone[each.fate])}</td><td>${each.what}<div class="small quiet">${each.task}</div></td><td>${each.why}</td></tr>`)}</tbody></table>`,
      html`<button class="button main-action" ?disabled=${script !== this.#checker.script} @click=${() => this.#replace(script)}>${t('replace')}</button>`,
    );
  }

  async #replace(script) {
    const {shown} = this.#replacement;
    this.#replacement = undefined;
    if (!(await this.#attempt.make(() => put(`/jobs/${part(this.#name)}`, {script, shown})))) return;
    this.#checker = undefined;
    this.#mode = 'plan';
    await this.#load();
  }
}
