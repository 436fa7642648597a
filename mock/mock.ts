import { fileURLToPath } from 'node:url';
import { type Contract, loadContract } from '#spec';
import type { ActionName } from './answer/actions/action.ts';
import { compileCollections } from './answer/collection.ts';
import { compileEndpoint } from './answer/endpoint.ts';
import { createEngine } from './answer/engine.ts';
import type { Refusal } from './answer/refusal.ts';
import { controlPages } from './control/pages.ts';
import { curlLine } from './curl-line.ts';
import { type MockOptions, resolveOptions } from './options.ts';
import { createAwkward } from './seed/awkward.ts';
import { createFake } from './seed/fake.ts';
import { createSeedValues } from './seed/values.ts';
import { fetchThrough } from './server/fetch.ts';
import { listen } from './server/listen.ts';
import { compileRedaction } from './server/log-entry.ts';

/** A running mock. */
export interface Mock {
  /** Base URL with the base path: `http://127.0.0.1:4020/v1`. */
  readonly url: string;
  /** Where the mock itself can be asked: `http://127.0.0.1:4020/__admin`. */
  readonly controlUrl: string;
  readonly contract: Contract;
  readonly operations: readonly MockedOperation[];
  /** A curl command that is answered with success; undefined: the document has no operation to read with. */
  curlLine(key: string): string | undefined;
  /** Answers a request without a socket; an address that begins with a slash is meant below the base URL. */
  fetch(request: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** Back to the seeded records. */
  reset(): Promise<void>;
  /** Takes no new request; resolves when the last one is answered. */
  close(): Promise<void>;
}

/** What the mock does for an operation. */
export interface MockedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** `sample`: answered from the document's examples or schema; any other action is stateful. */
  readonly action: ActionName;
  /** Why it is not stateful. */
  readonly reason: string | undefined;
}

/**
 * Starts a mock of an OpenAPI document.
 * @throws DocumentError when the document is broken; the system's error when the address cannot be had.
 */
export async function createMock(options: MockOptions): Promise<Mock> {
  const { parts, ...settings } = resolveOptions(options);
  const contract = await contractOf(options.document);
  const basePath = settings.basePath ? contract.basePath : '';

  const seeds = createSeedValues(
    settings.seed,
    createFake(contract.validators),
    createAwkward(contract.validators),
  );
  const collections = compileCollections(contract.resources, contract.validators, seeds, settings.count);
  const store = await parts.store([...collections.values()]);
  const world = { contract, parts, keys: settings.apiKeys, basePath, seeds, collections };
  const endpoints = contract.operations.map((operation) => compileEndpoint(operation, world));

  let origin = 'http://localhost';
  const elsewhere = {
    pages: controlPages(contract, basePath),
    baseUrl: () => origin + basePath,
    refuse: parts.refuse(undefined, contract),
    finish: parts.reply(undefined, contract, basePath),
  };
  const find = parts.route(basePath, endpoints);
  const engine = createEngine({ ...settings, find, elsewhere, store });
  const { port } = settings;
  const refuse = (refusal: Refusal) => elsewhere.finish(elsewhere.refuse(refusal));
  const redact = compileRedaction(contract.operations);
  const server = port === false ? undefined : await listen(engine, { ...settings, port, refuse, redact });
  if (server) origin = server.origin;
  const url = origin + basePath;

  return {
    url,
    controlUrl: `${origin}/__admin`,
    contract,
    operations: endpoints.map(({ operation: { id, method, path }, action, reason }) => {
      return { id, method, path, action, reason };
    }),
    curlLine: (key) => curlLine(endpoints, collections, url, key),
    fetch: fetchThrough(engine, { baseUrl: url, maxBody: settings.maxBody }),
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
