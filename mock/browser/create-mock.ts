import { loadFakerLibrary } from '#platform';
import { type Contract, readContract, stringifyJson } from '#spec';
import { type Mock, openMock } from '../open-mock.ts';
import { resolveOptions } from '../options.ts';
import { type SeedFrom, withSeeds } from '../records/snapshot/with-seeds.ts';
import { createServing } from '../serving.ts';
import { openMemoryStore } from '../store/memory.ts';
import { mayNeedFaker } from './may-need-faker.ts';
import { type BrowserMockOptions, type Seeds, splitOptions } from './options.ts';

/**
 * Starts a mock of an OpenAPI document in a page or a worker: `mock.fetch` responds to requests, and
 * records are kept in memory. Faker is loaded, with a dynamic import, for documents that have members with names that it
 * knows, or `x-faker`.
 * @throws RangeError naming each option that is unknown or has a value that is not allowed; DocumentError when the
 * document or a state is invalid; Error where the page's Content-Security-Policy has no 'unsafe-eval'.
 * @example
 * ```ts
 * const document = await (await fetch('/openapi.yaml')).text();
 * const mock = await createMock({ document });
 * const response = await mock.fetch('/things', { headers: { Authorization: `Bearer ${BUILT_IN_KEY}` } });
 * ```
 */
export async function createMock<P = unknown>(given: BrowserMockOptions): Promise<Mock<P>> {
  checkEvaluation();
  const [{ document, documentName, origin, fixtures }, shared] = splitOptions(given);
  const contract = isContract(document)
    ? document
    : await readContract(document, documentName, { strictDocument: shared.strictDocument === true });
  const resolved = resolveOptions({ ...shared, document: contract }, () => openMemoryStore);
  if (mayNeedFaker(contract)) await loadFakerLibrary();
  const options = { ...resolved, seedFrom: states(fixtures) };
  const serving = await createServing(contract, options, () => origin);
  async function close(): Promise<void> {
    serving.sessions.close();
    await serving.close();
  }

  return openMock({ serving, origin, options, close });
}

/** Said at once: else it would be each request that fails. */
function checkEvaluation(): void {
  try {
    // Called, so that no bundler drops it.
    new Function('')();
  } catch {
    throw new Error(
      "The mock compiles JSON Schemas to functions, which the Content-Security-Policy here forbids: add 'unsafe-eval' to its script-src",
    );
  }
}

function states(fixtures: readonly (string | Seeds)[]): SeedFrom | undefined {
  if (fixtures.length === 0) return undefined;
  return async (collections, { snapshots, readRules }) => {
    const { read } = await snapshots();
    const states = fixtures.map((state, index) =>
      read(`fixtures[${index}]`, typeof state === 'string' ? state : stringifyJson(state, 2), readRules),
    );
    return withSeeds(collections, new Map(states.flatMap((contents) => [...contents])));
  };
}

function isContract(document: string | object): document is Contract {
  return typeof document === 'object' && 'operations' in document && 'validators' in document;
}
