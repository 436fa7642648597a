import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REPORT_FORMATS, renderTerminal } from '#contract-tests';
import { createMock } from '#mock';
import { createReplay, observe } from '#observe';
import { type Contract, isRecord, loadContract } from '#spec';
import { broken, EFFORT, faultsOf } from '../../quality/testing/attack.ts';
import { ROOT } from '../../quality/testing/command.ts';
import { HarError, type RecordedExchange, readHar } from './index.ts';

/** Broken recordings. */
const COUNT = 150 * EFFORT;

const PIECES = [
  ...'" { } [ ] , : \\ null {} [] -1 1e999 "encoding":"base64", "__proto__":{"a":1}, "log":{"entries":['.split(
    ' ',
  ),
  ...['\n', '\u0000', '\ud800', '"_file":"../../etc/passwd",'],
];

const TEXTS = '/ {} data:, http://[ http://a/%ff%/.. constructor __proto__ Zm9v [1,2 2026-13-45T99:99:99Z';
const DATES = ['+275760-09-13T00:00:00.000Z', '-271821-04-20T00:00:00.000Z'];
const VALUES: readonly unknown[] = [
  ...[...TEXTS.split(' '), ...DATES, '', ' ', '\u0000', null, true, -1, 0, 1e308, 2 ** 53],
  ...[[], {}, [null], [[]], { name: 'x' }, [{ name: 7, value: {} }], 'x'.repeat(5000), '9'.repeat(400)],
  ...['['.repeat(20_000), '{"a":'.repeat(5000) + '}'.repeat(5000)],
];

/** A file with a few of its characters changed. */
const brokenFile = (file: string) =>
  broken(
    file,
    fc.oneof(fc.nat(4), fc.nat(file.length)),
    fc.oneof(fc.constantFrom(...PIECES), fc.string(), fc.json()),
  );

/** A file with odd values in the place of a few members, or without these. */
function oddMembers(file: string): fc.Arbitrary<string> {
  const odd = fc.oneof(fc.constantFrom<unknown>(...VALUES, undefined), fc.jsonValue());
  const changes = fc.array(fc.tuple(fc.nat(400), odd), { minLength: 1, maxLength: 6 });
  return changes.map((all) => {
    const har = JSON.parse(file) as { log: { entries: unknown } };
    for (const [at, value] of all) {
      const places = placesIn(har.log.entries);
      const place = places[at % Math.max(places.length, 1)];
      if (place) place.holder[place.name] = structuredClone(value);
    }
    return JSON.stringify(har);
  });
}

interface Place {
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

/** Every member and item within a value. */
function placesIn(value: unknown): Place[] {
  if (!isRecord(value) && !Array.isArray(value)) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])]);
}

async function* inPieces(text: string): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  const size = 1 + (bytes.length % 997);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function judgeFile(text: string, contract: Contract): Promise<void> {
  const observer = observe(contract, { exclusive: true });
  const replay = createReplay(observer);
  for await (const item of readHar(inPieces(text))) if (!('problem' in item)) replayOne(item);
  replay.finish();
  const report = observer.report();
  renderTerminal(report, true);
  const { har: _, ...formats } = REPORT_FORMATS;
  for (const { render } of Object.values(formats)) render(report);

  function replayOne({ request, response, startedAt, ms = 0 }: RecordedExchange): void {
    const answer = response && { ...response, cut: response.bodyMissing, ms };
    replay.add({ ...request, startedAt }, answer, ms);
  }
}

test('a broken recording is refused as no HAR, or gives records that the document allows and a report in each format', async () => {
  const file = await readFile(join(ROOT, 'fixtures/har/shop.har'), 'utf8');
  const document = join(ROOT, 'spec/openapi.yaml');
  const contract = await loadContract(document);
  let [refused, exchanges] = [0, 0];
  const attack = {
    attempts: fc.oneof(brokenFile(file), oddMembers(file)),
    async stands(text: string) {
      try {
        const recorded = () => readHar(inPieces(text));
        const mock = await createMock({ document, port: false, count: 1, recorded });
        exchanges += mock.recorded?.exchanges ?? 0;
        // Only what the document allows can be put back.
        await mock.restore(await mock.state());
        await mock.close();
        await judgeFile(text, contract);
      } catch (error) {
        if (!(error instanceof HarError)) throw error;
        refused += 1;
      }
    },
    shown: (text: string) => text.slice(0, 2000),
  };
  expect(await faultsOf(attack, COUNT)).toEqual([]);
  expect(refused).toBeGreaterThan(5);
  expect(exchanges).toBeGreaterThan(200);
});
