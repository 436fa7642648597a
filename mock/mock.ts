import { fileURLToPath } from 'node:url';
import { type Contract, loadContract } from '#spec';
import type { ActionName } from './answer/actions/action.ts';
import { compileCollection } from './answer/collection.ts';
import { compileEndpoint } from './answer/endpoint.ts';
import { createEngine } from './answer/engine.ts';
import { controlPages } from './control/pages.ts';
import { type MockOptions, resolveOptions } from './options.ts';
import { createFake } from './seed/fake.ts';
import { createSeedValues } from './seed/values.ts';
import { fetchThrough } from './server/fetch.ts';
import { listen } from './server/listen.ts';

/** A running mock. */
export interface Mock {
  /** Base URL with the base path: `http://127.0.0.1:4020/v1`. */
  readonly url: string;
  /** Where the mock itself can be asked: `http://127.0.0.1:4020/__admin`. */
  readonly controlUrl: string;
  readonly contract: Contract;
  readonly operations: readonly { readonly id: string; readonly action: ActionName }[];
  /** Answers a request without a socket; relative addresses are meant from the base URL. */
  fetch(request: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** Back to the seeded records. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a mock of an OpenAPI document.
 * @throws DocumentError when the document is broken, and what `listen` rejects with when the port is taken.
 */
export async function createMock(options: MockOptions): Promise<Mock> {
  const settings = resolveOptions(options);
  const { parts, maxBody, onBug } = settings;
  const contract = await contractOf(options.document);
  const basePath = settings.basePath ? contract.basePath : '';

  const seeds = createSeedValues(settings.seed, createFake(contract.validators));
  const collections = new Map(
    contract.resources.map((resource) => [resource, compileCollection(resource, seeds, settings.count)]),
  );
  const store = await parts.store([...collections.values()]);
  const world = { contract, parts, keys: settings.apiKeys, basePath, seeds, collections };
  const endpoints = contract.operations.map((operation) => compileEndpoint(operation, world));

  let origin = 'http://localhost';
  const engine = createEngine({
    find: parts.route(basePath, endpoints),
    elsewhere: {
      pages: controlPages(contract, basePath),
      baseUrl: () => origin + basePath,
      refuse: parts.refuse(undefined, contract),
      finish: parts.reply(undefined, contract, basePath),
    },
    store,
    maxBody,
    onBug,
  });
  const { port, host, log } = settings;
  const server = port === false ? undefined : await listen(engine, { port, host, maxBody, log });
  if (server) origin = server.origin;

  return {
    url: origin + basePath,
    controlUrl: `${origin}/__admin`,
    contract,
    operations: endpoints.map(({ operation, action }) => ({ id: operation.id, action })),
    fetch: fetchThrough(engine, { baseUrl: origin + basePath, maxBody }),
    reset: async () => store.reset(),
    async close() {
      await server?.close();
      await store.close();
    },
  };
}

function contractOf(document: MockOptions['document']): Promise<Contract> | Contract {
  if (typeof document === 'string') return loadContract(document);
  if (!(document instanceof URL)) return document;
  return loadContract(document.protocol === 'file:' ? fileURLToPath(document) : document.href);
}
