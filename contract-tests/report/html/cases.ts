import { escapeHtml as text } from '../escape.ts';
import type { Report, ReportedCase } from '../report.ts';
import { folded } from './elements.ts';

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
