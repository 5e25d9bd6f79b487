// A table of results over time: any span, drawn from the rows that the center has summed up.
import '../elements/chart.js';
import {html, nothing} from 'lit-html';
import {getIdly, part, save} from '../api.js';
import {colour} from '../elements/palette.js';
import {duration, number, time} from '../format.js';
import {t} from '../i18n.js';
import {aligned, choice, places} from '../series.js';
import {empty, panel, selector, switcher, waiting} from './shared.js';

const SPANS = [['900', 'span-15m'], ['3600', 'span-1h'], ['21600', 'span-6h'], ['86400', 'span-1d'], ['604800', 'span-7d'], ['2592000', 'span-30d']];
const POINTS = 600;
const MAX_LINES = 200;

/** How long no rows are asked for after an answer: longer where it took long. */
const LEAST_REST = 500;
const MOST_REST = 15_000;
const REST = 19;

export default class CenterData {
  #app;
  #name;
  #span = 3600;
  #zoom;
  #value;
  #by;
  #filter = '';
  #hidden = new Set();
  #report;
  #lines = [];
  #drawn;
  #point;
  #failure = '';
  #left = false;
  #asked = 0;
  #restsUntil = 0;
  #asking = false;
  #timer;
  #version = -1;

  constructor(app) {
    this.#app = app;
    this.#name = app.route.rest[0];
  }

  leave() {
    clearTimeout(this.#timer);
    this.#left = true;
  }

  /** Asks again when rows have come, unless a past span is looked at. */
  #keepUp() {
    if (this.#zoom || this.#app.state.version === this.#version || this.#timer !== undefined || this.#asking || this.#left) return;
    this.#timer = setTimeout(() => this.#ask(), Math.max(0, this.#restsUntil - performance.now()));
  }

  #table() {
    const tables = this.#app.state.tables ?? [];
    const found = tables.find((table) => table.name === this.#name) ?? tables[0];
    return found && described(found);
  }

  #chosen(table) {
    const standard = choice(table);
    const value = this.#value ?? standard.value;
    const by = this.#by ?? standard.by.filter((i) => table.columns[i].kind === 'text');
    return {time: standard.time, value, by};
  }

