import { globSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { stringifyJson } from '#spec';
import { compat } from './index.ts';

/** Documents with an annotation at each operation and each schema: all of them are tried, and none has changed. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const']);
const TYPES = /^(?:string|integer|number|boolean|array|object)$/;

function touched(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(touched);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    DATA.has(name) ? member : touched(member),
  ]);
  const { type, responses } = value as { type?: unknown; responses?: unknown };
  const isTouched = (typeof type === 'string' && TYPES.test(type)) || responses !== undefined;
  return Object.fromEntries([...members, ...(isTouched ? [['$comment', 'touched']] : [])]);
}

test.for(['spec/openapi.yaml', ...globSync('fixtures/specs/*.yaml')])('%s', async (file) => {
  const folder = await mkdtemp(join(tmpdir(), 'compat-'));
  // Integers of any size stay as they are.
  const document = parse(await readFile(file, 'utf8'), { intAsBigInt: true });
  const next = join(folder, basename(file));
  await writeFile(next, stringifyJson(touched(document), 1));
  const { exitCode, reason, findings, notices } = await compat(file, next, { examples: 1 });
  const reported = {
    findings: findings.map(({ received }) => received),
    notices: notices.map(({ text }) => text),
  };
  expect({ exitCode, reason, ...reported }).toEqual({
    exitCode: 0,
    reason: undefined,
    findings: [],
    notices: [],
  });
});
