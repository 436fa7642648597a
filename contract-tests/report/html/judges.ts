import { escapeHtml as text } from '../escape.ts';
import { type JudgeSection, judgeSections } from '../opinion-rows.ts';
import type { Report } from '../report.ts';
import { wideTable } from './elements.ts';

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
