// What a job that runs in this process says of itself, kept as it comes.
import {html, nothing} from 'lit-html';
import {Events, get, part} from '../api.js';
import {isWallClock} from '../format.js';
import {t} from '../i18n.js';
import {SeriesSet, choice} from '../series.js';

const MAX_ROWS = 5000;

/** How many rows the server keeps. */
const KEPT_ROWS = 2000;
const MAX_LOGS = 1000;
const MAX_COUNTERS = 900;

/** A table's latest rows, or, of an updating result, the result as it stands. */
class LiveTable {
  rows = [];
  at = [];
  total = 0;
  skipped = 0;
  #kept = new Map();
  #series;

  constructor(table) {
    this.table = table;
    this.name = table.name;
    this.columns = table.columns;
    this.updating = table.updating;
  }

  begin({rows, atMillis, total}) {
    this.rows = [];
    this.at = [];
    this.#kept.clear();
    this.#series = undefined;
    this.total = 0;
    this.add({rows, atMillis: atMillis ?? rows.map(() => Date.now())});
    this.total = total ?? rows.length;
  }

  add({total, rows, changes, atMillis, skipped}) {
    // Rows that were asked for may come once more with the events.
    const known = total === undefined ? 0 : this.total - (total - rows.length);
    if (known > 0) {
      if (known >= rows.length) return;
      rows = rows.slice(known);
      changes = changes?.slice(known);
    }
    const times = Array.isArray(atMillis) ? atMillis : undefined;
    rows.forEach((row, i) => {
      const change = changes?.[i] ?? '+I';
      const at = times?.[i] ?? atMillis ?? Date.now();
      if (this.updating) this.#change(change, row, at);
      else {
        this.rows.push(row);
        this.at.push(at);
      }
      if (change[0] === '+') this.#series?.add(row, at);
      else this.#series?.gone(row);
    });
    if (this.rows.length > MAX_ROWS * 1.2) this.#trim();
    this.total = total ?? this.total + rows.length;
    this.skipped += skipped ?? 0;
  }

  #trim() {
    this.at.splice(0, this.at.length - MAX_ROWS);
    for (const row of this.rows.splice(0, this.rows.length - MAX_ROWS)) {
      if (this.updating) this.#forget(JSON.stringify(row));
    }
  }

  #forget(key) {
    const same = this.#kept.get(key);
    const gone = same?.pop();
    if (same?.length === 0) this.#kept.delete(key);
    return gone;
  }

  #change(change, row, at) {
    const key = JSON.stringify(row);
    if (change[0] === '+') {
      const same = this.#kept.get(key) ?? [];
      same.push(row);
      this.#kept.set(key, same);
      this.rows.push(row);
      this.at.push(at);
      return;
    }
    const place = this.rows.indexOf(this.#forget(key));
    if (place >= 0) {
      this.rows.splice(place, 1);
      this.at.splice(place, 1);
    }
  }

  /** Lines over time of the columns that were chosen; made from the rows that are kept, then kept up. */
  series(chosen) {
    const wanted = chosen ?? choice(this.table);
    const known = this.#series;
    if (known && known.time === wanted.time && known.value === wanted.value && known.by.join() === wanted.by.join()) return known;
    this.#series = new SeriesSet(wanted, wanted.time >= 0 && isWallClock(this.columns[wanted.time]));
    this.rows.forEach((row, i) => this.#series.add(row, this.at[i]));
    return this.#series;
  }
}

export class RunState {
  job;
  tables = new Map();
  counters = [];
  logs = [];
  ended;
  failure;
  connected = true;
  /** How many alarms there are. */
  alarms;
  #app;
  #events;
  #again;
  /** Rows that came while the page asks for those before them. */
  #early;

