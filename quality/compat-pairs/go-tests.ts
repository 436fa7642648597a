import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Two documents that a test of oasdiff's checker opens, before the test changes them. */
export interface TestPair {
  /** The first test that opens them. */
  readonly test: string;
  readonly old: string;
  readonly new: string;
}

/** The distinct pairs in the tests of `checker`. @param checkout a folder with a copy of oasdiff */
export async function testPairs(checkout: string): Promise<TestPair[]> {
  const folder = join(checkout, 'checker');
  const names = (await readdir(folder)).filter((name) => name.endsWith('_test.go')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const folders = new Map(
    texts.flatMap((text) =>
      [...text.matchAll(FOLDER)].map(([, name = '', subfolder = '']) => [name, subfolder] as const),
    ),
  );
  const pairs = texts.flatMap((text) =>
    text
      .split(/^(?=func )/m)
      .filter((part) => part.startsWith('func Test'))
      .flatMap((part) => pairsIn(part, folders, folder)),
  );
  const groups = Map.groupBy(pairs, (pair) => `${pair.old} ${pair.new}`);
  return [...groups.values()].flatMap(([first]) => first ?? []);
}

/** `stabilityFile = dataFileFn("stability")` */
const FOLDER = /(\w+)\s*=\s*dataFileFn\("([^"]+)"\)/g;
/** The arguments of a call that opens one or two documents. */
const CALL = /\b(open|l|d|loadFrom|stabilityChanges)\(([^\n]*)/g;

function pairsIn(part: string, folders: ReadonlyMap<string, string>, folder: string): TestPair[] {
  const [, test = ''] = /^func (\w+)/.exec(part) ?? [];
  const opened = [...part.matchAll(CALL)].flatMap(([, call = '', args = '']) =>
    filesOf(call, args, folders).map((file) => join(folder, '..', 'data', file)),
  );
  return opened.flatMap((old, index) => {
    const next = opened[index + 1];
    return index % 2 === 0 && next !== undefined ? [{ test, old, new: next }] : [];
  });
}

/** Relative to the folder `data`. */
function filesOf(call: string, args: string, folders: ReadonlyMap<string, string>): string[] {
  const numbers = [...args.matchAll(/, (\d+)/g)].map(([, number]) => number);
  if (call === 'l' || call === 'd') return numbers.map((number) => `openapi-test${number}.yaml`);
  const texts = [...args.matchAll(/(?:(\w+)\()?"([^"]+)"/g)];
  if (call === 'loadFrom') return texts.map(([, , text]) => below(`${text}spec${numbers[0]}.yaml`));
  return texts.map(([, wrapper = '', text = '']) => {
    const subfolder = call === 'stabilityChanges' ? 'stability' : folders.get(wrapper);
    return subfolder === undefined ? below(text) : `${subfolder}/${text}`;
  });
}

const below = (path: string) => path.replace('../data/', '');
