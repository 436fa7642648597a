import { groupOpinions, type Heard } from '../opinion-groups.ts';
import type { Report } from '../report.ts';
import { escapeHtml as text } from './escape.ts';

/** What the outside judges say, beside what the suite says. */
export function opinions(report: Report): string {
  const heard = groupOpinions(report);
  if (heard.length === 0) return '';
  return `<p>They decide nothing. Where they differ, somebody should look.</p>${heard.map(oneJudge).join('\n')}`;
}

function oneJudge({ judge, sentence, groups }: Heard): string {
  const notes = judge.notes.map((note) => `<li>${text(note)}</li>`).join('');
  const rows = groups.map(
    ({ first, count, opinion }) =>
      `<tr><th scope="row">${text(first.caseId)}${count > 1 ? ` and ${count - 1} more` : ''}</th><td>${text(first.suite)}</td><td>${opinion}</td><td>${text(first.text)}</td></tr>`,
  );
  const head = `<tr><th scope="col">case</th><th scope="col">suite</th><th scope="col">${judge.judge}</th><th scope="col">what</th></tr>`;
  const table = `<div class="wide" role="region" aria-label="Where ${judge.judge} differs" tabindex="0"><table><thead>${head}</thead><tbody>${rows.join('\n')}</tbody></table></div>`;
  return `<h3>${text(sentence)}</h3>${notes === '' ? '' : `<ul>${notes}</ul>`}${rows.length === 0 ? '' : table}`;
}
