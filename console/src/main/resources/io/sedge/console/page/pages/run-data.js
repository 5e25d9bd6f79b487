// Every result of a job: over time, as rows, as a file.
import {html, nothing} from 'lit-html';
import '../elements/rows.js';
import {part, save} from '../api.js';
import {short} from '../format.js';
import {t} from '../i18n.js';
import {choice, places} from '../series.js';
import {Explorer} from './explorer.js';
import {about, latestFirst} from './run-overview.js';
import {empty, panel, selector, switcher, waiting} from './shared.js';

export default class RunData {
  #app;
  #name;
  #mode = 'chart';
  #value;
  #explorer;
  #failure = '';

  constructor(app) {
    this.#app = app;
    this.#name = app.route.rest[0];
    this.#explorer = new Explorer(() => app.draw());
  }

  view() {
    const {state} = this.#app;
    if (!state.job) return waiting();
    const live = state.tables.get(this.#name) ?? state.tables.values().next().value;
    if (!live) return empty(t('noTables'));
    const standard = choice(live.table);
    const numbers = places(live.table, (column) => column.kind === 'number');
    const chosen = {...standard, value: numbers.includes(this.#value) ? this.#value : standard.value};
    const drawable = chosen.value !== undefined;
    const mode = drawable ? this.#mode : 'rows';
    return html`${this.#failure ? html`<div class="banner bad" role="alert">${this.#failure}</div>` : nothing}${state.tables.size > 1 ? this.#tables(live) : nothing}${panel(
      live.name,
      html`${mode === 'rows'
        ? html`<sedge-rows .content=${{columns: live.columns, rows: latestFirst(live)}}></sedge-rows>`
        : mode === 'chart'
          ? this.#explorer.chart(live.series(chosen), about(live.columns))
          : this.#explorer.cards(live.series(chosen), about(live.columns))}
        <p class="small quiet pad">${t('rowsKept', {n: short(live.rows.length), all: short(live.total)})}${live.skipped > 0 ? ` ${t('rowsSkipped', {n: short(live.skipped)})}` : ''}</p>`,
      html`${mode === 'rows' ? nothing : this.#explorer.search()}
        ${drawable && mode !== 'rows' ? selector(t('value'), numbers.map((i) => [i, live.columns[i].name]), chosen.value, (next) => this.#set({value: Number(next)})) : nothing}
        ${drawable ? switcher(t('view'), [['chart', t('chart')], ['cards', t('cards')], ['rows', t('rows')]], mode, (next) => this.#set({mode: next})) : nothing}
        <button class="button" @click=${() => this.#save(live.name)}>CSV</button>`,
    )}`;
  }

  async #save(name) {
    try {
      await save(`${name}.csv`, 'GET', `/tables/${part(name)}/rows?limit=2000`);
      this.#failure = '';
    } catch (e) {
      this.#failure = this.#app.refused(e);
    }
    this.#app.draw();
  }

  #tables(live) {
    return html`<div>${switcher(
      t('tables'),
      [...this.#app.state.tables.keys()].map((name) => [name, name]),
      live.name,
      (name) => {
        this.#value = undefined;
        location.hash = `#/data/${part(name)}`;
      },
    )}</div>`;
  }

  #set({value, mode}) {
    this.#value = value ?? this.#value;
    this.#mode = mode ?? this.#mode;
    this.#app.draw();
  }
}
