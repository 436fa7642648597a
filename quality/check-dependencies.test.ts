import { expect, test } from 'vitest';
import { forbiddenImports } from './check-dependencies.ts';
import { DEPENDENCY_RULES } from './dependency-rules.ts';

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
