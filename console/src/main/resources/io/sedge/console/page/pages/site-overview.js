// A site: what is wrong, its devices, and who runs what.
import {html, nothing} from 'lit-html';
import {get, part, post} from '../api.js';
import {bytes, duration, percent, short} from '../format.js';
import {t} from '../i18n.js';
import {ask, Attempt, badge, panel, tile, waiting} from './shared.js';

/** From here on a result is late. */
const LATE_SECONDS = 10;

export default class SiteOverview {
  #app;
  #why;
  #attempt;

  constructor(app) {
    this.#app = app;
    this.#attempt = new Attempt(app);
  }

  title = () => t('site');

  subtitle = () => {
    const status = this.#app.state.status;
    return status ? t('seenFrom', {device: status.device}) : '';
  };

  view() {
    const {status} = this.#app.state;
    if (!status) return waiting();
    return html`${this.#tiles(status)}
      ${this.#attempt.banner()}
      ${this.#troubles(status)}${this.#devices(status)}${this.#shards(status)}${this.#dialog()}`;
  }

  #tiles(status) {
    const up = status.devices.filter((device) => device.alive).length;
    const running = status.jobs.filter((job) => job.state === 'running');
    const rate = running.reduce((sum, job) => sum + Math.max(0, job.readingsPerSecond), 0);
    const lag = Math.max(-1, ...running.map((job) => job.lagSeconds));
    return html`<div class="tiles">
      ${tile(t('devicesUp'), `${up} / ${status.devices.length}`, status.leader ? t('leads', {device: status.leader}) : t('noLeader'), up < status.devices.length ? 'bad' : '')}
      ${tile(t('jobs'), running.length, t('jobsInAll', {n: status.jobs.length}))}
      ${tile(t('readings'), t('perSecond', {n: short(rate)}))}
      ${tile(t('lag'), lag < 0 ? '–' : duration(lag * 1000), t('lagNote'), lag > LATE_SECONDS ? 'warn' : '')}
      ${tile(t('fullest'), percent(status.makespan), t('fullestNote'), status.makespan > 0.9 ? 'warn' : '')}
      ${tile(t('ledger'), bytes(status.ledger.stateBytes), t('ledgerNote', {outbox: bytes(status.ledger.outboxBytes), max: bytes(status.ledger.maxOutboxBytes)}))}
    </div>`;
  }

  #troubles(status) {
    const troubles = [
      ...status.devices.filter((device) => !device.alive).map((device) => [device.name, device.stopped ? t('deviceStopped') : t('deviceSilent', {d: duration(device.silentMillis)}), 'bad']),
      ...status.jobs.filter((job) => job.state === 'failed').map((job) => [job.name, job.detail || t('state-failed'), 'bad']),
      ...status.jobs.filter((job) => job.state === 'running' && job.detail).map((job) => [job.name, job.detail, 'warn']),
      ...status.tasks.filter((task) => task.remark).map((task) => [`${task.job} ${task.shard}`, task.remark, 'warn']),
    ];
    if (troubles.length === 0) return nothing;
    return panel(
      t('troubles'),
      html`<table class="plain"><tbody>${troubles.slice(0, 50).map(([who, what, tone]) => html`<tr><td>${badge(who, tone)}</td><td>${what}</td></tr>`)}</tbody></table>`,
    );
  }

  #devices(status) {
    const mayDrain = this.#app.may('operator');
    return panel(
      t('devices'),
      html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t('devices')}><table class="plain"><thead><tr>
        <th>${t('device')}</th><th>${t('state')}</th><th>${t('busy')}</th><th class="num">${t('shards')}</th><th class="num">${t('memory')}</th><th class="num">${t('flash')}</th><th>${t('labels')}</th>${mayDrain ? html`<th><span class="hidden-text">${t('actions')}</span></th>` : nothing}
      </tr></thead><tbody>${status.devices.map((device) => html`<tr>
        <td><strong>${device.name}</strong> ${device.name === status.leader ? badge(t('leader'), 'plain') : nothing}<div class="small quiet mono">${device.address}</div></td>
        <td>${deviceState(device)}</td>
        <td><div class="row"><div class="bar grow" role="img" aria-label=${percent(device.busy)}><span .style=${`width:${Math.min(100, Math.max(0, device.busy) * 100)}%`}></span></div><span class="small">${percent(device.busy)}</span></div>
          <div class="small quiet">${t('ofSpeed', {load: short(device.load), speed: device.speed > 0 ? short(device.speed) : '–'})}</div></td>
        <td class="num">${device.shards}</td>
        <td class="num">${bytes(device.use?.residentBytes)}</td>
        <td class="num">${device.use?.writtenBytesPerSecond >= 0 ? t('perSecond', {n: bytes(device.use.writtenBytesPerSecond)}) : '–'}</td>
        <td class="small">${Object.entries(device.labels ?? {}).map(([key, value]) => html`${key}=${value} `)}</td>
        ${mayDrain ? html`<td class="num">${this.#drain(device)}</td>` : nothing}
      </tr>`)}</tbody></table></div>`,
    );
  }

  #drain(device) {
    return device.state === 'draining'
      ? html`<button class="button small" @click=${() => this.#change(`/devices/${part(device.name)}/undrain`)}>${t('useAgain')}</button>`
      : html`<button class="button small" @click=${() => this.#change(`/devices/${part(device.name)}/drain`, t('drainAsk', {device: device.name}), t('drain'))}>${t('drain')}</button>`;
  }

  async #change(path, question, action) {
    if (question && !(await ask(question, action))) return;
    await this.#attempt.make(() => post(path));
  }

  #shards(status) {
    if (status.tasks.length === 0) return panel(t('whoRunsWhat'), html`<div class="empty"><strong>${t('noJobs')}</strong>${t('noJobsHint')}</div>`);
    const names = [...status.devices.map((device) => device.name), ''];
    return panel(
      t('whoRunsWhat'),
      html`<table class="plain"><tbody>${names
        .map((name) => [name, status.tasks.filter((task) => task.device === name)])
        .filter(([name, tasks]) => name || tasks.length > 0)
        .map(([name, tasks]) => html`<tr><td><strong>${name || t('nobody')}</strong></td><td><div class="shards">${tasks.map(
          (task) => html`<button type="button" class="shard ${task.lagSeconds > LATE_SECONDS || task.remark ? 'late' : ''}" title=${task.remark || nothing} @click=${() => this.#askWhy(task)}>
            ${task.job === task.shard ? task.job : html`<span class="quiet">${task.job}</span> ${task.shard}`} ${task.readingsPerSecond >= 0 ? html`<span class="quiet">${t('perSecond', {n: short(task.readingsPerSecond)})}</span>` : nothing}</button>`,
        )}</div></td></tr>`)}</tbody></table>`,
      html`<span class="small quiet">${t('whyHint')}</span>`,
    );
  }

  async #askWhy(task) {
    this.#why = {title: `${task.job} ${task.shard}`, text: t('loading'), task};
    this.#app.draw();
    try {
      const {text} = await get(`/why?job=${part(task.job)}&shard=${part(task.shard)}`);
      this.#why = {...this.#why, text};
    } catch (e) {
      this.#why = {...this.#why, text: this.#app.refused(e)};
    }
    this.#app.draw();
  }

  #dialog() {
    if (!this.#why) return nothing;
    const {title, text, task} = this.#why;
    const close = () => {
      this.#why = undefined;
      this.#app.draw();
    };
    return html`<sedge-dialog><dialog aria-label=${title} @close=${close}>
      <div class="pad"><h2>${title}</h2>
        <dl class="facts"><dt>${t('device')}</dt><dd>${task.device || t('nobody')}</dd><dt>${t('lag')}</dt><dd>${task.lagSeconds >= 0 ? duration(task.lagSeconds * 1000) : '–'}</dd>
        <dt>${t('stateSize')}</dt><dd>${bytes(task.stateBytes)}</dd><dt>${t('epoch')}</dt><dd>${task.epoch}</dd></dl>
        <pre class="text">${text}</pre></div>
      <div class="actions"><button class="button" @click=${(event) => event.target.closest('dialog').close()}>${t('close')}</button></div></dialog></sedge-dialog>`;
  }
}

export function deviceState(device) {
  if (device.stopped) return badge(t('stopped'), 'warn');
  if (!device.alive) return badge(t('down'), 'bad');
  if (device.state === 'draining') return badge(t('draining'), 'warn');
  return device.state === 'expelled' ? badge(t('expelled'), 'bad') : badge(t('up'), 'good');
}

/** Opens the dialog in it as one that keeps the keyboard. */
class DialogHolder extends HTMLElement {
  connectedCallback() {
    queueMicrotask(() => {
      const dialog = this.querySelector('dialog');
      if (dialog && !dialog.open) dialog.showModal();
    });
  }
}

customElements.define('sedge-dialog', DialogHolder);
