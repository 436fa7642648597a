import { type Report, type ReportedFinding, renderJson, type Traffic } from '#contract-tests';
import type * as Control from '#control';
import type { Contract } from '#spec';
import type { Counts } from '../pair/context.ts';
import type { SeenExchanges } from '../seen-exchange.ts';

export interface AdminContext {
  readonly contract: Contract;
  /** Base URL of the target. */
  readonly target: string;
  /** What precedes the paths of the document. */
  readonly basePath: string;
  readonly host: string;
  readonly adminToken: string | undefined;
  readonly counts: Counts;
  readonly seen: SeenExchanges;
  readonly found: () => FindingsView;
  readonly report: () => Report;
  readonly onBug: (error: unknown) => void;
}

/** What `GET /__admin/findings` responds. */
export interface FindingsView {
  /** Base URL of the target. */
  readonly target: string;
  /** The document's path relative to the working directory, or its URL. */
  readonly document: string;
  /** What has passed, and what became of it. */
  readonly counts: Counts;
  /** How much of it was judged. */
  readonly traffic: Traffic;
  /** The distinct findings so far, in the order in which they were first seen. */
  readonly findings: readonly ReportedFinding[];
}

type Endpoints = Parameters<typeof Control.compileControl<undefined, AdminContext>>[0];

/** The control API of the proxy, a part of that of the mock. */
export function adminEndpoints(
  { contract, basePath, found, seen, report, target }: AdminContext,
  { jsonResponse, describeContract, showSource, NO_CONTENT, NO_STORE }: typeof Control,
  events: Control.Events,
): Endpoints {
  const { title, version } = contract;
  return {
    health: { GET: () => jsonResponse({ status: 'ok', target, document: { title, version } }) },
    contract: { GET: () => jsonResponse(describeContract(contract, basePath, '$PADDOCK_API_KEY', [])) },
    findings: { GET: () => jsonResponse(found()) },
    requests: {
      GET: () => jsonResponse(seen.all),
      DELETE: () => {
        seen.clear();
        events.publish('clear', '{}');
        return NO_CONTENT;
      },
    },
    report: { GET: () => ({ ...jsonResponse({}), body: renderJson(report()) }) },
    source: { GET: (request) => showSource(contract, request) },
    events: {
      GET: () => ({ status: 200, type: 'text/event-stream', headers: NO_STORE, body: events.listen }),
    },
  };
}
