// Rows that keep coming, as lines over time.

const MAX_SERIES = 500;
const MAX_POINTS = 1800;
const COUNTS = /^(n|count|cnt|rows|total|readings|number|num|samples)$|(_count|_total)$/i;
const MEANS = /^(value|mean|avg|average|reading)$|(_avg|_mean|_value|^avg_|^mean_)/i;

/** What a chart of a table shows unless somebody chooses otherwise: columns by their place. */
export function choice(table) {
  const numbers = places(table, (column) => column.kind === 'number');
  const keys = (table.keys ?? []).map((name) => table.columns.findIndex((column) => column.name === name)).filter((i) => i >= 0);
  const texts = places(table, (column) => column.kind === 'text');
  const by = keys.length > 0 ? keys.filter((i) => table.columns[i].kind !== 'time') : texts.slice(0, 2);
  const values = numbers.filter((i) => !by.includes(i));
  const value =
    values.find((i) => MEANS.test(table.columns[i].name)) ??
    values.find((i) => !COUNTS.test(table.columns[i].name)) ??
    values[0];
  const named = table.columns.findIndex((column) => column.name === table.time);
  const time = named >= 0 ? named : table.columns.findIndex((column) => column.kind === 'time');
  return {time, value, by};
}

export const places = (table, test) =>
  table.columns.map((column, i) => (test(column) ? i : -1)).filter((i) => i >= 0);

/** The latest points of each group of rows; of more groups than it holds the later ones are left out and counted. */
export class SeriesSet {
  /** @param utc whether its times are a wall clock's */
  constructor({time, value, by}, utc) {
    this.utc = utc;
    this.time = time;
    this.value = value;
    this.by = by;
    this.lines = new Map();
    this.left = 0;
    this.version = 0;
  }

  #nameOf(row) {
    return this.by.length === 0 ? '' : this.by.map((i) => String(row[i] ?? 'NULL')).join(' · ');
  }

  /** Forgets a group when the last of its rows has gone from the result. */
  gone(row) {
    const line = this.lines.get(this.#nameOf(row));
    if (line && --line.rows <= 0) {
      this.lines.delete(line.name);
      this.version++;
    }
  }

  add(row, atMillis) {
    const name = this.#nameOf(row);
    let line = this.lines.get(name);
    if (line === undefined) {
      if (this.lines.size >= MAX_SERIES) {
        this.left++;
        return;
      }
      line = {name, times: [], values: [], version: 0, rows: 0, row};
      this.lines.set(name, line);
    }
    const at = this.time < 0 ? atMillis : row[this.time];
    const value = row[this.value];
    line.row = row;
    line.rows++;
    line.last = value;
    if (typeof at !== 'number') return;
    this.#point(line, at, typeof value === 'number' ? value : null);
  }

  #point(line, at, value) {
    const last = line.times.length - 1;
    if (last >= 0 && at <= line.times[last]) {
      // What replaces an earlier row, or came late.
      const place = placeOf(line.times, at);
      if (line.times[place] === at) line.values[place] = value;
      else {
        line.times.splice(place, 0, at);
        line.values.splice(place, 0, value);
      }
    } else {
      line.times.push(at);
      line.values.push(value);
    }
    if (line.times.length > MAX_POINTS * 1.25) {
      line.times.splice(0, line.times.length - MAX_POINTS);
      line.values.splice(0, line.values.length - MAX_POINTS);
    }
    line.version++;
    this.version++;
  }
}

function placeOf(times, at) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Lines as uPlot takes them: all times once, in seconds, and a row of values for each line. */
export function aligned(lines) {
  if (lines.length === 1) {
    return [lines[0].times.map((at) => at / 1000), lines[0].values];
  }
  const all = new Set();
  for (const line of lines) for (const at of line.times) all.add(at);
  const times = [...all].sort((a, b) => a - b);
  const place = new Map(times.map((at, i) => [at, i]));
  const data = [times.map((at) => at / 1000)];
  for (const line of lines) {
    // undefined is a time that the line has not: uPlot draws through it; null is a gap.
    const values = new Array(times.length);
    for (let i = 0; i < line.times.length; i++) values[place.get(line.times[i])] = line.values[i];
    data.push(values);
  }
  return data;
}
