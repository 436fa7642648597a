import type { Contract } from '#spec';
import { CONTROL_PATH } from './control/path.ts';
import { curlLine } from './curl-line.ts';
import { type MockSession, openMockSession } from './mock-session.ts';
import type { ResolvedOptions } from './options.ts';
import type { RecordedSummary } from './recorded/recorded-traffic.ts';
import type { ActionName } from './records/actions/action.ts';
import type { Serving } from './serving.ts';

/** A running mock; it is itself the session of all requests that name none. */
export interface Mock<P = unknown> extends MockSession<P> {
  /** The base URL of the control API: `http://127.0.0.1:4020/__admin`. */
  readonly controlUrl: string;
  /** The mocked document, read and compiled. */
  readonly contract: Contract;
  /** What the mock does for each operation, in the order of the document. */
  readonly operations: readonly MockedOperation[];
  /** What recorded traffic has shown of records (`recorded`); undefined: there was none. */
  readonly recorded: RecordedSummary | undefined;
  /**
   * A session with a state of its own, for tests that run in parallel; the same name is the same session.
   * @throws RangeError unless the name has 1 to 64 letters, digits and the characters `.`, `_` and `-`.
   */
  session(name: string): MockSession<P>;
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
 * What users get of a mock.
 * @param origin `http://127.0.0.1:4020`
 */
export function openMock<P>(
  serving: Serving,
  origin: string,
  options: ResolvedOptions,
  close: () => Promise<void>,
  recorded: () => RecordedSummary | undefined = () => undefined,
): Mock<P> {
  const { service } = serving;
  const sessionNamed = (name: string) => openMockSession(name, { ...serving, origin, options });
  const main = sessionNamed('');
  const mock: Mock = {
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
    get recorded() {
      return recorded();
    },
    session: sessionNamed,
    curlLine: (key) => curlLine(service().endpoints, service().collections, main.url, key),
    close,
  };
  // That the generated types are those of this document is for the caller to see to.
  return mock as unknown as Mock<P>;
}
