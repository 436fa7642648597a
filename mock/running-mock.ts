import type { Contract } from '#spec';
import type { CodeFile } from './code/watch-code.ts';
import { CONTROL_PATH } from './control/path.ts';
import type { Endpoint } from './engine/endpoint.ts';
import { curlLine, firstRequest } from './first-request.ts';
import type { MockOptions } from './options.ts';
import type { ActionName } from './records/actions/action.ts';
import type { RecordedSummary } from './records/recorded/recorded-traffic.ts';
import type { ServedDocument } from './service.ts';
import { type Started, start } from './start.ts';

/** A mock that runs: what can be said of it as a whole. */
export interface RunningMock {
  /** The base URL of the mocked service: `http://127.0.0.1:4020/v1`. */
  readonly url: string;
  /** The base URL of the control API: `http://127.0.0.1:4020/__admin`. */
  readonly controlUrl: string;
  /**
   * The file (PEM) of the authority that clients have to trust (`NODE_EXTRA_CA_CERTS`); undefined: the mock speaks plain
   * http, or has a certificate of your own.
   */
  readonly authority: string | undefined;
  /** The mocked document, read and compiled. */
  readonly contract: Contract;
  /** The documents that are served together; one, unless there are several. */
  readonly documents: readonly MockedDocument[];
  /** What the mock does for each operation, in the order of the document. */
  readonly operations: readonly MockedOperation[];
  /** What recorded traffic has shown of records (`recorded`); undefined: there was none. */
  readonly recorded: RecordedSummary | undefined;
  /** A curl command with an API key that succeeds; undefined: the document has no GET operation. */
  curlLine(key: string): string | undefined;
  /** Accepts no new request; resolves when the last one is responded to, or after 3 seconds. */
  close(): Promise<void>;
}

/** One of the documents of a mock. */
export interface MockedDocument {
  /** What distinguishes it from the others; empty: it is the only one. */
  readonly name: string;
  /** Where its paths begin: `http://127.0.0.1:4020/v1`. */
  readonly url: string;
  readonly contract: Contract;
  /** In its own order, with its own paths. */
  readonly operations: readonly MockedOperation[];
}

/** What the mock does for an operation. */
export interface MockedOperation {
  /** The operationId, or method and path where the document has none. */
  readonly id: string;
  readonly method: string;
  /** As in the document, without the base path; of one among several with it. */
  readonly path: string;
  /** `sample`: the response is an example or a sample of the schema; any other action is stateful. */
  readonly action: ActionName;
  /** Why the action is `sample`; undefined: it is not. */
  readonly reason: string | undefined;
  /** The steps on the way of a request, in order: the action is the last one. */
  readonly steps: readonly string[];
}

/** A mock without the sessions of the library, which need not be loaded to serve requests. Throws what `createMock` throws. */
export async function runMock(options: MockOptions, codeFile?: CodeFile): Promise<RunningMock> {
  return describeMock(await start(options, codeFile));
}

/** The document may be replaced while the mock runs: what follows from it is looked up at each use. */
export function describeMock({
  serving: { service },
  origin,
  authority,
  close,
  recorded,
}: Pick<Started, 'serving' | 'origin' | 'authority' | 'close' | 'recorded'>): RunningMock {
  const mock: RunningMock = {
    get url() {
      return origin + service().basePath;
    },
    controlUrl: origin + CONTROL_PATH,
    authority,
    get contract() {
      return service().contract;
    },
    get operations() {
      return service().endpoints.map(describeOperation);
    },
    get documents() {
      return service().documents.map(({ name, basePath, contract, endpoints }) => {
        return { name, url: origin + basePath, contract, operations: endpoints.map(describeOperation) };
      });
    },
    get recorded() {
      return recorded?.();
    },
    curlLine(key) {
      const [first] = service().documents as [ServedDocument];
      const request = firstRequest(first.endpoints, first.collections);
      const line = request && curlLine(request, origin, key);
      return authority === undefined ? line : line?.replace(/^curl/, () => `curl --cacert "${authority}"`);
    },
    close,
  };
  return mock;
}

function describeOperation({ operation, action, reason, steps }: Endpoint): MockedOperation {
  const { id, method, path } = operation;
  return {
    id,
    method,
    path,
    action,
    reason,
    get steps() {
      return steps();
    },
  };
}
