// <sedge-editor>: a script, coloured, with its problems at their line and column. It is loaded when it is first shown.
import {defaultKeymap, history, historyKeymap, indentWithTab} from '@codemirror/commands';
import {HighlightStyle, StreamLanguage, syntaxHighlighting} from '@codemirror/language';
import {lintGutter, setDiagnostics} from '@codemirror/lint';
import {sql} from '@codemirror/legacy-modes/mode/sql';
import {EditorState} from '@codemirror/state';
import {drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers} from '@codemirror/view';
import {tags} from '@lezer/highlight';

const words = (text) => Object.fromEntries(text.split(' ').map((word) => [word, true]));

const flink = sql({
  keywords: words(
    'select from where group by having order limit with as and or not in is null like between case when then else end join left right full inner outer cross on using union all distinct insert into values create table view temporary function set reset drop if exists watermark for primary key enforced partition partitioned over rows range preceding following current row unbounded interval second minute hour day month year descriptor tumble hop cumulate session match_recognize measures pattern define after skip past last one per lateral unnest temporal system_time of execute statement begin metadata virtual comment model ml_predict',
  ),
  builtin: words('string int integer bigint smallint tinyint double float decimal boolean timestamp timestamp_ltz date time varchar char bytes binary varbinary array map row multiset count sum avg min max cast coalesce'),
  atoms: words('true false null'),
  operatorChars: /^[*+\-%<>!=&|^~/]/,
  dateSQL: words('date time timestamp interval'),
  support: words('doubleQuote binaryNumber hexNumber'),
});

const colours = HighlightStyle.define([
  {tag: tags.keyword, color: 'var(--accent)', fontWeight: '600'},
  {tag: [tags.string, tags.special(tags.string)], color: 'var(--warn)'},
  {tag: tags.comment, color: 'var(--ink-3)', fontStyle: 'italic'},
  {tag: [tags.number, tags.bool, tags.null], color: 'var(--bad)'},
  {tag: tags.standard(tags.name), color: 'var(--ink-2)', fontWeight: '600'},
]);

const look = EditorView.theme({
  '&': {backgroundColor: 'transparent', color: 'var(--ink)', maxHeight: '56vh', fontSize: '13px'},
  '&.cm-focused': {outline: '2px solid var(--accent)', outlineOffset: '-2px'},
  '.cm-gutters': {backgroundColor: 'transparent', color: 'var(--ink-3)', border: '0'},
  '.cm-activeLine, .cm-activeLineGutter': {backgroundColor: 'var(--panel-2)'},
  '.cm-content': {fontFamily: 'var(--mono)', caretColor: 'var(--ink)'},
  '.cm-cursor': {borderLeftColor: 'var(--ink)'},
  '.cm-tooltip': {backgroundColor: 'var(--panel)', border: '1px solid var(--line)'},
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {backgroundColor: 'var(--accent-soft) !important'},
});

class Editor extends HTMLElement {
  #view;

  /** Called with the text whenever it has changed. */
  onEdit;

  connectedCallback() {
    if (this.#view) return;
    this.classList.add('editor');
    // In a shadow its styles are adopted sheets, which the content security policy allows.
    const shadow = this.shadowRoot ?? this.attachShadow({mode: 'open'});
    this.#view = new EditorView({
      parent: shadow,
      root: shadow,
      state: EditorState.create({
        doc: this.start ?? '',
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          StreamLanguage.define(flink),
          syntaxHighlighting(colours),
          look,
          EditorView.lineWrapping,
          // Tab leaves the editor, so that a keyboard is not caught in it; Ctrl-] indents.
          keymap.of([...defaultKeymap, ...historyKeymap, {key: 'Mod-]', run: indentWithTab.run}]),
          EditorView.contentAttributes.of({'aria-label': this.getAttribute('label') ?? 'SQL', tabindex: '0'}),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) this.onEdit?.(update.state.doc.toString());
          }),
        ],
      }),
    });
  }

  disconnectedCallback() {
    this.#view?.destroy();
    this.#view = undefined;
  }

  get value() {
    return this.#view.state.doc.toString();
  }

  set value(text) {
    this.#view.dispatch({changes: {from: 0, to: this.#view.state.doc.length, insert: text}});
  }

  /** `[{line, column, endLine, endColumn, message, severity}]`, from 1. */
  set problems(problems) {
    if (!this.#view) return;
    const doc = this.#view.state.doc;
    const place = (line, column) => {
      const at = doc.line(Math.min(Math.max(1, line), doc.lines));
      return Math.min(at.from + Math.max(0, column - 1), at.to);
    };
    this.#view.dispatch(
      setDiagnostics(
        this.#view.state,
        problems
          .filter((problem) => problem.line > 0)
          .map((problem) => {
            const from = place(problem.line, problem.column);
            const to = problem.endLine ? place(problem.endLine, problem.endColumn + 1) : from + 1;
            return {from, to: Math.min(Math.max(from, to), doc.length), severity: problem.severity ?? 'error', message: problem.message};
          })
          .sort((a, b) => a.from - b.from),
      ),
    );
  }

  /** Puts the cursor there. */
  goTo(line, column) {
    const at = this.#view.state.doc.line(Math.min(line, this.#view.state.doc.lines));
    this.#view.dispatch({selection: {anchor: Math.min(at.from + column - 1, at.to)}, scrollIntoView: true});
    this.#view.focus();
  }
}

customElements.define('sedge-editor', Editor);
