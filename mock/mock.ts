import { fileURLToPath } from 'node:url';
import { type Contract, loadContract } from '#spec';
import { type Mock, openMock } from './open-mock.ts';
import { type MockOptions, type ResolvedOptions, resolveOptions } from './options.ts';
import type { RecordedSummary } from './recorded/recorded-traffic.ts';
import { listen } from './server/listen.ts';
import { createServing } from './serving.ts';
import { type SeedFrom, withSeeds } from './snapshot/with-seeds.ts';
import { storeAt } from './store/open-store.ts';
import type { Collection, Contents } from './store/port.ts';

/**
 * Starts a mock of an OpenAPI document.
 * `P` is the `paths` that openapi-typescript generates from the document; with it `state` and `records` have types.
 * @throws RangeError naming each option that is unknown or has a value that is not allowed; DocumentError when the
 * document or a seed file is invalid; StoreError when the store cannot be opened; the system's error (`EADDRINUSE`, ...)
 * when the address cannot be listened on.
 * @example
 * ```ts
 * const mock = await createMock({ document: 'openapi.yaml', seed: 7, count: 20 });
 * const response = await fetch(`${mock.url}/things`, { headers: { Authorization: `Bearer ${BUILT_IN_KEY}` } });
 * await mock.close();
 * ```
 */
export async function createMock<P = unknown>(given: MockOptions): Promise<Mock<P>> {
  const resolved = resolveOptions(given, storeAt);
  let recorded: RecordedSummary | undefined;
  const seedFrom = seedsOf(resolved, (summary) => {
    recorded = summary;
  });
  const options = { ...resolved, seedFrom };
  const { document, port, watch } = options;
  const location = isContract(document) ? undefined : locationOf(document);
  // What a contract was loaded from is not known any more.
  if (watch && location === undefined)
    throw new RangeError('To be watched, a document must be given by its path');
  if (options.overlays.length > 0 && location === undefined)
    throw new RangeError('For overlays, a document must be given by its path: a contract is read already');
  const contract = location === undefined ? (document as Contract) : await loadContract(location, options);
  let origin = 'http://localhost';
  const serving = await createServing(contract, options, () => origin);
  const { engine, service, sessions, access } = serving;

  const listening =
    port === false
      ? undefined
      : listen(engine, {
          ...options,
          port,
          refuse: (refusal) => service().finish(service().refuse(refusal)),
          redact: (target) => service().redact(target),
          showReason: (reason) => service().showReason(reason),
          mayControl: (request) => access(request) === undefined,
        });
  const server = await listening?.catch(async (error) => {
    await serving.close();
    throw error;
  });
  if (server) origin = server.origin;
  const watching =
    watch && location !== undefined
      ? (await import('./watch/watch-document.ts')).watchDocument(location, serving, options)
      : undefined;

  const close = async () => {
    watching?.close();
    // Streams of events never end by themselves, and the server waits for all responses.
    sessions.close();
    await server?.close();
    await serving.close();
  };
  return openMock(serving, origin, options, close, () => recorded);
}

/** What seed files say counts before recorded traffic. Loaded only when there is one: most mocks start without. */
function seedsOf(
  { fixtures, recorded }: ResolvedOptions,
  tell: (summary: RecordedSummary) => void,
): SeedFrom | undefined {
  if (fixtures.length === 0 && recorded === undefined) return undefined;
  return async (collections, context) => {
    const seeds = new Map<Collection, Contents>();
    if (recorded) {
      const { learnRecords } = await import('./recorded/learn-records.ts');
      const { contents, summary } = await learnRecords(recorded, { ...context, collections });
      for (const [collection, own] of contents) seeds.set(collection, own);
      tell(summary);
    }
    if (fixtures.length > 0) {
      const { readSeedFiles } = await import('./snapshot/fixtures.ts');
      const contents = await readSeedFiles(fixtures, collections, context);
      for (const [collection, own] of contents) seeds.set(collection, own);
    }
    return withSeeds(collections, seeds);
  };
}

function locationOf(document: string | URL): string {
  if (typeof document === 'string') return document;
  return document.protocol === 'file:' ? fileURLToPath(document) : document.href;
}

function isContract(document: MockOptions['document']): document is Contract {
  return typeof document === 'object' && 'operations' in document;
}
