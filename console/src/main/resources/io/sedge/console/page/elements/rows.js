// <sedge-rows>: the rows of a result, of which only those in sight are in the page. A click on a column sorts by it.
import {html, nothing, render} from 'lit-html';
import {cell} from '../format.js';
import {t} from '../i18n.js';

const HEIGHT = 30;
const MARGIN = 8;

class Rows extends HTMLElement {
  #columns = [];
  #names = '';
  #rows = [];
  #sort;
  #sorted;
  #frame;

  connectedCallback() {
    this.classList.add('rows');
    this.tabIndex = 0;
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', t('rowsOf'));
    this.addEventListener('scroll', this.#later);
    this.#later();
  }

  disconnectedCallback() {
    this.removeEventListener('scroll', this.#later);
  }

  /**
   * `{columns: [{name, kind}], rows: [[…]]}`; the array of rows is not changed, but may be another each time. A column may
   * have a `view` of value and row that makes more than a text of it, and say what is shown where there is none.
   */
  set content({columns, rows}) {
    const names = columns.map((column) => column.name).join('\n');
    if (names !== this.#names) {
      this.#names = names;
      this.#sort = undefined;
      this.scrollTop = 0;
    }
    this.#columns = columns;
    this.#rows = rows;
    this.#sorted = undefined;
    this.#later();
  }

  #later = () => {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      if (this.isConnected) this.#draw();
    });
  };

  #inOrder() {
    if (!this.#sort) return this.#rows;
    this.#sorted ??= this.#rows.toSorted(order(this.#sort.column, this.#sort.down));
    return this.#sorted;
  }

  #sortBy(column) {
    this.#sort = this.#sort?.column !== column ? {column, down: false} : this.#sort.down ? undefined : {column, down: true};
    this.#sorted = undefined;
    this.#later();
  }

  #draw() {
    const rows = this.#inOrder();
    const scrolled = Math.min(this.scrollTop, rows.length * HEIGHT - this.clientHeight);
    const first = Math.max(0, Math.floor(scrolled / HEIGHT) - MARGIN);
    const last = Math.min(rows.length, Math.ceil((this.scrollTop + (this.clientHeight || 400)) / HEIGHT) + MARGIN);
    const gap = (height) => (height > 0 ? html`<tr aria-hidden="true"><td colspan=${this.#columns.length} .style=${`height:${height}px;padding:0;border:0`}></td></tr>` : nothing);
    render(
      html`<table aria-rowcount=${rows.length + 1}>
        <thead><tr>${this.#columns.map((column, i) => html`<th scope="col" class=${column.kind === 'number' ? 'num' : ''}
            aria-sort=${this.#sort?.column === i ? (this.#sort.down ? 'descending' : 'ascending') : nothing}>
          <button type="button" @click=${() => this.#sortBy(i)}>${column.name}${this.#sort?.column === i ? (this.#sort.down ? ' ↓' : ' ↑') : ''}</button></th>`)}</tr></thead>
        <tbody>${gap(first * HEIGHT)}${rows.slice(first, last).map((row, i) => html`<tr aria-rowindex=${first + i + 2}>${this.#columns.map((column, c) => {
          if (column.view) return html`<td>${column.view(row[c], row)}</td>`;
          const text = row[c] === null ? (column.empty ?? cell(null, column)) : cell(row[c], column);
          return html`<td class=${row[c] === null ? 'null' : column.kind === 'number' ? 'num' : ''} title=${text.length > 40 ? text : nothing}>${text}</td>`;
        })}</tr>`)}${gap((rows.length - last) * HEIGHT)}</tbody>
      </table>
      ${rows.length === 0 ? html`<div class="empty">${t('noRows')}</div>` : nothing}`,
      this,
    );
  }
}

const collator = new Intl.Collator(undefined, {numeric: true});

function order(column, down) {
  const sign = down ? -1 : 1;
  return (left, right) => {
    const a = left[column];
    const b = right[column];
    if (a === b) return 0;
    if (a === null || a === undefined) return 1;
    if (b === null || b === undefined) return -1;
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * collator.compare(String(a), String(b));
  };
}

customElements.define('sedge-rows', Rows);
