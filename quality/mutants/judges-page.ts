import { GROUPS, type JudgedRow, VERDICTS } from './judged-row.ts';

/** The page that compares the judges with the suite. @param versions of the judges, such as `Dredd 14.1.0` */
export function renderJudges(rows: readonly JudgedRow[], versions: readonly string[]): string {
  return `${[
    '# What outside judges see of the hunt',
    `\`npm run hunt -- --judges\` tries every suspect of [the hunt](hunt.md), and asks ${versions.join(' and ')} as well. It wrote this page; a test compares the suite's column and the totals.`,
    renderTotals(rows),
    '## How they were asked',
    HOW,
    ...GROUPS.flatMap(({ title, mutants, lookalikes }) => [
      `## ${title}: mutants`,
      matrix('Mutant', pick(rows, mutants)),
      `## ${title}: lookalikes`,
      matrix('Lookalike', pick(rows, lookalikes)),
    ]),
  ].join('\n\n')}\n`;
}

const HOW = `The suite checked each suspect once, as in the hunt. What that run had sent and received was then played back to the judges; neither of them spoke with the suspect.

- **Dredd** judges one answer for each documented status of each operation, 8 for the Pet Store. The suite had brought the service into the state that the row speaks of, and chose the answer: one that it finds fault with itself, if there is any. That is more help than hooks written by hand can give, and more than Dredd would have alone.
- **Prism's proxy** judges every exchange of the run, some 300 for the Pet Store, those with invalid requests and wrong keys included. Each entry of \`sl-violations\` about a response counts, warnings too; not counted is that it takes integers beyond 2^53 for wrong, and that it objects to a status which the document leaves to "any other error" and the suite has nothing against.
- Both were given the document without its \`default\` responses, which would let every status pass. Neither was shown what is no whole answer: connections that break off, wrong lengths, answers that never come; nor answers that the suite waits out (429, 502 and the like). Neither compares one answer with another, and most laws of the hunt speak of several.
- A single objection is enough for _killed_ or _refused_, whatever it is about. _Says nothing_: of none of the answers, so it is neither. Prism answers 500 itself where a body is no JSON or not what its encoding says, and ends where it cannot read a media type; headers beyond 16 KiB are too many for both. A user would notice that something is wrong, but not what.
- Of other documents, an objection to a mutant does not count where the judge also objects to the service without a fault (\`…-as-it-is\`), about the same operation and status.`;

/** How many mutants each has caught, and lookalikes refused. */
export function renderTotals(rows: readonly JudgedRow[]): string {
  const judges = [
    ['The suite', 'suite'],
    ['Dredd', 'dredd'],
    ["Prism's proxy", 'prism'],
  ] as const;
  const count = (names: readonly string[], judge: 'suite' | 'dredd' | 'prism', verdict: string) => {
    const verdicts = pick(rows, names).map((row) => row[judge]);
    const silent = verdicts.filter((one) => one === VERDICTS.silent).length;
    const counted = `${verdicts.filter((one) => one === verdict).length} of ${names.length}`;
    return silent > 0 ? `${counted}; of ${silent} it says nothing` : counted;
  };
  return table([
    ['', ...GROUPS.flatMap(({ title }) => [`${title}: mutants caught`, 'lookalikes refused'])],
    ...judges.map(([title, judge]) => [
      title,
      ...GROUPS.flatMap(({ mutants, lookalikes }) => [
        count(mutants, judge, VERDICTS.killed),
        count(lookalikes, judge, VERDICTS.refused),
      ]),
    ]),
  ]);
}

/** The rows of a written page. */
export function readRows(page: string): JudgedRow[] {
  return page.split('\n').flatMap((line) => {
    const [, name, suite, dredd, prism, ...more] = line.split('|').map((cell) => cell.trim());
    if (!name || !suite || !dredd || !prism || more.length !== 1) return [];
    return suite === 'Suite' || suite === '---' ? [] : [{ name, suite, dredd, prism }];
  });
}

/** In the order of the names. */
function pick(rows: readonly JudgedRow[], names: readonly string[]): JudgedRow[] {
  return names.flatMap((name) => rows.find((row) => row.name === name) ?? []);
}

function matrix(title: string, rows: readonly JudgedRow[]): string {
  return table([
    [title, 'Suite', 'Dredd', 'Prism'],
    ...rows.map(({ name, suite, dredd, prism }) => [name, suite, dredd, prism]),
  ]);
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
