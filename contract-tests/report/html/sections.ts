import { escapeHtml as text } from '../escape.ts';
import type { Report, ReportedCase } from '../report.ts';
import { caseCounts, groupObservations } from '../summary.ts';
import type { Cell, CellVerdict } from '../verdict.ts';
import type { Card } from './causes.ts';

/** A table that scrolls sideways by itself. What scrolls must be reachable by the keyboard, and so has a label. */
function wideTable(label: string, head: string, rows: readonly string[]): string {
  return `<div class="wide" role="region" aria-label="${label}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>${content}</details>`;
}

/** Longer lists are folded. */
const SHOWN = 12;

export function notes(observations: Report['notices']): string {
  return list(
    'observations',
    groupObservations(observations).map(({ operationId, text: said }) =>
      operationId === '' ? text(said) : `<b>${text(operationId)}</b> ${text(said)}`,
    ),
  );
}

export function created({ created: records }: Report): string {
  return list(
    'records',
    records.map(
      ({ operationId, mark, id, certain }) =>
        `${text(operationId)} <code>${text(String(id ?? ''))}</code> ${text(mark ?? '')}${certain ? '' : ' (possibly)'}`,
    ),
  );
}

/** Operations that the run did not call, each with why. */
export function uncalled(operations: Report['withheld']): string {
  return list(
    'operations',
    operations.map(({ method, path, reason }) => `<code>${text(`${method} ${path}`)}</code> ${text(reason)}`),
  );
}

export function latency({ latency: operations }: Report): string {
  if (operations.length === 0) return '';
  const names = ['operation', 'requests', 'p50', 'p95', 'max'];
  const head = names.map((name) => `<th scope="col">${name}</th>`).join('');
  const rows = operations.map(({ operationId, requests, p50, p95, max }) => {
    const figures = [requests, p50, p95, max].map((figure) => `<td class="figure">${figure}</td>`);
    return `<tr><th scope="row">${text(operationId)}</th>${figures.join('')}</tr>`;
  });
  return wideTable('Latency of each operation', head, rows);
}

function list(what: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  const content = `<ul>${items.map((item) => `<li>${item}</li>`).join('\n')}</ul>`;
  return items.length <= SHOWN ? content : folded(`${items.length} ${what}`, content);
}

export function coverage({ coverage: seen }: Report): string {
  const rows = Object.entries(seen).map(([name, part]) => {
    const { missing } = part;
    const rest = missing.length === 0 ? '' : folded(`${missing.length} not seen`, text(missing.join(', ')));
    const label = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return `<tr><th scope="row">${label}</th><td>${part.seen} of ${part.total}${rest}</td></tr>`;
  });
  return `<table><tbody>${rows.join('\n')}</tbody></table>`;
}

const OUTCOMES: Readonly<Record<ReportedCase['outcome'], string>> = {
  passed: 'covered',
  failed: 'violated',
  'not reached': 'not-reached',
  skipped: 'skipped',
  withheld: 'skipped',
  planned: 'soft',
};

/** Every case, folded by operation, with the reason where it was not run. */
export function caseTable({ cases }: Report): string {
  const operations = Map.groupBy(cases, ({ operationId }) => operationId);
  return [...operations]
    .map(([operationId, own]) => {
      const passed = own.filter(({ outcome }) => outcome === 'passed').length;
      const items = own.map(item).join('\n');
      return folded(
        `${text(operationId)}: ${passed} of ${own.length} passed`,
        `<ul class="cases">${items}</ul>`,
      );
    })
    .join('\n');
}

function item({ title, outcome, reason }: ReportedCase): string {
  const because = reason ? `: ${text(reason)}` : '';
  return `<li><span class="${OUTCOMES[outcome]}">${outcome}</span> ${text(title)}${because}</li>`;
}

/** Not every reader tells colours apart. */
const SIGNS: Readonly<Record<CellVerdict, string>> = {
  covered: '✓',
  violated: '✗',
  'not reached': '?',
  skipped: '–',
  withheld: '⊘',
  planned: '·',
  'partly covered': '◐',
};

