import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { check, REPORT_FORMATS } from '#contract-tests';
import { readHar } from '#har';
import { BUILT_IN_KEY, createMock, type Mock, type Snapshot } from '#mock';
import { stringifyJson } from '#spec';
import { ROOT } from '../quality/testing/command.ts';
import { resultOf } from '../quality/testing/result-of.ts';

/**
 * Record and play: the suite's own recording of a run against a mock, played into another mock. Each record that it
 * begins with is the one that the run has left, and each that the run has made or changed is there.
 */
const DOCUMENTS = ['spec/openapi.yaml', ...globSync('fixtures/specs/*.yaml', { cwd: ROOT })].sort();

type Records = Snapshot['records'];

async function mockOf(document: string, recorded?: () => ReturnType<typeof readHar>): Promise<Mock> {
  const mock = await createMock({ document: join(ROOT, document), count: 8, recorded });
  onTestFinished(() => mock.close());
  return mock;
}

/** The records at each path, by their texts. */
function textsOf(records: Records): ReadonlyMap<string, ReadonlySet<string>> {
  // What the mock keeps of accounts no recording shows.
  const shown = Object.entries(records).filter(([path]) => !path.startsWith('~'));
  return new Map(shown.map(([path, list]) => [path, new Set(list.map(textOf))]));
}

describe.for(DOCUMENTS)('%s', (document) => {
  test('a run of the suite', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'play-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const source = await mockOf(document);
    const before = textsOf((await source.state()).records);
    const report = await resultOf(
      check({
        target: source.url,
        document: join(ROOT, document),
        apiKey: BUILT_IN_KEY,
        recordExchanges: true,
        examples: 3,
      }),
    );
    const file = join(folder, `${basename(document)}.har`);
    await writeFile(file, REPORT_FORMATS.har.render(report));
    const left = textsOf((await source.state()).records);

    const played = await mockOf(document, () => readHar(file));
    const unexpected = played.recorded?.misfits.filter(({ kind }) => !EXPECTED.has(kind)) ?? [];
    expect(unexpected).toEqual([]);
    const { records } = await played.state();
    for (const [path, texts] of textsOf(records)) {
      if (!isCompared(played, path)) continue;
      expect(['extra', path, [...texts].filter((text) => !left.get(path)?.has(text))]).toEqual([
        'extra',
        path,
        [],
      ]);
    }
    for (const [path, texts] of left) {
      if (isOrphaned(path, left)) continue;
      const own = textsOf(records).get(path);
      const made = [...texts].filter((text) => !before.get(path)?.has(text));
      expect(['missing', path, made.filter((text) => !own?.has(text))]).toEqual(['missing', path, []]);
    }
  });
});

/** What the suite does on purpose, or cannot record: bodies that are no text, and lists in short. */
const EXPECTED = new Set(['unknown path', 'body missing', 'body unreadable', 'no record', 'partly made up']);

/** Whether the parent of records is gone, through which alone a recording could show them. */
function isOrphaned(path: string, left: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const [, above = '', id = ''] = /^(.*)\/([^/]+)\/[^/]+$/.exec(path) ?? [];
  const parents = left.get(above);
  const isNamed = (text: string) => [`:"${id}"`, `:${id},`, `:${id}}`].some((value) => text.includes(value));
  return parents !== undefined && ![...parents].some(isNamed);
}

/** A text that does not depend on the order of members. */
function textOf(record: unknown): string {
  return stringifyJson(Object.fromEntries(Object.entries(record as object).sort()));
}

/**
 * Records of collections that nothing lists are kept by no mock before they are written; a record of which only the id
 * is known is made up.
 */
function isCompared({ contract, recorded }: Mock, path: string): boolean {
  const isShown = recorded?.collections.some((one) => one.madeUp === 0 && matches(one.path, path));
  const isListed = contract.resources.some(({ path: template, actions, further }) => {
    const hasList = actions.list !== undefined || further.some(({ role }) => role === 'view');
    return hasList && matches(template, path);
  });
  return isShown === true && isListed;
}

function matches(template: string, path: string): boolean {
  const [left, right] = [template.split('/'), path.split('/')];
  return left.length === right.length && left.every((part, at) => part.startsWith('{') || part === right[at]);
}
