// Values as people read them.
import {language, t} from './i18n.js';

const formats = new Map();

function cached(key, make) {
  const name = language() + key;
  if (!formats.has(name)) formats.set(name, make());
  return formats.get(name);
}

const locale = () => (language() === 'zh' ? 'zh-CN' : 'en-GB');

/** A number: four significant digits, or all digits before the point if there are more. */
export function number(value) {
  if (value === null || value === undefined) return '–';
  if (typeof value !== 'number') return String(value);
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e21) return cached('i', () => new Intl.NumberFormat(locale())).format(value);
  if (size < 1e-4 || size >= 1e15) return value.toExponential(3);
  if (size >= 1000) return cached('i', () => new Intl.NumberFormat(locale())).format(Math.round(value));
  return cached('n', () => new Intl.NumberFormat(locale(), {maximumSignificantDigits: 4})).format(value);
}

/** A large number, short: 12.4 k. */
export function short(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (Math.abs(value) < 10_000) return number(Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10);
  return cached('c', () => new Intl.NumberFormat(language() === 'zh' ? 'zh-CN' : 'en-US', {notation: 'compact', maximumFractionDigits: 1})).format(value);
}

export function bytes(value) {
  if (value === null || value === undefined || value < 0) return '–';
  let rest = value;
  for (const unit of ['B', 'kB', 'MB', 'GB']) {
    if (rest < 1000) return `${rest < 10 && unit !== 'B' ? rest.toFixed(1) : Math.round(rest)} ${unit}`;
    rest /= 1000;
  }
  return `${rest.toFixed(1)} TB`;
}

const BYTES = /^(by|bytes?|b)(\/s)?$/i;

/** A value with its unit, as the UCUM code or the name that a job gives it: `[text, unit]`. */
export function measured(value, unit) {
  const known = typeof unit === 'string' ? unit.trim() : '';
  const size = BYTES.exec(known);
  if (size && typeof value === 'number' && value >= 0) {
    const [digits, prefixed] = bytes(value).split(' ');
    return [digits, prefixed + (size[2] ?? '')];
  }
  return [number(value), known === 'Cel' ? '°C' : known === '1' ? '' : known];
}

export const percent = (fraction) =>
  Number.isFinite(fraction) ? `${(fraction * 100).toFixed(fraction < 0.1 ? 1 : 0)} %` : '–';

/** Whether times of a column are a wall clock's, which mean the same everywhere: not an instant. */
export const isWallClock = (column) => column?.type !== undefined && !/LTZ|LOCAL TIME ZONE/i.test(column.type);

const dateFormat = (kind, style, utc) =>
  cached(kind + utc, () => new Intl.DateTimeFormat(locale(), {...style, timeZone: utc ? 'UTC' : undefined}));

/** A time of the day, or with its date if it is of another day. */
export function time(millis, utc = false) {
  if (millis === null || millis === undefined) return '–';
  const date = new Date(millis);
  if (Number.isNaN(date.getTime())) return String(millis);
  const clock = dateFormat('t', {timeStyle: 'medium'}, utc).format(date);
  return day(millis, utc) === day(Date.now(), utc) ? clock : `${day(millis, utc)} ${clock}`;
}

export const day = (millis, utc = false) => dateFormat('d', {dateStyle: 'medium'}, utc).format(new Date(millis));

export const dateTime = (millis) =>
  millis === null || millis === undefined ? '–' : `${day(millis)} ${dateFormat('t', {timeStyle: 'medium'}, false).format(new Date(millis))}`;

/** How long something took or is ago. */
export function duration(millis) {
  if (millis === null || millis === undefined || !Number.isFinite(millis)) return '–';
  if (millis < 1000) return t('millis', {n: Math.max(0, Math.round(millis))});
  const seconds = millis / 1000;
  if (seconds < 60) return t('seconds', {n: seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)});
  if (seconds < 3600) return t('minutes', {n: Math.floor(seconds / 60), s: Math.floor(seconds % 60)});
  if (seconds < 86_400) return t('hours', {n: Math.floor(seconds / 3600), m: Math.floor((seconds % 3600) / 60)});
  return t('days', {n: Math.floor(seconds / 86_400), h: Math.floor((seconds % 86_400) / 3600)});
}

export function ago(millis, now = Date.now()) {
  if (millis === undefined || millis === null) return t('never');
  const since = now - millis;
  return since < 3000 ? t('now') : t('ago', {d: duration(since)});
}

/** A value of a row as its column means it. */
export function cell(value, column) {
  if (value === null || value === undefined) return 'NULL';
  if (column.kind === 'time' && typeof value === 'number') return moment(value, column);
  if (column.kind === 'number') return number(value);
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

function moment(millis, column) {
  const utc = isWallClock(column);
  if (/^DATE/i.test(column.type ?? '')) return day(millis, true);
  const rest = Math.round(millis) % 1000;
  return rest === 0 ? time(millis, utc) : `${time(millis, utc)}.${String(Math.abs(rest)).padStart(3, '0')}`;
}