  async #ask() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#version = this.#app.state.version;
    const table = this.#table();
    const {time: at, value, by} = this.#chosen(table);
    if (at < 0 || value === undefined) return;
    const to = this.#zoom ? this.#zoom[1] : this.#app.state.now();
    const from = this.#zoom ? this.#zoom[0] : to - this.#span * 1000;
    const query = new URLSearchParams({
      time: table.columns[at].name,
      value: table.columns[value].name,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      points: String(POINTS),
    });
    for (const i of by) query.append('by', table.columns[i].name);
    const asked = ++this.#asked;
    this.#asking = true;
    const begin = performance.now();
    try {
      const report = await getIdly(`/tables/${part(table.name)}/series?${query}`);
      if (asked !== this.#asked || this.#left) return;
      this.#report = report;
      this.#failure = '';
      this.#lines = report.lines.slice(0, MAX_LINES).map(lineOf);
      this.#drawn = undefined;
    } catch (e) {
      if (asked !== this.#asked || this.#left) return;
      this.#failure = this.#app.refused(e);
    }
    this.#asking = false;
    const end = performance.now();
    this.#restsUntil = end + Math.min(MOST_REST, Math.max(LEAST_REST, REST * (end - begin)));
    this.#app.draw();
  }

  title = () => t('data');

  view() {
    const {tables} = this.#app.state;
    if (!tables) return waiting();
    const table = this.#table();
    if (!table) return html`<section class="panel">${empty(t('noTables'), t('noSitesHint'))}</section>`;
    this.#keepUp();
    const {time: at, value, by} = this.#chosen(table);
    return html`${panel(
      table.name,
      html`${this.#failure ? html`<div class="banner bad" role="alert">${this.#failure}</div>` : nothing}
        ${at < 0 || value === undefined ? empty(t('notDrawable'), t('notDrawableHint')) : this.#chart()}
        <p class="small quiet pad">${this.#report ? t('bucketNote', {d: duration(this.#report.bucketMillis), n: this.#report.lines.length}) : ''} ${this.#report && (this.#report.complete === false || this.#report.lines.length > MAX_LINES) ? t('seriesLeft', {n: this.#lines.length}) : ''} ${t('zoomNote')}</p>`,
      html`${tables.length > 1 ? selector(t('table'), tables.map((each) => [each.name, each.name]), table.name, (name) => (location.hash = `#/data/${part(name)}`)) : nothing}
        ${value === undefined ? nothing : selector(t('value'), places(table, (column) => column.kind === 'number').map((i) => [i, table.columns[i].name]), value, (next) => this.#set({value: Number(next)}))}
        ${this.#zoom ? html`<button class="button" @click=${() => document.querySelector('sedge-chart')?.showAll()}>${t('showAll')}</button>` : switcher(t('span'), SPANS.map(([seconds, key]) => [Number(seconds), t(key)]), this.#span, (span) => this.#set({span}))}
        <button class="button" @click=${() => this.#save(table)}>CSV</button>`,
    )}
    ${panel(t('lines'), html`<div class="pad row" role="group" aria-label=${t('groupBy')}>${places(table, (column) => column.kind === 'text').map(
      (i) => html`<label class="inline"><input type="checkbox" .checked=${by.includes(i)} @change=${() => this.#set({by: by.includes(i) ? by.filter((each) => each !== i) : [...by, i]})}>${table.columns[i].name}</label>`,
    )}</div>`, html`<span class="small quiet">${t('groupBy')}</span>`)}`;
  }

  #set({value, by, span, zoom}) {
    this.#value = value ?? this.#value;
    this.#by = by ?? this.#by;
    this.#span = span ?? this.#span;
    if (zoom !== undefined) this.#zoom = zoom ?? undefined;
    this.#ask();
    this.#app.draw();
  }

  #chart() {
    if (!this.#report) return waiting();
    const wanted = this.#filter.toLowerCase();
    const shown = this.#lines.filter((line) => !this.#hidden.has(line.name) && line.name.toLowerCase().includes(wanted));
    const legend = this.#lines.filter((line) => line.name.toLowerCase().includes(wanted));
    if (this.#lines.length === 0) return empty(t('noRows'), t('noRowsInSpan'));
    this.#drawn ??= drawing(shown);
    return html`<sedge-chart .lines=${this.#drawn} .onZoom=${(from, to) => this.#set({zoom: from === undefined ? null : [from, to]})} @point=${(event) => {
        this.#point = event.detail;
        this.#app.draw();
      }}></sedge-chart>
      ${this.#lines.length > 12 ? html`<div class="pad"><input type="search" placeholder=${t('filter')} aria-label=${t('filter')} .value=${this.#filter} @input=${(event) => {
        this.#filter = event.target.value;
        this.#drawn = undefined;
        this.#app.draw();
      }}></div>` : nothing}
      <div class="legend">${this.#point ? html`<span class="quiet">${time(this.#point.at)}</span>` : nothing}${legend.map((line) => {
        const i = shown.indexOf(line);
        return html`<button type="button" class=${i < 0 ? 'off' : ''} aria-pressed=${i >= 0} @click=${() => this.#toggle(line.name)}><i .style=${`background:${i < 0 ? 'transparent' : colour(i)}`}></i>${line.name || t('all')}
          <strong>${i < 0 ? '' : number(this.#point ? this.#point.values[i] : lastOf(line.values))}</strong></button>`;
      })}</div>`;
  }

  #toggle(name) {
    if (!this.#hidden.delete(name)) this.#hidden.add(name);
    this.#drawn = undefined;
    this.#app.draw();
  }

  async #save(table) {
    try {
      await save(`${table.name}.csv`, 'POST', '/query', {sql: `SELECT * FROM "${table.name.replaceAll('"', '""')}"`, limit: 1_000_000});
    } catch (e) {
      this.#failure = this.#app.refused(e);
      this.#app.draw();
    }
  }
}

const lastOf = (values) => values.findLast((value) => typeof value === 'number');

/** Where rows are missing for three times as long as they usually are apart the line has a gap. */
function lineOf(line) {
  const apart = line.points.slice(1).map((point, i) => point.atMillis - line.points[i].atMillis).sort((a, b) => a - b);
  const longest = 3 * (apart[apart.length >> 1] ?? Infinity);
  const times = [];
  const values = [];
  const least = [];
  const most = [];
  for (const point of line.points) {
    const before = times.at(-1);
    if (before !== undefined && point.atMillis - before > longest) {
      times.push(before + longest / 3);
      for (const each of [values, least, most]) each.push(null);
    }
    times.push(point.atMillis);
    values.push(plain(point.average));
    least.push(plain(point.min));
    most.push(plain(point.max));
  }
  return {name: line.group.map((value) => value ?? 'NULL').join(' · '), times, values, least, most};
}

const plain = (value) => (typeof value === 'number' ? value : null);

/** One line has its least and most as a band behind it. */
function drawing(lines) {
  if (lines.length !== 1) return {names: lines.map((line) => line.name || t('all')), data: lines.length === 0 ? [[]] : aligned(lines)};
  const [line] = lines;
  return {
    names: [line.name || t('all'), t('most'), t('least')],
    data: [line.times.map((at) => at / 1000), line.values, line.most, line.least],
    bands: true,
  };
}

/** A table with its columns as charts want them. */
export function described(table) {
  return {
    ...table,
    columns: table.columns.map((column) => ({...column, kind: kindOf(column)})),
    keys: (table.primaryKey ?? []).filter((name) => !name.startsWith('_') || name === '_site'),
  };
}

function kindOf(column) {
  const type = (column.type || column.sqlType).toUpperCase();
  if (/TIMESTAMP|DATE|^TIME/.test(type)) return 'time';
  if (/INT|DOUBLE|FLOAT|REAL|DECIMAL|NUMERIC/.test(type)) return column.name.startsWith('_') ? 'other' : 'number';
  if (/CHAR|STRING|TEXT/.test(type)) return column.name.startsWith('_') && column.name !== '_site' ? 'other' : 'text';
  return /BOOL/.test(type) ? 'boolean' : 'other';
}
