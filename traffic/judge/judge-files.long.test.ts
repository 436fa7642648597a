import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadContract } from '#spec';
import type { ObserveOptions } from '../observe/observed.ts';
import { createObserver } from '../observe/observer.ts';
import { judgeFiles } from './judge-files.ts';
import { boats, trafficOf } from './testing/random-traffic.ts';

const folder = await mkdtemp(join(tmpdir(), 'paddock-judge-files-'));
const document = join(folder, 'boats.json');
beforeAll(() => writeFile(document, JSON.stringify(boats)));
afterAll(() => rm(folder, { recursive: true }));

/** Bytes that are judged before workers are started. */
const ALONE = 50_000;

async function judged(files: readonly string[], workers: number, options: ObserveOptions, place = document) {
  const contract = await loadContract(place);
  const observer = createObserver(contract, options);
  let glimpsed = 0;
  const counted: typeof observer = {
    ...observer,
    get knownSites() {
      return observer.knownSites;
    },
    beginGlimpsed(...given) {
      glimpsed += 1;
      return observer.beginGlimpsed(...given);
    },
  };
  const target = { contract, observer: counted, document: place, load: {}, options };
  const read = await judgeFiles(files, [target], { workers, alone: ALONE });
  const { startedAt: _, totals, ...report } = observer.report();
  const notices = read.map(({ name, tally, isBroken }) => ({ name, isBroken, lines: tally.lines() }));
  return { glimpsed, report: { ...report, totals: { ...totals, ms: 0 }, notices } };
}

async function fileOf(seed: number, count: number): Promise<string> {
  const path = join(folder, `traffic-${seed}.har`);
  await writeFile(path, trafficOf(seed, count));
  return path;
}

describe('the report is the same for any number of workers', () => {
  test.for<[string, ObserveOptions]>([
    ['by default', {}],
    ['nobody else changes records', { exclusive: true, settle: 0 }],
    ['of some cells', { exclusive: true, only: '/(200|201|404)/', baseUrls: ['https://boats.example/v1'] }],
  ])('%s', async ([, options]) => {
    const files = [await fileOf(1, 2500), await fileOf(2, 1500)];
    const alone = await judged(files, 0, options);
    expect(alone.glimpsed).toBe(0);
    expect(alone.report.findings.length).toBeGreaterThan(5);
    for (const workers of [1, 3]) {
      const helped = await judged(files, workers, options);
      expect(helped.report).toEqual(alone.report);
      // Writes, and what is near them, are for the observer.
      expect(helped.glimpsed).toBeGreaterThan(1000);
    }
  });
});

test('a worker that has read another document says so', async () => {
  const files = [await fileOf(3, 800)];
  const other = join(folder, 'changing.json');
  await writeFile(other, JSON.stringify(boats));
  const contract = await loadContract(other);
  const { '/boats/{id}': _, ...paths } = boats.paths;
  await writeFile(other, JSON.stringify({ ...boats, paths }));
  const target = { contract, observer: createObserver(contract), document: other, load: {}, options: {} };
  await expect(judgeFiles(files, [target], { workers: 1, alone: ALONE })).rejects.toThrow(
    'a worker that judges exchanges has read another document: it was changed; PADDOCK_WORKERS=0 judges without workers',
  );
});

test('a worker that fails ends the run with its reason', async () => {
  const files = [await fileOf(4, 800)];
  const contract = await loadContract(document);
  const gone = join(folder, 'gone.json');
  const target = { contract, observer: createObserver(contract), document: gone, load: {}, options: {} };
  await expect(judgeFiles(files, [target], { workers: 2, alone: ALONE })).rejects.toThrow(
    /^a worker that judges exchanges has failed: .*gone\.json.*; PADDOCK_WORKERS=0 judges without workers$/s,
  );
});
