// All sites at a glance: what is wrong first.
import {html} from 'lit-html';
import {part} from '../api.js';
import {ago, bytes, short} from '../format.js';
import {t} from '../i18n.js';
import {badge, empty, panel, tile, waiting} from './shared.js';

/** A site that has said nothing for so long is worth a look. */
export const SILENT_MILLIS = 120_000;

export default class CenterOverview {
  #app;

  constructor(app) {
    this.#app = app;
  }

  view() {
    const {sites, tables, center, alarms} = this.#app.state;
    if (!sites || !tables) return waiting();
    const now = this.#app.state.now();
    const wrong = sites.filter((site) => siteTone(site, now) !== 'good');
    return html`<div class="tiles">
        ${tile(t('sites'), sites.length, wrong.length === 0 ? t('allReport') : t('sitesWrong', {n: wrong.length}), wrong.some((site) => siteTone(site, now) === 'bad') ? 'bad' : wrong.length > 0 ? 'warn' : '')}
        ${tile(t('alarmsAttention'), short(alarms?.attention ?? 0), t('alarmsActiveNow', {n: short(alarms?.active ?? 0)}), alarms?.attention > 0 ? 'bad' : '')}
        ${tile(t('tables'), tables.length)}
        ${tile(t('rows'), short(tables.reduce((sum, table) => sum + table.rows, 0)), t('rowsComing', {n: short(this.#app.state.rate() ?? 0)}))}
        ${tile(t('database'), center ? bytes(center.database.bytes) : '–', center?.database.name ?? '', center && !center.database.available ? 'bad' : '')}
      </div>
      ${sites.length === 0 ? html`<section class="panel">${empty(t('noSites'), t('noSitesHint'))}</section>` : siteTable(sites, now)}
      ${tables.length === 0 ? '' : this.#tables(tables)}`;
  }

  #tables(tables) {
    return panel(
      t('tables'),
      html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t('tables')}><table class="plain"><thead><tr><th>${t('table')}</th><th class="num">${t('rows')}</th><th class="num">${t('size')}</th><th>${t('sites')}</th></tr></thead><tbody>${tables.map(
        (table) => html`<tr><td><a href=${`#/data/${part(table.name)}`}><strong>${table.name}</strong></a></td><td class="num">${short(table.rows)}</td><td class="num">${bytes(table.bytes)}</td><td class="small">${table.sites.join(', ')}</td></tr>`,
      )}</tbody></table></div>`,
    );
  }
}

export function siteTone(site, now) {
  if (site.state === 'revoked' || site.held) return 'bad';
  return site.seenAtMillis === undefined || now - site.seenAtMillis > SILENT_MILLIS ? 'warn' : 'good';
}

export const siteBadge = (site, now) =>
  site.held ? badge(t('held'), 'bad') : site.state === 'revoked' ? badge(t('revoked'), 'bad') : siteTone(site, now) === 'good' ? badge(t('reports'), 'good') : badge(t('silent'), 'warn');

/** Sites, those first with which something is wrong. */
export function siteTable(sites, now) {
  const weight = {bad: 0, warn: 1, good: 2};
  const sorted = sites.toSorted((a, b) => weight[siteTone(a, now)] - weight[siteTone(b, now)] || a.name.localeCompare(b.name));
  return panel(
    t('sites'),
    html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t('sites')}><table class="plain"><thead><tr><th>${t('site')}</th><th>${t('state')}</th><th>${t('lastSeen')}</th><th class="num">${t('devicesUp')}</th><th>${t('version')}</th><th class="num">${t('diskFree')}</th><th>${t('labels')}</th></tr></thead><tbody>${sorted.map(
      (site) => html`<tr><td><a href=${`#/sites/${part(site.name)}`}><strong>${site.name}</strong></a></td><td>${siteBadge(site, now)}${site.held ? html`<div class="small">${site.held}</div>` : ''}</td><td>${ago(site.seenAtMillis, now)}</td>
      <td class="num">${site.inventory ? `${site.inventory.devicesUp} / ${site.inventory.devices}` : '–'}</td><td>${site.inventory?.versions.join(', ') || '–'}</td><td class="num">${(site.inventory?.diskFreeBytes ?? -1) < 0 ? '–' : bytes(site.inventory.diskFreeBytes)}</td>
      <td class="small">${Object.entries(site.labels ?? {}).map(([key, value]) => `${key}=${value}`).join(' ')}</td></tr>`,
    )}</tbody></table></div>`,
  );
}
