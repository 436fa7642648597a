import type { Cell, CellVerdict } from '../../verdict.ts';
import type { Report } from '../report.ts';
import { escapeHtml as text } from './escape.ts';

/** Colour alone tells some readers nothing. */
const SIGNS: Readonly<Record<CellVerdict, string>> = {
  covered: '✓',
  violated: '✗',
  'not reached': '?',
  skipped: '–',
};

/** Operations down, statuses across; a violated cell leads to its first finding. */
export function matrix(report: Report): string {
  const { cells } = report;
  const statuses = [...new Set(cells.map(({ status }) => status))].sort((a, b) => a - b);
  const operations = [...new Set(cells.map(({ operationId }) => operationId))];
  const head = statuses.map((status) => `<th scope="col">${status}</th>`).join('');
  const rows = operations.map((operationId) => {
    const columns = statuses.map((status) =>
      cellOf(
        report,
        cells.find((cell) => cell.operationId === operationId && cell.status === status),
      ),
    );
    return `<tr><th scope="row">${text(operationId)}</th>${columns.join('')}</tr>`;
  });
  // What scrolls must be within reach of the keyboard.
  return `<div class="wide" role="region" aria-labelledby="cells" tabindex="0"><table><thead><tr><td></td>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function cellOf(report: Report, cell: Cell | undefined): string {
  if (!cell) return '<td class="none"><span class="hidden">not documented</span></td>';
  const first = report.findings.findIndex(({ caseId }) => cell.cases.includes(caseId));
  const word = `<span aria-hidden="true">${SIGNS[cell.verdict]}</span> ${cell.verdict}`;
  const label =
    cell.verdict === 'violated' && first >= 0 ? `<a href="#finding-${first + 1}">${word}</a>` : word;
  const note = cell.reason && cell.verdict !== 'violated' ? `<small>${text(cell.reason)}</small>` : '';
  const gate = cell.gates ? '' : '<small>does not gate</small>';
  return `<td class="${cell.verdict.replaceAll(' ', '-')}">${label}${note}${gate}</td>`;
}
