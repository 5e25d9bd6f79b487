// A result over time: small lines for all groups, or a chart of those that are chosen.
import '../elements/chart.js';
import '../elements/spark.js';
import {html, nothing} from 'lit-html';
import {colour} from '../elements/palette.js';
import {measured, time} from '../format.js';
import {t} from '../i18n.js';
import {aligned} from '../series.js';
import {empty} from './shared.js';

const MAX_LINES = 200;
const FIRST_LINES = 8;

const collator = new Intl.Collator(undefined, {numeric: true});

/** Which groups of a result are looked at. */
export class Explorer {
  filter = '';
  chosen = new Set();
  point;
  #redraw;
  #set;
  #version;
  #drawn;

  constructor(redraw) {
    this.#redraw = redraw;
  }

  matching(set) {
    const wanted = this.filter.toLowerCase();
    const all = [...set.lines.values()].filter((line) => line.name.toLowerCase().includes(wanted));
    return all.sort((a, b) => collator.compare(a.name, b.name));
  }

  toggle(name) {
    if (!this.chosen.delete(name)) this.chosen.add(name);
    this.#redraw();
  }

  search() {
    return html`<input type="search" placeholder=${t('filter')} aria-label=${t('filter')} .value=${this.filter}
      @input=${(event) => {
        this.filter = event.target.value;
        this.#redraw();
      }}>`;
  }

  /** @param about a text that a row has beside its value: its unit, a verdict */
  cards(set, about = () => ({})) {
    const lines = this.matching(set);
    if (lines.length === 0) return empty(t('noRows'), t('noRowsYet'));
    return html`<div class="cards">${lines.map((line) => {
      const {unit: code, flag} = about(line.row);
      const [value, unit] = measured(line.last, code);
      return html`<button type="button" class="card" aria-pressed=${this.chosen.has(line.name)} @click=${() => this.toggle(line.name)}>
        ${flag ? html`<span class="flag">${flag}</span>` : nothing}
        <div class="name" title=${line.name}>${line.name || t('all')}</div>
        <div class="value">${value} <span class="small quiet">${unit}</span></div>
        <sedge-spark .line=${line}></sedge-spark></button>`;
    })}</div>${this.#left(set)}`;
  }

  /** The chart of the groups that were chosen, or of the first ones that have one unit. */
  chart(set, about = () => ({})) {
    const matching = this.matching(set);
    const chosen = matching.filter((line) => this.chosen.has(line.name));
    const unit = matching.length > 0 ? about(matching[0].row).unit : undefined;
    const first = matching.filter((line) => about(line.row).unit === unit).slice(0, FIRST_LINES);
    const lines = (chosen.length > 0 ? chosen : first).slice(0, MAX_LINES);
    if (lines.length === 0) return empty(t('noRows'), t('noRowsYet'));
    const version = `${set.version}\n${lines.map((line) => line.name).join('\n')}`;
    if (set !== this.#set || version !== this.#version) {
      this.#set = set;
      this.#drawn = {names: lines.map((line) => line.name || t('all')), data: aligned(lines), utc: set.utc};
      this.#version = version;
    }
    return html`<sedge-chart .lines=${this.#drawn} @point=${(event) => this.#pointed(event.detail)}></sedge-chart>
      <div class="legend">${this.point ? html`<span class="quiet">${time(this.point.at, set.utc)}</span>` : nothing}${lines.map(
        (line, i) => html`<button type="button" aria-pressed=${this.chosen.has(line.name)} @click=${() => this.toggle(line.name)}><i .style=${`background:${colour(i)}`}></i>${line.name || t('all')}
          <strong>${measured(this.point ? this.point.values[i] : line.last, about(line.row).unit).join(' ')}</strong></button>`,
      )}${chosen.length > 0 ? html`<button type="button" @click=${() => this.#none()}>${t('clearChoice')}</button>` : nothing}</div>${this.#left(set)}`;
  }

  #none() {
    this.chosen.clear();
    this.#redraw();
  }

  #pointed(point) {
    this.point = point;
    this.#redraw();
  }

  #left(set) {
    return set.left > 0 ? html`<p class="quiet small pad">${t('seriesLeft', {n: set.lines.size})}</p>` : nothing;
  }
}