  constructor(app) {
    this.#app = app;
    this.#events = new Events(
      '/events',
      {
        counters: (counters) => this.#counted(counters),
        rows: (rows) => this.#came(rows),
        alarms: (counts) => this.#alarmed(counts),
        log: (line) => this.#said(line),
        ended: (end) => this.#end(end),
      },
      (connected) => this.#connection(connected),
    );
  }

  async #connection(connected) {
    const again = connected && !this.connected;
    this.connected = connected;
    if (connected && (again || this.job === undefined)) await this.#load();
    this.#app.draw();
  }

  #came(rows) {
    if (this.#early) this.#early.push(rows);
    else {
      const live = this.tables.get(rows.table);
      live?.add(rows);
      // Of a result that changes all changes are needed.
      if (live?.updating && rows.skipped > 0) this.#load();
    }
    this.#app.drawCalmly();
  }

  async #load() {
    if (this.#early) return;
    this.#early = [];
    try {
      await this.#fetch();
      this.failure = undefined;
    } catch (e) {
      this.failure = this.#app.refused(e);
      this.#again = setTimeout(() => this.#load(), 2000);
    } finally {
      const early = this.#early;
      this.#early = undefined;
      early.forEach((rows) => this.#came(rows));
      this.#app.draw();
    }
  }

  async #fetch() {
    const job = await get('/job');
    const {lines} = await get('/logs?after=0');
    this.alarms = (await get('/alarms')).counts;
    const rows = await Promise.all(job.tables.map((table) => get(`/tables/${part(table.name)}/rows?limit=${KEPT_ROWS}`)));
    this.job = job;
    const latest = lines.at(-1)?.number ?? 0;
    this.logs = [...lines, ...this.logs.filter((line) => line.number > latest)];
    // What is shown to people comes before what is written elsewhere.
    const order = job.tables.map((_, i) => i).sort((a, b) => Number(job.tables[b].query) - Number(job.tables[a].query));
    this.tables = new Map(
      order.map((i) => {
        const table = job.tables[i];
        const live = new LiveTable(table);
        live.begin(rows[i]);
        return [table.name, live];
      }),
    );
  }

  #counted(counters) {
    this.counters.push(counters);
    if (this.counters.length > MAX_COUNTERS) this.counters.shift();
    this.#app.drawCalmly();
  }

  #alarmed(counts) {
    this.alarms = counts;
    this.#app.drawCalmly();
  }

  #said(line) {
    if (this.logs.at(-1)?.number >= line.number) return;
    this.logs.push(line);
    if (this.logs.length > MAX_LOGS) this.logs.shift();
    this.#app.drawCalmly();
  }

  #end(end) {
    this.ended = end;
    this.#events.close();
    this.#app.draw();
  }

  get latest() {
    return this.counters.at(-1);
  }

  /** How much a count has grown a second, over the last seconds. */
  rate(count, seconds = 5) {
    const last = this.counters.at(-1);
    const first = this.counters[Math.max(0, this.counters.length - 1 - seconds)];
    if (!last || !first || last === first) return undefined;
    return Math.max(0, count(last) - count(first)) / ((last.atMillis - first.atMillis) / 1000);
  }

  /** Texts for the plan: what goes through each source and sink. */
  rates(words) {
    const rates = {};
    for (const name of Object.keys(this.latest?.sources ?? {})) rates[name] = words('readingsRate', this.rate((c) => c.sources[name]?.readings ?? 0));
    for (const name of Object.keys(this.latest?.rowsByTable ?? {})) rates[name] ??= words('rowsRate', this.rate((c) => c.rowsByTable[name] ?? 0, 30));
    return rates;
  }

  banner() {
    if (this.ended) {
      return this.ended.failure
        ? html`<div class="banner bad"><strong>${t('jobFailed')}</strong> ${this.ended.failure}</div>`
        : html`<div class="banner info">${t('jobEnded')}</div>`;
    }
    if (!this.connected) return html`<div class="banner">${t('reconnecting')}</div>`;
    if (this.failure) return html`<div class="banner bad">${this.failure}</div>`;
    return this.latest?.waits ? html`<div class="banner">${this.latest.waits}</div>` : nothing;
  }

  close() {
    clearTimeout(this.#again);
    this.#events.close();
  }
}
