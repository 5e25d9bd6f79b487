// What a job has said, the latest first.
import {html} from 'lit-html';
import {t} from '../i18n.js';
import {logView, panel, switcher} from './shared.js';

export default class RunLogs {
  #app;
  #least = 'info';

  constructor(app) {
    this.#app = app;
  }

  view() {
    const lines = this.#app.state.logs.filter((line) => this.#least === 'info' || line.severity !== 'info').reverse();
    return panel(
      t('logs'),
      logView(lines, t('noLogs')),
      html`${switcher(t('severity'), [['info', t('all')], ['warning', t('warnings')]], this.#least, (next) => {
        this.#least = next;
        this.#app.draw();
      })}`,
    );
  }
}
