import { fileURLToPath } from 'node:url';
import { type Contract, loadContract } from '#spec';
import { CONTROL_PATH } from './control/path.ts';
import { curlLine } from './curl-line.ts';
import { type MockSession, openMockSession } from './mock-session.ts';
import { type MockOptions, resolveOptions } from './options.ts';
import type { ActionName } from './records/actions/action.ts';
import { listen } from './server/listen.ts';
import { createServing } from './serving.ts';

/** A running mock; it is itself the session of all requests that name none. */
export interface Mock extends MockSession {
  /** The base URL of the control API: `http://127.0.0.1:4020/__admin`. */
  readonly controlUrl: string;
  /** The mocked document, read and compiled. */
  readonly contract: Contract;
  /** What the mock does for each operation, in the order of the document. */
  readonly operations: readonly MockedOperation[];
  /**
   * A session with a state of its own, for tests that run in parallel; the same name is the same session.
   * @throws RangeError unless the name has 1 to 64 letters, digits and the characters `.`, `_` and `-`.
   */
  session(name: string): MockSession;
  /** A curl command with an API key that succeeds; undefined: the document has no GET operation. */
  curlLine(key: string): string | undefined;
  /** Accepts no new request; resolves when the last one is responded to, or after 3 seconds. */
  close(): Promise<void>;
}

/** What the mock does for an operation. */
export interface MockedOperation {
  /** The operationId, or method and path where the document has none. */
  readonly id: string;
  readonly method: string;
  /** As in the document, without the base path. */
  readonly path: string;
  /** `sample`: the response is an example or a sample of the schema; any other action is stateful. */
  readonly action: ActionName;
  /** Why the action is `sample`; undefined: it is not. */
  readonly reason: string | undefined;
}

/**
 * Starts a mock of an OpenAPI document.
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
export async function createMock(given: MockOptions): Promise<Mock> {
  const options = resolveOptions(given);
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

  const sessionNamed = (name: string) => openMockSession(name, { ...serving, origin, options });
  const main = sessionNamed('');
  return {
    ...main,
    get url() {
      return main.url;
    },
    controlUrl: origin + CONTROL_PATH,
    get contract() {
      return service().contract;
    },
    get operations() {
      return service().endpoints.map(({ operation: { id, method, path }, action, reason }) => {
        return { id, method, path, action, reason };
      });
    },
    session: sessionNamed,
    curlLine: (key) => curlLine(service().endpoints, service().collections, main.url, key),
    async close() {
      watching?.close();
      // Streams of events never end by themselves, and the server waits for all responses.
      sessions.close();
      await server?.close();
      await serving.close();
    },
  };
}

function locationOf(document: string | URL): string {
  if (typeof document === 'string') return document;
  return document.protocol === 'file:' ? fileURLToPath(document) : document.href;
}

function isContract(document: MockOptions['document']): document is Contract {
  return typeof document === 'object' && 'operations' in document;
}
