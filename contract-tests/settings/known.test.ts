import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Behaviour } from '../../quality/mutants/by-hand/behaviour.ts';
import { type RunningShop, startShop } from '../../quality/mutants/by-hand/shop.ts';
import { runCheck } from '../testing/run-check.ts';
import { readKnown } from './known.ts';

const shops: RunningShop[] = [];

afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.close();
});

async function file(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'known.yaml');
  await writeFile(path, text);
  return path;
}

/** A run against a shop that answers a read with a status of its own, with this file of known findings. */
async function runWith(known: string, behaviour: Partial<Behaviour>) {
  const shop = await startShop(behaviour);
  shops.push(shop);
  return runCheck({
    target: shop.url,
    apiKey: shop.apiKey,
    known: await file(known),
    only: 'listPets/200/limit-',
    settle: 50,
  });
}

const LIMITLESS: Partial<Behaviour> = { page: (pets) => pets };
const CASES = ['limit-least', 'limit-next-to-least', 'limit-default'];
const entries = (until: string) =>
  CASES.map((name) => `- { case: listPets/200/${name}, until: ${until}, why: PAD-7 }`).join('\n');

test('a known finding is told and does not gate, until its day is over', async () => {
  // Each case that lists with a page size finds it.
  const { findings } = await runWith('[]', LIMITLESS);
  const found = [...new Set(findings.map(({ caseId }) => caseId))];
  expect(found).toEqual(expect.arrayContaining(CASES.map((name) => `listPets/200/${name}`)));
  const entries = (until: string) =>
    found.map((id) => `- { case: ${id}, until: ${until}, why: PAD-7 }`).join('\n');

  const accepted = await runWith(entries('2999-12-31'), LIMITLESS);
  const left = accepted.findings.filter(({ gates }) => gates).map(({ caseId }) => caseId);
  expect(left).toEqual([]);
  expect(accepted.findings.map(({ knownUntil }) => knownUntil)).toContain('2999-12-31');
  expect(accepted.exitCode).toBe(0);

  const over = await runWith(entries('2020-01-01'), LIMITLESS);
  expect(over.exitCode).toBe(1);
  expect(over.notices.map(({ text }) => text).join()).toContain('it expired on 2020-01-01');
});

test('a key accepts what all cases see, and is to be struck when it is fixed', async () => {
  const found = await runWith('[]', LIMITLESS);
  const keys = [...new Set(found.findings.map(({ key }) => key))];
  expect(found.findings.length).toBeGreaterThan(keys.length);
  const entries = keys.map((key) => `- { key: "${key}", until: 2999-12-31 }`).join('\n');
  const accepted = await runWith(entries, LIMITLESS);
  expect(accepted.findings.filter(({ gates }) => gates)).toEqual([]);
  expect(accepted.exitCode).toBe(0);
  expect(accepted.notices.map(({ text }) => text).join()).not.toContain('--known');
});

test('a finding that is fixed, and a case that does not exist, are to be struck', async () => {
  const { notices } = await runWith(
    `${entries('2999-12-31')}\n- { case: no/such/case, until: 2999-12-31 }`,
    {},
  );
  const texts = notices.map(({ text }) => text);
  expect(texts.filter((text) => text.includes('it is fixed'))).toHaveLength(CASES.length);
  expect(texts.join()).toContain('there is no such case');
});

test.for([
  ['no list', 'case: a', /:1: the file must hold a list/],
  ['no day', '- { case: a, until: soon }', /:1: "until" must be a day/],
  [
    'no such law',
    '- { case: a, until: 2030-01-01 }\n- { case: b, until: 2030-01-01, law: gravity }',
    /:2: "gravity" is no law/,
  ],
  ['neither key nor case', '- { until: 2030-01-01 }', /:1: "case" must be the id of a case/],
  ['a stray member', '- { case: a, until: 2030-01-01, untl: x }', /"untl" is no member/],
] as const)('a file that cannot be meant is refused with its line: %s', async ([, text, message]) => {
  const path = await file(text);
  expect(() => readKnown(path)).toThrow(message);
});
