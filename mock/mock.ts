import { fileURLToPath } from 'node:url';
import { type Contract, type LoadOptions, loadContract } from '#spec';
import type { ActionName } from './answer/actions/action.ts';
import type { MockRequest } from './answer/exchange.ts';
import type { Refusal } from './answer/refusal.ts';
import { compileAccess } from './control/access.ts';
import { CONTROL_PATH } from './control/path.ts';
import { curlLine } from './curl-line.ts';
import { type MockOptions, resolveOptions } from './options.ts';
import { listen } from './server/listen.ts';
import { createServing } from './serving.ts';
import { type MockSession, openMockSession } from './session/mock-session.ts';
import { watchDocument } from './watch/watch-document.ts';

/** A running mock; it is itself the session of all requests that name none. */
export interface Mock extends MockSession {
  /** Where the mock itself can be asked: `http://127.0.0.1:4020/__admin`. */
  readonly controlUrl: string;
  readonly contract: Contract;
  readonly operations: readonly MockedOperation[];
  /** A state of its own, for tests that run at once; the same name means the same session. */
  session(name: string): MockSession;
  /** A curl command that is answered with success; undefined: the document has no operation to read with. */
  curlLine(key: string): string | undefined;
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
 * @throws DocumentError when the document is broken; StoreError when the store, and the system's error when the
 * address cannot be had.
 */
export async function createMock(given: MockOptions): Promise<Mock> {
  const options = resolveOptions(given);
  const { port } = options;
  const location = options.watch ? locationOf(given.document) : undefined;
  let origin = 'http://localhost';
  const serving = await createServing(await contractOf(given.document, options), options, () => origin);
  const { engine, service, sessions } = serving;

  const refuse = (refusal: Refusal) => service().finish(service().refuse(refusal));
  const redact = (target: string) => service().redact(target);
  const access = compileAccess(options.adminToken, options.host);
  const maySteer = (request: Pick<MockRequest, 'headers'>) => access(request) === undefined;
  const listening =
    port === false ? undefined : listen(engine, { ...options, port, refuse, redact, maySteer });
  const server = await listening?.catch(async (error) => {
    await serving.close();
    throw error;
  });
  if (server) origin = server.origin;
  const watching = location === undefined ? undefined : watchDocument(location, serving, options);

  const sessionNamed = (name: string) =>
    openMockSession({ ...options, name, origin, service, engine, sessions });
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
      // Streams of events never end by themselves, and the server waits for all answers.
      sessions.close();
      await server?.close();
      await serving.close();
    },
  };
}

function contractOf(document: MockOptions['document'], options: LoadOptions): Promise<Contract> | Contract {
  return isContract(document) ? document : loadContract(locationOf(document), options);
}

/** @throws RangeError for a contract: what it was loaded from is not known any more. */
function locationOf(document: MockOptions['document']): string {
  if (typeof document === 'string') return document;
  if (isContract(document)) throw new RangeError('To be watched, a document must be given by its path');
  return document.protocol === 'file:' ? fileURLToPath(document) : document.href;
}

function isContract(document: MockOptions['document']): document is Contract {
  return typeof document === 'object' && 'operations' in document;
}
