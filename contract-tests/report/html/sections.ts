import type { Report } from '../report.ts';
import type { Section } from '../sections.ts';
import type { Cell } from '../verdict.ts';
import type { ReportView } from '../view.ts';
import { cellWords, LOOKS } from '../words.ts';
import { html, inLines, type Markup, type Part } from './markup.ts';

/** Longer lists are collapsed. */
const MOST_ITEMS = 12;

/** A section as a list. */
export function sectionList({ items, brief }: Section): Markup {
  if (items.length === 0) return html`<p>${brief}</p>`;
  const list = html`<ul>${inLines(
    items.map(
      ({ name, text, rest }) =>
        html`<li>${name !== '' && html`<b>${name}</b> `}${text}${rest && folded('not seen', rest)}</li>`,
    ),
  )}</ul>`;
  return items.length <= MOST_ITEMS ? list : folded(String(items.length), list);
}

function folded(summary: string, content: Part): Markup {
  return html`<details><summary>${summary}</summary>${content}</details>`;
}

/** A scrollable table. It must be focusable, and so needs a label. */
function table(
  label: string,
  columns: readonly (string | number)[],
  rows: readonly Markup[],
  name = '',
): Markup {
  const head = columns.map((column) => html`<th scope="col">${column}</th>`);
  return html`<div class="wide ${name}" role="region" aria-label="${label}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${inLines(rows)}</tbody></table></div>`;
}

export function latency({ latency: all }: Report): Markup {
  const rows = all.map(({ operationId, requests, p50, p95, max }) => {
    const figures = [requests, p50, p95, max].map((figure) => html`<td class="figure">${figure}</td>`);
    return html`<tr><th scope="row">${operationId}</th>${figures}</tr>`;
  });
  return table('Latency of each operation', ['operation', 'requests', 'p50', 'p95', 'max'], rows);
}

/** All cases, collapsed by operation, with the reasons of those that did not run. */
export function caseTable({ cases }: Report): Markup {
  const groups = [...Map.groupBy(cases, ({ operationId }) => operationId)].map(([operationId, group]) => {
    const passed = group.filter(({ outcome }) => outcome === 'passed').length;
    const items = group.map(
      ({ outcome, title, reason }) =>
        html`<li><span class="${outcome.replaceAll(' ', '-')}">${outcome}</span> ${title}${reason && `: ${reason}`}</li>`,
    );
    return folded(
      `${operationId}: ${passed} of ${group.length} passed`,
      html`<ul class="cases">${inLines(items)}</ul>`,
    );
  });
  return html`${inLines(groups)}`;
}

/** Operations as rows, statuses as columns; a violated cell links to its cause, and reasons follow below, each once. */
export function matrix({ cells }: Report, { groups }: ReportView): Markup {
  const causes = groups.flatMap((group) => group.causes).toReversed();
  const causeOf = new Map(causes.flatMap(({ cause, number }) => cause.cases.map((id) => [id, number])));
  const statuses = [...new Set(cells.map(({ status }) => status))].sort((a, b) => a - b);
  const noteOf = (cell: Cell) => {
    const { reason, note } = cellWords(cell);
    return [reason, note].filter((one) => one !== '').join('; ');
  };
  const reasons = [...new Set(cells.map(noteOf))].filter((note) => note !== '');
  const cellView = (cell: Cell | undefined) => {
    if (!cell) return html`<td class="none"><span class="hidden">not documented</span></td>`;
    const { verdict, cases } = cell;
    const number = cases.map((id) => causeOf.get(id)).find((one) => one !== undefined);
    const word = html`<span aria-hidden="true">${LOOKS[verdict].sign}</span> ${verdict}${cellWords(cell).cases}`;
    const note = noteOf(cell);
    return html`<td class="${verdict.replaceAll(' ', '-')}">${
      verdict === 'violated' && number !== undefined ? html`<a href="#cause-${number}">${word}</a>` : word
    }${note !== '' && html` <sup><span class="hidden">reason </span>${reasons.indexOf(note) + 1}</sup>`}</td>`;
  };
  const rows = [...Map.groupBy(cells, ({ operationId }) => operationId)].map(([operationId, group]) => {
    const byStatus = new Map(group.map((cell) => [cell.status, cell]));
    return html`<tr class="cell-row"><th scope="row">${operationId}</th>${statuses.map((status) => cellView(byStatus.get(status)))}</tr>`;
  });
  const verdicts = [...Map.groupBy(cells, ({ verdict }) => verdict)];
  return html`<p class="soft">${verdicts.map(([verdict, { length }]) => `${length} ${verdict}`).join(', ')}</p>
${table('Responses by operation and status', ['operation', ...statuses], rows, 'tall')}${
  reasons.length > 0 && html`<ol class="reasons">${reasons.map((reason) => html`<li>${reason}</li>`)}</ol>`
}`;
}