/** More operations need a search. */
const FEW_OPERATIONS = 12;

/** Operations down, statuses across; a violated cell links to its cause, and reasons stand below, each once. */
export function matrix(report: Report, cards: readonly Card[]): string {
  const { cells } = report;
  if (cells.length === 0) return '';
  const statuses = [...new Set(cells.map(({ status }) => status))].sort((a, b) => a - b);
  const reasons = [...new Set(cells.flatMap((cell) => noteOf(cell) ?? []))];
  const cardOf = cardsByCase(report, cards);
  const head = statuses.map((status) => `<th scope="col">${status}</th>`).join('');
  const byOperation = Map.groupBy(cells, ({ operationId }) => operationId);
  const rows = [...byOperation].map(([operationId, own]) => {
    const byStatus = new Map(own.map((cell) => [cell.status, cell]));
    const columns = statuses.map((status) => cellOf(byStatus.get(status), cardOf, reasons));
    const isOpen = own.some(({ verdict }) => verdict !== 'covered');
    return `<tr data-open="${isOpen}"><th scope="row">${text(operationId)}</th>${columns.join('')}</tr>`;
  });
  const because = reasons.map((reason) => `<li>${text(reason)}</li>`);
  const tools =
    byOperation.size <= FEW_OPERATIONS
      ? ''
      : `<form id="cells-filter" role="search" aria-label="Operations" hidden>
<label class="find"><span>Operation</span><input type="search" name="text" autocomplete="off"></label>
<label class="check"><input type="checkbox" name="open"><span>Only what is not covered</span></label>
<output id="cells-shown" role="status"></output>
</form>`;
  return `<p class="soft">${countsOf(cells)}</p>${tools}
<div class="wide tall" id="cells-table" role="region" aria-label="Responses by operation and status" tabindex="0"><table><thead><tr><th scope="col">operation</th>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>${
    because.length === 0 ? '' : `<ol class="reasons">${because.join('')}</ol>`
  }`;
}

function countsOf(cells: readonly Cell[]): string {
  const groups = Map.groupBy(cells, ({ verdict }) => verdict);
  return [...groups].map(([verdict, own]) => `${own.length} ${verdict}`).join(', ');
}

/** Why a cell stands so, where its verdict does not say it. */
function noteOf({ verdict, reason, gates }: Cell): string | undefined {
  const because = verdict === 'violated' || verdict === 'covered' ? undefined : reason;
  const parts = [
    ...(because ? [because] : []),
    ...(gates || verdict === 'withheld' ? [] : ['does not decide the verdict']),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** The number of the card that a case has led to. */
function cardsByCase({ findings }: Report, cards: readonly Card[]): ReadonlyMap<string, number> {
  const byRoot = new Map(cards.map(({ number, cause }) => [cause.key, number]));
  return new Map(
    findings.toReversed().flatMap(({ caseId, root }) => {
      const number = byRoot.get(root);
      return number === undefined ? [] : [[caseId, number] as const];
    }),
  );
}

function cellOf(
  cell: Cell | undefined,
  cardOf: ReadonlyMap<string, number>,
  reasons: readonly string[],
): string {
  if (!cell) return '<td class="none"><span class="hidden">not documented</span></td>';
  const { verdict, cases } = cell;
  const card = cases.map((id) => cardOf.get(id)).find((number) => number !== undefined);
  const word = `<span aria-hidden="true">${SIGNS[verdict]}</span> ${verdict}${caseCounts(cell)}`;
  const label = verdict === 'violated' && card !== undefined ? `<a href="#cause-${card}">${word}</a>` : word;
  const note = noteOf(cell);
  const mark =
    note === undefined ? '' : ` <sup><span class="hidden">reason </span>${reasons.indexOf(note) + 1}</sup>`;
  return `<td class="${verdict.replaceAll(' ', '-')}">${label}${mark}</td>`;
}
