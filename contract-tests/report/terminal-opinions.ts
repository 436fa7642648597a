import { groupOpinions, type Heard } from './opinion-groups.ts';
import type { Report } from './report.ts';
import { plain } from './words.ts';

const SHOWN = 8;

/** What the outside judges say, beside what the suite says. */
export function opinionLines(report: Report, title: (text: string) => string): string[] {
  const heard = groupOpinions(report);
  return heard.length === 0
    ? []
    : [title('Outside opinions, which decide nothing:'), ...heard.flatMap(linesOf), ''];
}

function linesOf({ judge, sentence, groups }: Heard): string[] {
  const shown = groups.slice(0, SHOWN).map(({ first, count, opinion }) => ({
    where: plain(first.caseId) + (count > 1 ? ` and ${count - 1} more` : ''),
    suite: plain(first.suite),
    opinion,
    text: plain(first.text),
  }));
  const rows = [{ where: '', suite: 'suite', opinion: judge.judge as string, text: '' }, ...shown];
  const width = (key: 'where' | 'suite' | 'opinion') => Math.max(...rows.map((row) => row[key].length));
  const [first, second, third] = [width('where'), width('suite'), width('opinion')];
  const lines = rows.flatMap(({ where, suite, opinion, text }) => [
    `   ${where.padEnd(first)}  ${suite.padEnd(second)}  ${opinion.padEnd(third)}`.trimEnd(),
    ...(text === '' ? [] : [`      ${text}`]),
  ]);
  const more = groups.length - shown.length;
  return [
    ` ${plain(sentence)}`,
    ...judge.notes.map((note) => `   ${plain(note)}`),
    ...(shown.length > 0 ? lines : []),
    ...(more > 0 ? [`   and ${more} more, in the JSON report`] : []),
  ];
}
