import { readsDocuments, vocabularyOf } from './vocabulary.ts';

/**
 * Where small tables of words stay outside of `spec`: what a name looks like in seeded values, members of error bodies, and
 * names that learned documents get.
 */
const TABLES = ['mock/records/seed/', 'mock/http/error-', 'traffic/learn/'];

/**
 * Files that read names or texts of a document by themselves still, or have an expression with a word for another reason: how
 * many expressions with words, and how many reads of a description or summary, each may have. No line is added.
 */
const STILL = new Map(
  `
compat/changes/changes-of.ts 1 0
compat/changes/encoding-changes.ts 0 2
compat/changes/forms.ts 1 0
compat/changes/security-changes.ts 0 1
console/records/record-file.ts 2 0
console/records/record-table.ts 5 0
contract-tests/roots/facts.ts 2 0
contract-tests/roots/record-rules.ts 1 0
contract-tests/roots/roots.ts 2 0
contract-tests/roots/status-rules.ts 2 0
mock/http/authenticate.ts 0 3
mock/http/representations.ts 1 0
mock/pictures/picture.ts 1 0
mock/resolve-options.ts 2 0
mock/start.ts 0 1
traffic/observe/findings-so-far.ts 2 0
traffic/observe/plain-request.ts 1 0
traffic/observe/read-request.ts 2 0
traffic/observe/traffic-laws.ts 1 0
`
    .trim()
    .split('\n')
    .map((line): [string, readonly number[]] => {
      const [file = '', ...most] = line.split(' ');
      return [file, most.map(Number)];
    }),
);

/** What a file outside of `spec` decides by English itself: `FILE: ...`. */
export function foreignMeaning(file: string, source: string): string[] {
  if (file.startsWith('spec/') || !readsDocuments(file) || TABLES.some((place) => file.startsWith(place)))
    return [];
  const [expressions = 0, reads = 0] = STILL.get(file) ?? [];
  const found = vocabularyOf(source, file);
  const why = 'spec alone decides what documents mean (quality/meaning-rules.ts)';
  return [
    ...(found.expressions.length > expressions
      ? [
          `${file}: an expression with words: ${found.expressions.map((one) => `/${one}/`).join(', ')}. ${why}`,
        ]
      : []),
    ...(found.prose.length > reads
      ? [`${file}: reads a description or summary: ${found.prose.join(', ')}. ${why}`]
      : []),
  ];
}
