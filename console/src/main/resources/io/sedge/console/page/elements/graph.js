// The plan of a job as a picture: sources above, sinks below, rates where they are known.
import {html, nothing, svg} from 'lit-html';
import {t} from '../i18n.js';

const WIDTH = 236;
const LINE = 16;
const GAP_X = 28;
const GAP_Y = 40;
const MAX_DETAIL = 3;
const MAX_TEXT = 32;

/**
 * @param graph `{nodes: [{id, kind, title, detail, table}], edges: [[from, to]]}`
 * @param rates texts by the name of a table
 */
export function graphView(graph, rates = {}) {
  if (!graph || graph.nodes.length === 0) return nothing;
  const {boxes, width, height} = layout(graph, rates);
  const box = new Map(boxes.map((each) => [each.node.id, each]));
  return html`<div class="graph" role="region" tabindex="0" aria-label=${t('plan')}>
    <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img" aria-label=${t('planOf', {n: graph.nodes.length})}>
      ${graph.edges.map(([from, to]) => edge(box.get(from), box.get(to)))}
      ${boxes.map(boxView)}
    </svg>
    <ul class="hidden-text">${graph.nodes.map((node) => html`<li>${node.title}: ${(node.detail ?? []).join('; ')} ${rates[node.table] ?? ''}</li>`)}</ul>
  </div>`;
}

function layout(graph, rates) {
  const level = levels(graph);
  const rows = [];
  for (const node of graph.nodes) (rows[level.get(node.id)] ??= []).push(node);
  const present = rows.filter(Boolean);
  const widest = Math.max(...present.map((row) => row.length));
  const width = widest * WIDTH + (widest - 1) * GAP_X;
  const boxes = [];
  const centre = new Map();
  let y = 2;
  for (const row of present) {
    row.sort((a, b) => above(graph, a, centre) - above(graph, b, centre));
    const total = row.length * WIDTH + (row.length - 1) * GAP_X;
    let x = (width - total) / 2;
    let tallest = 0;
    for (const node of row) {
      const rate = node.kind === 'operator' ? undefined : rates[node.table];
      const lines = (node.detail ?? []).slice(0, MAX_DETAIL);
      const height = 26 + (lines.length + (rate ? 1 : 0)) * LINE + 6;
      boxes.push({node, x, y, height, lines, rate});
      centre.set(node.id, x + WIDTH / 2);
      x += WIDTH + GAP_X;
      tallest = Math.max(tallest, height);
    }
    y += tallest + GAP_Y;
  }
  return {boxes, width, height: y - GAP_Y + 2};
}

/** How far each node is from a source, by the longest way. */
function levels(graph) {
  const level = new Map(graph.nodes.map((node) => [node.id, 0]));
  for (let round = 0; round < graph.nodes.length; round++) {
    let moved = false;
    for (const [from, to] of graph.edges) {
      if (level.get(to) <= level.get(from)) {
        level.set(to, level.get(from) + 1);
        moved = true;
      }
    }
    if (!moved) break;
  }
  return level;
}

function above(graph, node, centre) {
  const parents = graph.edges.filter(([, to]) => to === node.id).map(([from]) => centre.get(from) ?? 0);
  return parents.length === 0 ? 0 : parents.reduce((sum, x) => sum + x, 0) / parents.length;
}

function edge(from, to) {
  if (!from || !to) return nothing;
  const x1 = from.x + WIDTH / 2;
  const y1 = from.y + from.height;
  const x2 = to.x + WIDTH / 2;
  const y2 = to.y;
  const bend = Math.max(18, (y2 - y1) / 2);
  return svg`<path d=${`M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - 5}`}></path>
    <path d=${`M${x2 - 4} ${y2 - 7}L${x2} ${y2 - 1}L${x2 + 4} ${y2 - 7}`}></path>`;
}

const cut = (text) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text);

function boxView({node, x, y, height, lines, rate}) {
  return svg`<g class=${node.kind} transform=${`translate(${x} ${y})`}>
    <title>${[node.title, ...(node.detail ?? [])].join('\n')}</title>
    <rect width=${WIDTH} height=${height} rx="8"></rect>
    <text x="12" y="20">${cut(node.title)}</text>
    ${lines.map((line, i) => svg`<text class="more" x="12" y=${20 + (i + 1) * LINE}>${cut(line)}</text>`)}
    ${rate ? svg`<text class="rate" x="12" y=${20 + (lines.length + 1) * LINE}>${rate}</text>` : nothing}
  </g>`;
}
