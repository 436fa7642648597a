import { escapeHtml as text } from '../escape.ts';
import type { Report, ReportedCase } from '../report.ts';
import { caseCounts, groupObservations, type JudgeSection, judgeSections } from '../summary.ts';
import type { Cell, CellVerdict } from '../verdict.ts';
import { folded, wideTable } from './findings.ts';

/** Longer lists are folded. */
const SHOWN = 12;

export function notes(observations: Report['notices']): string {
  return list(
    'observations',
    groupObservations(observations).map((note) => `<b>${text(note.operationId)}</b> ${text(note.text)}`),
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
  return wideTable('aria-labelledby="latency"', head, rows);
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

/** What the outside judges say, beside what the suite says. */
export function judges(report: Report): string {
  const sections = judgeSections(report).map(section);
  return sections.length === 0
    ? ''
    : `<p>They decide nothing. Where they differ, somebody should look.</p>${sections.join('\n')}`;
}

function section({ judge, sentence, notes, rows }: JudgeSection): string {
  const items = notes.map((note) => `<li>${text(note)}</li>`).join('');
  const head = ['case', 'suite', judge, 'what'].map((name) => `<th scope="col">${name}</th>`).join('');
  const body = rows.map(
    (row) =>
      `<tr><th scope="row">${text(row.cases)}</th><td>${text(row.suite)}</td><td>${row.opinion}</td><td>${text(row.text)}</td></tr>`,
  );
  const table = wideTable(`aria-label="Where ${judge} differs"`, head, body);
  return `<h3>${text(sentence)}</h3>${items === '' ? '' : `<ul>${items}</ul>`}${rows.length === 0 ? '' : table}`;
}
