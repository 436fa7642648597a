import type { Cell, CellVerdict } from '../verdict.ts';
import { escapeHtml as text } from '../escape.ts';
import type { Report } from '../report.ts';
import { caseCounts } from '../summary.ts';
import { wideTable } from './elements.ts';

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

/** Operations down, statuses across; a violated cell links to its first finding. */
export function matrix(report: Report): string {
  const statuses = [...new Set(report.cells.map(({ status }) => status))].sort((a, b) => a - b);
  const head = statuses.map((status) => `<th scope="col">${status}</th>`).join('');
  const rows = [...Map.groupBy(report.cells, ({ operationId }) => operationId)].map(([operationId, own]) => {
    const columns = statuses.map((status) =>
      cellOf(
        report,
        own.find((cell) => cell.status === status),
      ),
    );
    return `<tr><th scope="row">${text(operationId)}</th>${columns.join('')}</tr>`;
  });
  return wideTable('aria-labelledby="cells"', `<td></td>${head}`, rows);
}

function cellOf(report: Report, cell: Cell | undefined): string {
  if (!cell) return '<td class="none"><span class="hidden">not documented</span></td>';
  const { verdict, reason, gates, cases } = cell;
  const first = report.findings.findIndex(({ caseId }) => cases.includes(caseId));
  const counts = caseCounts(cell);
  const word = `<span aria-hidden="true">${SIGNS[verdict]}</span> ${verdict}${counts}`;
  const label = verdict === 'violated' && first >= 0 ? `<a href="#finding-${first + 1}">${word}</a>` : word;
  const note = reason && verdict !== 'violated' ? `<small>${text(reason)}</small>` : '';
  const gate = gates ? '' : '<small>does not gate</small>';
  return `<td class="${verdict.replaceAll(' ', '-')}">${label}${note}${gate}</td>`;
}
