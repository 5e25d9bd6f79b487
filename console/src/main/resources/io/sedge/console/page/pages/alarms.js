// The alarms of a run, of a site or of all sites of a center: what asks for attention, who has seen it, what is put aside.
import {html, nothing} from 'lit-html';
import {getIdly, part, post} from '../api.js';
import {number, time} from '../format.js';
import {t} from '../i18n.js';
import {ask, badge, empty, panel, selector, switcher, tile, waiting} from './shared.js';
import '../elements/rows.js';

/** Alarms are asked for no more often than so, however fast they change. */
const INTERVAL = 1000;
/** How often a page asks what sites have made of what was done at the center. */
const LOOK = 1000;
const HOURS = [1, 8, 24, 168];
const SHOWN = {
  all: () => true,
  attention: (alarm) => alarm.state === 'unacknowledged' || alarm.state === 'returned',
  active: (alarm) => alarm.state === 'unacknowledged' || alarm.state === 'acknowledged',
  shelved: (alarm) => alarm.state.startsWith('shelved'),
};
const STATES = {unacknowledged: 'bad', acknowledged: 'warn', returned: 'info', shelved: '', shelved_normal: ''};
const PRIORITIES = {critical: 'bad', high: 'bad', medium: 'warn', low: ''};

/** What tells an alarm from all others: each site numbers its own. */
const keyOf = (alarm) => `${alarm.site ?? ''}/${alarm.id}`;

const targets = (alarms) => alarms.map(({id, raised}) => ({id, raised}));

export default class Alarms {
  #app;
  #list;
  #failure = '';
  #shown = 'all';
  #filter = '';
  #chosen = new Set();
  #hours = 8;
  #seen;
  #history;
  #askedAt = 0;
  #timer;
  #left = false;
  /** What sites of a center were asked to do, and have not answered. */
  #given = [];
  #following;
  /** What they have answered, where it is not that all was done. */
  #outcome = '';

  constructor(app) {
    this.#app = app;
    if (app.route.rest[0]) this.#open(Number(app.route.rest[0]));
    this.#load();
  }

  leave() {
    this.#left = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#following);
  }

