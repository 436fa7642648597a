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

/** A running mock as a whole. */
export interface RunningMock {
  /** The base URL of the mocked service: `http://127.0.0.1:4020/v1`. */
  readonly url: string;
  /** The base URL of the control API: `http://127.0.0.1:4020/__admin`. */
  readonly controlUrl: string;
  /**
   * The file (PEM) of the certificate authority that clients must trust (`NODE_EXTRA_CA_CERTS`). Undefined: plain http, or
   * a certificate of your own.
   */
  readonly authority: string | undefined;
  /** The mocked document, read and compiled. */
  readonly contract: Contract;
  /** All served documents; usually one. */
  readonly documents: readonly MockedDocument[];
  /** What the mock does for each operation, in the order of the document. */
  readonly operations: readonly MockedOperation[];
  /** What recorded traffic has shown (`recorded`). Undefined: there was none. */
  readonly recorded: RecordedSummary | undefined;
  /** A valid curl command with an API key. Undefined: the document has no GET operation. */
  curlLine(key: string): string | undefined;
  /** Accepts no new request; resolves when running ones have responses, or after 3 seconds. */
  close(): Promise<void>;
}

/** One of the documents of a mock. */
export interface MockedDocument {
  /** Its name among several; empty: it is the only one. */
  readonly name: string;
  /** The base URL of its paths: `http://127.0.0.1:4020/v1`. */
  readonly url: string;
  readonly contract: Contract;
  /** In the document's order, with its own paths. */
  readonly operations: readonly MockedOperation[];
}

/** What the mock does for an operation. */
export interface MockedOperation {
  /** The operationId, or method and path if the document has none. */
  readonly id: string;
  readonly method: string;
  /** As in the document, without the base path; with several documents with it. */
  readonly path: string;
  /** `sample`: the response is an example or a sample of the schema; any other action is stateful. */
  readonly action: ActionName;
  /** Why the action is `sample`. Undefined: it is not. */
  readonly reason: string | undefined;
  /** The steps of a request, in order; the action comes last. */
  readonly steps: readonly string[];
}

/** A mock without the library's sessions, which are not needed to serve requests. Throws the same errors as `createMock`. */
export async function runMock(options: MockOptions, codeFile?: CodeFile): Promise<RunningMock> {
  return describeMock(await start(options, codeFile));
}

/** Looked up at each use, since the document may be replaced while the mock runs. */
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
