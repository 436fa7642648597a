import { expect, test } from 'vitest';
import { forbiddenImports } from './check-dependencies.ts';
import { DEPENDENCY_RULES } from './dependency-rules.ts';
import { foreignMeaning } from './meaning-rules.ts';

test.each([
  ['mock/engine/engine.ts', `import { check } from '#contract-tests';`, ['#contract-tests']],
  ['mock/store/memory.ts', `import type { Engine } from '../engine/engine.ts';`, ['mock/engine/engine.ts']],
  ['contract-tests/check.ts', `export * from '../mock/index.ts';`, ['mock/index.ts']],
  [
    'contract-tests/laws/law.ts',
    `const { run } = await import('../run/run.ts');`,
    ['contract-tests/run/run.ts'],
  ],
  ['spec/index.ts', `import type {\n  Mock,\n  Rule,\n} from '#mock';`, ['#mock']],
])('%s may not hold %s', (file, source, targets) => {
  expect(forbiddenImports(file, source).map((line) => line.split(/ imports |\. /)[1])).toEqual(targets);
});

test.each([
  ['mock/engine/engine.ts', `import { loadContract } from '#spec';\nimport { a } from '../http/accept.ts';`],
  ['contract-tests/laws/law.ts', `import { b } from './evidence.ts';\nimport fs from 'node:fs';`],
  ['contract-tests/laws/law.ts', `// '#mock'\nconst from = '#mock';`],
])('%s may hold %s', (file, source) => {
  expect(forbiddenImports(file, source)).toEqual([]);
});

test('each rule says why', () => {
  expect(DEPENDENCY_RULES.filter(([, , why]) => why.length < 10)).toEqual([]);
});

test.each<[string, string, string, number]>([
  ['an expression of names', 'mock/records/new.ts', 'const MOMENT = /^(?:created|updated)_?at$/;', 1],
  ['one made of a text', 'contract-tests/laws/new.ts', "const A = new RegExp('^(?:after|before)$');", 1],
  ['one of a protocol', 'mock/records/new.ts', 'const JSON_TYPE = /^application\\/json$/;', 0],
  ['one without words', 'mock/records/new.ts', 'const ID = /^[a-z]+-\\d+$/;', 0],
  ['a description', 'contract-tests/laws/new.ts', 'const { description } = spot.value;', 1],
  ['a summary as a text', 'mock/records/new.ts', "textAt(spot, 'summary');", 1],
  ['sentences', 'mock/records/new.ts', 'sentencesOf(operation.spot);', 1],
  [
    'the same in spec',
    'spec/meaning/new.ts',
    'sentencesOf(operation.spot).some((one) => /only/.test(one));',
    0,
  ],
  ['seeded values', 'mock/records/seed/new.ts', 'const COLOUR = /colou?r/;', 0],
  ['a report', 'contract-tests/report/new.ts', 'const { description } = report;', 0],
])('%s outside of spec', (_, file, source, count) => {
  expect(foreignMeaning(file, source)).toHaveLength(count);
});