  get #ofSites() {
    return this.#app.info.kind === 'center';
  }

  async #load() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#askedAt = performance.now();
    try {
      this.#list = await getIdly('/alarms');
      this.#seen = this.#list.counts.changes;
      const there = new Set(this.#list.alarms.map(keyOf));
      this.#chosen = new Set([...this.#chosen].filter((key) => there.has(key)));
      this.#failure = '';
    } catch (e) {
      this.#failure = this.#app.refused(e);
    }
    if (!this.#left) this.#app.draw();
  }

  /** Asks anew when something has changed, after a moment in which more may. */
  #keepUp() {
    const {changes} = this.#app.state?.alarms ?? {};
    if (changes === undefined || changes === this.#seen || this.#timer !== undefined || this.#left) return;
    this.#timer = setTimeout(() => this.#load(), Math.max(0, this.#askedAt + INTERVAL - performance.now()));
  }

  async #open(id) {
    try {
      this.#history = {id, ...(await getIdly(`/alarms/${id}`))};
    } catch (e) {
      this.#failure = this.#app.refused(e);
    }
    if (!this.#left) this.#app.draw();
  }

  view() {
    this.#keepUp();
    if (!this.#list) return waiting(this.#failure);
    const {counts} = this.#list;
    const alarms = this.#wanted();
    return html`${this.#failure ? html`<div class="banner bad" role="alert">${this.#failure}</div>` : nothing}
      ${this.#outcome ? html`<div class="banner bad" role="alert">${this.#outcome}</div>` : nothing}
      ${this.#list.told > this.#list.alarms.length ? html`<div class="banner">${t('alarmsShown', {n: number(this.#list.alarms.length), of: number(this.#list.told)})}</div>` : nothing}
      ${this.#given.length > 0 ? html`<div class="banner" role="status">${t('alarmsGiven', {sites: [...new Set(this.#given.map(({site}) => site))].join(', ')})}</div>` : nothing}
      ${counts.refused > 0 ? html`<div class="banner bad">${t('alarmsRefused', {n: number(counts.refused)})}</div>` : nothing}
      <div class="tiles">${tile(t('alarmsAttention'), number(counts.attention), '', counts.attention > 0 ? 'bad' : '')}
        ${tile(t('alarmsActive'), number(counts.active))}
        ${tile(t('alarmsShelved'), number(counts.shelved))}
        ${tile(t('alarmsInTenMinutes'), number(counts.raisedInTenMinutes), counts.flood ? t('alarmsFlood') : t('alarmsFloods', {n: number(counts.floods)}), counts.flood ? 'warn' : '')}</div>
      ${panel(t('alarms'), alarms.length === 0 ? this.#none() : html`<sedge-rows .content=${this.#content(alarms)}></sedge-rows>`, this.#tools())}
      ${this.#mayAct() ? this.#actions(alarms) : nothing}
      ${this.#history ? this.#past() : nothing}`;
  }

  #wanted() {
    const words = this.#filter.toLowerCase();
    return this.#list.alarms.filter(
      (alarm) => SHOWN[this.#shown](alarm) && (!words || `${alarm.site ?? ''} ${alarm.key} ${alarm.message ?? ''} ${alarm.table} ${alarm.job}`.toLowerCase().includes(words)),
    );
  }

  #none() {
    return this.#list.alarms.length === 0 ? empty(t('noAlarms'), t(this.#ofSites ? 'noAlarmsOfSites' : 'noAlarmsHint')) : empty(t('noRows'));
  }

  #mayAct() {
    return this.#app.info.kind !== 'run' && this.#app.may('operator');
  }

  #tools() {
    const choices = ['all', 'attention', 'active', 'shelved'].map((name) => [name, t(`alarms-${name}`)]);
    return html`<label class="inline"><span class="hidden-text">${t('filter')}</span><input type="search" placeholder=${t('filter')} .value=${this.#filter} @input=${(event) => {
        this.#filter = event.target.value;
        this.#app.draw();
      }}></label>
      ${switcher(t('state'), choices, this.#shown, (shown) => {
        this.#shown = shown;
        this.#app.draw();
      })}`;
  }

  #content(alarms) {
    const columns = [
      ...(this.#mayAct() ? [{name: t('alarmChoose'), kind: 'text', view: (key, row) => this.#box(key, row)}] : []),
      {name: t('alarmPriority'), kind: 'text', view: (priority) => badge(t(`priority-${priority}`), PRIORITIES[priority])},
      {name: t('state'), kind: 'text', view: (state) => badge(t(`alarm-${state}`), STATES[state])},
      {name: t('alarmKey'), kind: 'text', view: (key, row) => (this.#ofSites ? key : html`<button type="button" class="link" @click=${() => this.#open(row.at(-1))}>${key}</button>`)},
      ...(this.#ofSites ? [{name: t('site'), kind: 'text', view: (site) => html`<a href=${`#/sites/${part(site)}`}>${site}</a>`}] : []),
      {name: t('alarmMessage'), kind: 'text', empty: ''},
      {name: t('value'), kind: 'number', empty: ''},
      {name: t('alarmRaised'), kind: 'time'},
      {name: t('job'), kind: 'text'},
      {name: t('table'), kind: 'text'},
      {name: t('alarmId'), kind: 'number'},
    ];
    const rows = alarms.map((alarm) => [
      ...(this.#mayAct() ? [keyOf(alarm)] : []),
      alarm.priority, alarm.state, alarm.key, ...(this.#ofSites ? [alarm.site] : []), alarm.message ?? null, alarm.value ?? null, alarm.raisedAtMillis, alarm.job, alarm.table, alarm.id,
    ]);
    return {columns, rows};
  }

  #box(key, row) {
    return html`<input type="checkbox" ?disabled=${this.#ofSites && !this.#app.mayAt(row[4], 'operator')} aria-label=${t('alarmChooseOne', {key: row[3]})} .checked=${this.#chosen.has(key)} @change=${(event) => {
      if (event.target.checked) this.#chosen.add(key);
      else this.#chosen.delete(key);
      this.#app.draw();
    }}>`;
  }

  #actions(shown) {
    const chosen = this.#list.alarms.filter((alarm) => this.#chosen.has(keyOf(alarm)));
    const open = shown.filter((alarm) => SHOWN.attention(alarm) && this.#app.mayAt(alarm.site, 'operator'));
    const button = (action, text, alarms, question, style = '') => html`<button class="button ${style}" ?disabled=${alarms.length === 0} @click=${() => this.#act(action, alarms, question, text)}>${text}</button>`;
    return panel(
      t('alarmActions'),
      html`<div class="pad row">
        ${button('acknowledge', t('acknowledge'), chosen.filter(SHOWN.attention), undefined, 'main-action')}
        ${button('acknowledge', t('acknowledgeShown', {n: number(open.length)}), open, t('acknowledgeAsk', {n: number(open.length)}))}
        ${selector(t('shelveFor'), HOURS.map((hours) => [hours, hours < 24 ? t('hours', {n: hours, m: 0}) : t('days', {n: hours / 24, h: 0})]), this.#hours, (hours) => {
          this.#hours = Number(hours);
        })}
        ${button('shelve', t('shelve'), chosen)}
        ${button('unshelve', t('unshelve'), chosen.filter(SHOWN.shelved))}
        <span class="quiet small" role="status">${t('alarmsChosen', {n: number(chosen.length)})}</span></div>`,
    );
  }

  async #act(action, alarms, question, text) {
    if (question && !(await ask(question, text))) return;
    try {
      if (this.#ofSites) await this.#actAtSites(action, alarms);
      else await post(`/alarms/${action}`, {targets: targets(alarms), seconds: action === 'shelve' ? this.#hours * 3600 : 0});
      this.#chosen.clear();
      await this.#load();
      if (this.#history) await this.#open(this.#history.id);
    } catch (e) {
      this.#failure = this.#app.refused(e);
      this.#app.draw();
    }
  }

  /** Each site is asked on its own, and does it when it hears of it. */
  async #actAtSites(action, alarms) {
    const more = action === 'shelve' ? {shelveSeconds: this.#hours * 3600} : {};
    this.#outcome = '';
    try {
      for (const [site, own] of Map.groupBy(alarms, ({site}) => site)) {
        this.#given.push(await post(`/sites/${part(site)}/alarms/${action}`, {targets: targets(own), ...more}));
      }
    } finally {
      this.#follow();
    }
  }

  #follow() {
    clearTimeout(this.#following);
    this.#following = setTimeout(async () => {
      const asked = this.#given;
      const answers = await Promise.allSettled(asked.map(({site, id}) => getIdly(`/sites/${part(site)}/alarm-actions/${id}`)));
      const known = asked.map((given, i) => answers[i].value ?? given);
      this.#given = [...known.filter(({ended}) => !ended), ...this.#given.filter((given) => !asked.includes(given))];
      const told = known.filter(({ended, state, alarms, detail}) => ended && !(state === 'done' && detail?.startsWith(`${alarms} of`)));
      this.#outcome = [this.#outcome, ...told.map(({site, detail, state}) => `${site}: ${detail ?? state}`)].filter(Boolean).join(' · ');
      if (this.#left) return;
      if (this.#given.length > 0) this.#follow();
      this.#app.draw();
    }, LOOK);
  }

  #past() {
    const {id, changes} = this.#history;
    return panel(
      t('alarmPast', {id}),
      changes.length === 0
        ? empty(t('alarmForgotten'))
        : html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t('alarmPast', {id})}><table class="plain"><thead><tr><th>${t('alarmAt')}</th><th>${t('alarmEvent')}</th><th>${t('state')}</th><th>${t('alarmBy')}</th><th>${t('alarmMessage')}</th></tr></thead>
        <tbody>${changes.map((change) => html`<tr><td class="mono small">${time(change.atMillis)}</td><td>${t(`event-${change.event}`)}</td><td>${badge(t(`alarm-${change.state}`), STATES[change.state] ?? 'good')}</td><td>${change.by ?? ''}</td><td>${change.note ?? change.message ?? ''}</td></tr>`)}</tbody></table></div>`,
      html`<button class="button small" @click=${() => {
        this.#history = undefined;
        this.#app.draw();
      }}>${t('close')}</button>`,
    );
  }
}
