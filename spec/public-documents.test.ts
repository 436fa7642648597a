import { globSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Contract, loadContract } from './contract.ts';
import { compileRequestReader } from './request-reader.ts';
import { sample } from './schema/sample.ts';

/** Published documents from packages for testing tools; where a document exists in two formats, the YAML version. */
const EXAMPLES = dirname(fileURLToPath(import.meta.resolve('@readme/oas-examples/package.json')));
const GALAXY = dirname(fileURLToPath(import.meta.resolve('@scalar/galaxy')));

const DOCUMENTS = [
  ...globSync(join(EXAMPLES, '{2.0,3.0,3.1}/yaml/*.yaml')),
  ...globSync(join(GALAXY, '*.yaml')),
].map((file): [name: string, file: string] => [relative('', file), file]);

/** Compiles and samples every schema of every operation, as mock and suite do on demand. */
function exercise({ operations, validators }: Contract): void {
  for (const operation of operations) {
    compileRequestReader(operation, validators)({ path: {}, query: 'a=1', headers: {}, body: undefined });
    for (const { content } of operation.responses) {
      for (const { schema, shape } of content)
        if (schema && shape) validators.compile(schema, 'response')(sample(shape, { key: operation.id }));
    }
  }
}

describe('a public document is read', () => {
  test('there are many', () => {
    expect(DOCUMENTS.length).toBeGreaterThan(50);
  });

  test.each(DOCUMENTS)('%s', async (_, file) => {
    exercise(await loadContract(file));
  });
});

test('the only warnings of one that is written with care are of references that leave out its $ids', async () => {
  const { warnings } = await loadContract(join(GALAXY, 'latest.yaml'));
  const about = new Set(warnings.map(({ message }) => /leads nowhere below the "(.*)"/.exec(message)?.[1]));
  expect([...about]).toEqual(['$id']);
});
