import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startMock, startPaddock } from '../../quality/testing/paddock.ts';
import { startPostgres } from '../testing/postgres-server.ts';

/** The rounds of one store: how each ended, and states that were neither old nor new. */
interface ImportRounds {
  readonly old: number;
  readonly new: number;
  readonly faults: readonly string[];
}

interface State {
  readonly records: Readonly<Record<string, readonly { readonly name: string }[]>>;
}

const RECORDS = 2000;
const COUNT = 20;

/** Two collections, as filling both at once must not fill only one. */
const DOCUMENT = {
  openapi: '3.1.1',
  info: { title: 'Imports', version: '1' },
  paths: Object.fromEntries(['/cats', '/dogs'].map((path) => [path, operationsOf()])),
};

function operationsOf() {
  const id = { type: 'integer', readOnly: true };
  const one = { type: 'object', required: ['name'], properties: { id, name: { type: 'string' } } };
  const content = (schema: unknown) => ({ 'application/json': { schema } });
  return {
    get: { responses: { 200: { description: 'all', content: content({ type: 'array', items: one }) } } },
    post: {
      requestBody: { required: true, content: content(one) },
      responses: { 201: { description: 'made', content: content(one) } },
    },
  };
}

const imported = Array.from({ length: RECORDS }, (_, n) => ({ name: `imported ${n}` }));
const whole = { records: { '/cats': imported, '/dogs': imported } };

/** Imports of many records at once: by path below the control API, else at the first start. */
const IMPORTS: Readonly<Record<string, { readonly method: string; readonly body?: unknown } | undefined>> = {
  'records?collection=/cats': { method: 'POST', body: imported },
  state: { method: 'PUT', body: whole },
  reset: { method: 'POST' },
  '--fixture': undefined,
};

/** Kills a mock in the middle of an import, several times for each kind, and inspects the store. */
async function killImports(
  createStore: () => Promise<string>,
  rounds: number,
  kinds = Object.keys(IMPORTS),
): Promise<Readonly<Record<string, ImportRounds>>> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-imports-'));
  const document = join(folder, 'imports.json');
  const fixture = join(folder, 'fixture.json');
  await writeFile(document, JSON.stringify(DOCUMENT));
  await writeFile(fixture, JSON.stringify(whole));
  const options = [document, '--count', String(COUNT)];
  const start = (store: string) => startMock(['--log=quiet', ...options], { env: { PADDOCK_STORE: store } });

  /** Imports into a new store; kills after so many milliseconds, or returns the duration. */
  async function round(kind: string, killAfter: number | undefined) {
    const store = await createStore();
    const request = IMPORTS[kind];
    let took: number;
    let before: State = { records: {} };
    if (request) {
      const mock = await start(store);
      // A reset needs something to remove.
      if (kind === 'reset') await ask(mock.url, 'state', { method: 'PUT', body: whole });
      before = await stateOf(mock.url);
      const begun = performance.now();
      const asking = ask(mock.url, kind, request).catch(() => {});
      await (killAfter === undefined ? asking : sleep(killAfter));
      took = performance.now() - begun;
      await mock.stop('SIGKILL');
      await asking;
    } else {
      const begun = performance.now();
      const env = { PADDOCK_STORE: store };
      const args = ['mock', ...options, '--port', '0', '--fixture', fixture];
      const mock = startPaddock(args, { env });
      const listens = async () => {
        while (!mock.output().out.includes('base URL')) await sleep(5);
      };
      await (killAfter === undefined ? listens() : sleep(killAfter));
      took = performance.now() - begun;
      await mock.stop('SIGKILL');
    }
    const after = await start(store);
    const state = await stateOf(after.url);
    await after.stop();
    return { took, before: shownOf(before), state: shownOf(state) };
  }

  const results: Record<string, ImportRounds> = {};
  try {
    for (const kind of kinds) {
      const undisturbed = await round(kind, undefined);
      const result = { old: 0, new: 0, faults: [] as string[] };
      let delay = undisturbed.took;
      for (let count = 0; count < rounds; count++) {
        const { before, state } = await round(kind, delay * (0.7 + 0.6 * Math.random()));
        const isOld = state === before || (!IMPORTS[kind] && state === SEEDED);
        // Approaches the moment at which everything is stored.
        if (isOld) delay *= 1.2;
        else delay /= 1.2;
        if (isOld) result.old++;
        else if (state === undisturbed.state) result.new++;
        else result.faults.push(`${kind}: neither ${before} nor ${undisturbed.state}, but ${state}`);
      }
      results[kind] = result;
    }
    return results;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The numbers of imported and other records, in words. */
function shownOf({ records }: State): string {
  const counts = ['/cats', '/dogs'].map((path) => {
    const names = (records[path] ?? []).map(({ name }) => name);
    const isImported = (name: string) => name.startsWith('imported ');
    return `${path} ${names.filter(isImported).length} imported, ${names.filter((name) => !isImported(name)).length} others`;
  });
  return counts.join('; ');
}

const other = Array.from({ length: COUNT }, () => ({ name: 'seeded' }));
const SEEDED = shownOf({ records: { '/cats': other, '/dogs': other } });

async function ask(url: string, path: string, { method, body }: { method: string; body?: unknown }) {
  const response = await fetch(new URL(`/__admin/${path}`, url), {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}

async function stateOf(url: string): Promise<State> {
  return (await (await fetch(new URL('/__admin/state', url))).json()) as State;
}

/** A file for each call, in a folder that `remove` deletes. */
async function fileStores() {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-imports-'));
  let count = 0;
  return {
    create: async () => `file:${join(folder, `records-${++count}.db`)}`,
    remove: () => rm(folder, { recursive: true }),
  };
}

test.each([
  ['a file', async () => fileStores()],
  [
    'PostgreSQL',
    async () => {
      const server = await startPostgres();
      return { create: () => server.createPlace(), remove: () => server.remove() };
    },
  ],
])('after a kill in the middle of an import %s has all of it or nothing', async (_, open) => {
  const stores = await open();
  try {
    const results = await killImports(stores.create, 3);
    expect(Object.values(results).map((one) => [one.old + one.new, one.faults])).toEqual(
      Array.from({ length: 4 }, () => [3, []]),
    );
  } finally {
    await stores.remove();
  }
});
