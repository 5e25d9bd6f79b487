// A job that runs in this process, at a glance.
import {html, nothing} from 'lit-html';
import '../elements/rows.js';
import {part} from '../api.js';
import {bytes, duration, percent, short} from '../format.js';
import {t} from '../i18n.js';
import {choice} from '../series.js';
import {Explorer} from './explorer.js';
import {logView, panel, switcher, tile, waiting} from './shared.js';

export default class RunOverview {
  #app;
  #explorer;
  #mode = 'cards';

  constructor(app) {
    this.#app = app;
    this.#explorer = new Explorer(() => app.draw());
  }

  title = () => this.#app.state.job?.name ?? this.#app.info.title;

  subtitle = () => {
    const elapsed = this.#app.state.latest?.elapsedMillis;
    return elapsed === undefined ? '' : t('runsFor', {d: duration(elapsed)});
  };

  view() {
    const {state} = this.#app;
    if (!state.job) return waiting();
    const first = [...state.tables.values()].find((table) => table.table.query) ?? state.tables.values().next().value;
    const troubles = state.logs.filter((line) => line.severity !== 'info').slice(-6).reverse();
    return html`${this.#tiles()}${first ? this.#result(first) : nothing}
      ${troubles.length > 0 ? panel(t('latestTroubles'), logView(troubles, ''), html`<a href="#/logs">${t('all')}</a>`) : nothing}`;
  }

  #tiles() {
    const {state} = this.#app;
    const now = state.latest;
    if (!now) return html`<div class="tiles">${['readings', 'results', 'lag', 'processor', 'memory', 'leftOut'].map((name) => tile(t(name), '–'))}</div>`;
    const lost = now.late + now.malformed + now.dropped;
    const lag = now.watermarkMillis === undefined ? undefined : now.atMillis - now.watermarkMillis;
    const cpu = state.rate((c) => c.cpuMillis);
    return html`<div class="tiles">
      ${tile(t('readings'), t('perSecond', {n: short(state.rate((c) => c.readings))}), t('inAll', {n: short(now.readings)}))}
      ${tile(t('results'), t('perSecond', {n: short(state.rate((c) => c.rowsOut, 30))}), `${t('inAll', {n: short(now.rowsOut)})}${now.commands > 0 ? ` · ${t('commandsSent', {n: short(now.commands)})}` : ''}`)}
      ${tile(t('lag'), lag !== undefined && lag < 1e11 ? duration(Math.max(0, lag)) : '–', t('lagNote'))}
      ${tile(t('processor'), cpu === undefined ? '–' : percent(cpu / 1000), t('processorNote'))}
      ${tile(t('memory'), bytes(now.residentBytes), t('memoryNote'))}
      ${tile(t('leftOut'), short(lost), html`<a href="#/job/left-out">${t('leftOutNote', {late: short(now.late), malformed: short(now.malformed), dropped: short(now.dropped)})}</a>`, now.dropped + now.malformed > 0 ? 'warn' : '')}
    </div>`;
  }

  #result(live) {
    const chosen = choice(live.table);
    const drawable = chosen.value !== undefined;
    const mode = drawable ? this.#mode : 'rows';
    const title = live.table.query ? t('result') : live.name;
    const value = drawable ? live.columns[chosen.value].name : '';
    return panel(
      drawable && mode !== 'rows' ? `${title} · ${value}` : title,
      mode === 'rows'
        ? html`<sedge-rows .content=${{columns: live.columns, rows: latestFirst(live)}}></sedge-rows>`
        : mode === 'chart'
          ? this.#explorer.chart(live.series(chosen), about(live.columns))
          : this.#explorer.cards(live.series(chosen), about(live.columns)),
      html`${mode === 'rows' ? nothing : this.#explorer.search()}${drawable
        ? switcher(t('view'), [['cards', t('cards')], ['chart', t('chart')], ['rows', t('rows')]], mode, (next) => {
            this.#mode = next;
            this.#app.draw();
          })
        : nothing}<a href=${`#/data/${part(live.name)}`}>${t('more')}</a>`,
    );
  }
}

export const latestFirst = (live) => (live.updating ? live.rows.slice() : live.rows.slice(-2000).reverse());

/** What stands beside a value: its unit, and a verdict that is not empty. */
export function about(columns) {
  const unit = columns.findIndex((column) => /^units?$/i.test(column.name));
  const flag = columns.findIndex((column) => column.kind === 'text' && /^(verdict|state|status|alarm|severity)$/i.test(column.name));
  return (row) => ({unit: unit >= 0 ? row[unit] : undefined, flag: flag >= 0 ? row[flag] : undefined});
}
