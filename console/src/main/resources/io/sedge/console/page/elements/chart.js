// <sedge-chart>: lines over time, which one may zoom into by dragging; a double click shows all again.
import uPlot from 'uplot';
import {short, time} from '../format.js';
import {t} from '../i18n.js';
import {colour, token} from './palette.js';

// Its sheet goes before the page's own, which changes some of it.
const sheet = document.createElement('link');
sheet.rel = 'stylesheet';
sheet.href = import.meta.resolve('uplot/dist/uPlot.min.css');
document.head.prepend(sheet);

/** No more often than so are lines drawn again, and more seldom where drawing takes long. */
const LEAST_INTERVAL = 100;
const SHARE = 0.15;

class Chart extends HTMLElement {
  #plot;
  #shape = '';
  #data;
  #lines = [];
  #observer;
  #timer;
  #took = 0;
  #drawnAt = 0;
  #zoomed = false;

  /** Called with `(fromMillis, toMillis)` when somebody has zoomed, and with nothing when all is shown again. */
  onZoom;

  /** Whether a zoom is kept while new points come; else a chart is drawn over what it is given. */
  set lines({names, data, bands, utc}) {
    this.#lines = names;
    this.#data = data;
    this.bands = bands;
    this.utc = utc;
    this.#later();
  }

  /** Shows all again. */
  showAll() {
    this.#all();
  }

  connectedCallback() {
    this.classList.add('chart');
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(this);
    window.addEventListener('sedge-theme', this.#again);
    this.#later();
  }

  disconnectedCallback() {
    this.#observer.disconnect();
    window.removeEventListener('sedge-theme', this.#again);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#plot?.destroy();
    this.#plot = undefined;
  }

  #again = () => {
    this.#shape = '';
    this.#later();
  };

  #later() {
    if (this.#timer !== undefined || !this.isConnected) return;
    const interval = Math.max(LEAST_INTERVAL, this.#took / SHARE);
    const wait = Math.max(0, this.#drawnAt + interval - performance.now());
    this.#timer = setTimeout(() => requestAnimationFrame(() => this.#draw()), wait);
  }

  #draw() {
    this.#timer = undefined;
    if (!this.#data || !this.isConnected || this.clientWidth === 0) return;
    const begin = performance.now();
    const shape = JSON.stringify([this.#lines, this.bands, this.utc]);
    if (shape !== this.#shape) {
      this.#plot?.destroy();
      this.#zoomed = false;
      this.#plot = new uPlot(this.#options(), this.#data, this);
      this.#shape = shape;
    } else {
      this.#plot.setData(this.#data, !this.#zoomed);
      if (this.#zoomed) this.#plot.redraw();
    }
    this.#describe();
    this.#drawnAt = performance.now();
    this.#took = this.#drawnAt - begin;
  }

  #describe() {
    const times = this.#data[0];
    this.setAttribute('role', 'img');
    this.setAttribute(
      'aria-label',
      times.length === 0
        ? t('chartEmpty')
        : t('chartOf', {
            lines: this.#lines.slice(0, 5).join(', '),
            n: this.#lines.length,
            from: time(times[0] * 1000, this.utc),
            to: time(times.at(-1) * 1000, this.utc),
          }),
    );
  }

  #resize() {
    if (this.#plot && this.clientWidth > 0) this.#plot.setSize({width: this.clientWidth, height: this.#height()});
    else this.#later();
  }

  #height() {
    return this.clientWidth < 520 ? 220 : 320;
  }

  #options() {
    const axis = {stroke: token('--ink-3'), grid: {stroke: token('--line'), width: 1}, ticks: {stroke: token('--line'), width: 1}};
    const banded = this.bands?.length > 0;
    const series = this.#lines.map((name, i) => {
      const edge = banded && i > 0;
      return {
        label: name,
        stroke: edge ? 'transparent' : colour(i),
        width: edge ? 0 : 1.6,
        points: edge ? {show: false} : {size: 5, filter: alone},
        spanGaps: false,
      };
    });
    return {
      scales: {x: {range: around}},
      width: this.clientWidth,
      height: this.#height(),
      legend: {show: false},
      cursor: {drag: {x: true, y: false, setScale: true}, focus: {prox: 24}},
      focus: {alpha: this.#lines.length > 1 && !banded ? 0.3 : 1},
      series: [{}, ...series],
      bands: banded ? [{series: [2, 3], fill: `${colour(0)}33`}] : undefined,
      axes: [
        {...axis, values: (_, splits) => clock(splits, this.utc)},
        {...axis, size: 62, values: (_, splits) => ticks(splits)},
      ],
      hooks: {
        setSelect: [(plot) => this.#zoom(plot)],
        setCursor: [(plot) => this.#point(plot)],
        init: [(plot) => plot.over.addEventListener('dblclick', () => this.#all())],
      },
    };
  }

  #zoom(plot) {
    if (plot.select.width < 4) return;
    this.#zoomed = true;
    this.onZoom?.(plot.posToVal(plot.select.left, 'x') * 1000, plot.posToVal(plot.select.left + plot.select.width, 'x') * 1000);
  }

  #all() {
    this.#zoomed = false;
    this.onZoom?.();
    this.#later();
  }

  #point(plot) {
    const i = plot.cursor.idx;
    this.dispatchEvent(
      new CustomEvent('point', {
        detail: i === null || i === undefined ? undefined : {at: plot.data[0][i] * 1000, values: plot.data.slice(1).map((values) => values[i])},
      }),
    );
  }
}

/** A single time stands in a minute; uPlot gives it years. */
function around(plot, least, most) {
  const times = plot.data[0];
  return times.length === 1 ? [times[0] - 30, times[0] + 30] : [least, most];
}

/** Points that no line leads to: those beside a gap on both sides. */
function alone(plot, i) {
  const values = plot.data[i];
  const shown = [];
  for (let at = 0; at < values.length; at++) {
    if (typeof values[at] === 'number' && typeof beside(values, at, -1) !== 'number' && typeof beside(values, at, 1) !== 'number') shown.push(at);
  }
  return shown;
}

/** The next value that there is; a line is drawn through times that it has not. */
function beside(values, at, step) {
  let next = at + step;
  while (next >= 0 && next < values.length && values[next] === undefined) next += step;
  return values[next];
}

/** Marks of the other axis, with as many digits as tell one from the next. */
function ticks(splits) {
  const known = splits.filter((value) => value !== null);
  const step = known.length > 1 ? Math.abs(known[1] - known[0]) : 1;
  const digits = Math.min(6, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  return splits.map((value) => (value === null ? '' : Math.abs(value) >= 10_000 ? short(value) : value.toFixed(digits)));
}

/** Marks of the time axis: the hour and minute, seconds where they differ, the day where it changes. */
function clock(splits, utc) {
  const step = splits.length > 1 ? splits[1] - splits[0] : 60;
  let before = '';
  return splits.map((split) => {
    const date = new Date(split * 1000);
    const two = (n) => String(n).padStart(2, '0');
    const [month, dayOfMonth, hours, minutes, seconds] = utc
      ? [date.getUTCMonth(), date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
      : [date.getMonth(), date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()];
    const today = `${month + 1}/${dayOfMonth}`;
    const clockText = `${two(hours)}:${two(minutes)}${step < 60 ? `:${two(seconds)}` : ''}`;
    const text = step >= 86_400 ? today : today === before || before === '' ? clockText : `${clockText}\n${today}`;
    before = today;
    return text;
  });
}

customElements.define('sedge-chart', Chart);
