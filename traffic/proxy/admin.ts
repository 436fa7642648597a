import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  REPORT_FORMATS,
  type Report,
  type ReportedFinding,
  type ReportFormat,
  type ReportFormatName,
  type Traffic,
} from '#contract-tests';
import type * as Control from '#control';
import type { Contract } from '#spec';
import type { SeenExchanges } from './seen.ts';
import type { Counts } from './way.ts';

export interface AdminContext {
  readonly contract: Contract;
  /** Base URL of the target. */
  readonly target: string;
  /** The base path of the document. */
  readonly basePath: string;
  readonly host: string;
  readonly adminToken: string | undefined;
  readonly counts: Counts;
  readonly seen: SeenExchanges;
  readonly findingsView: () => FindingsView;
  readonly report: () => Report;
  readonly onBug: (error: unknown) => void;
}

/** The response of `GET /__admin/findings`. */
export interface FindingsView {
  /** Base URL of the target. */
  readonly target: string;
  /** The document's path relative to the working directory, or its URL. */
  readonly document: string;
  /** The numbers of exchanges and results. */
  readonly counts: Counts;
  /** How much of it was judged. */
  readonly traffic: Traffic;
  /** The distinct findings so far, in the order in which they first occurred. */
  readonly findings: readonly ReportedFinding[];
  /** The formats for `GET /__admin/report?format=NAME`. */
  readonly formats: readonly string[];
}

const FORMATS: Readonly<Record<ReportFormatName, ReportFormat>> = REPORT_FORMATS;

/** The report formats for traffic, whose exchanges are not kept. */
export const TRAFFIC_FORMATS: readonly ReportFormatName[] = (
  Object.keys(FORMATS) as ReportFormatName[]
).filter((name) => !FORMATS[name].needsExchanges);

/** Responds to requests below `/__admin`. */
export interface AdminServer {
  /** @param target path and query */
  serve(incoming: IncomingMessage, outgoing: ServerResponse, target: string): Promise<void>;
  publish(event: string, data: () => string): void;
  close(): void;
}

/** The control API of the mock is loaded on first use. */
export function createAdminServer(context: AdminContext): AdminServer {
  let opening: ReturnType<typeof open> | undefined;
  let opened: Awaited<ReturnType<typeof open>> | undefined;

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse, target: string): Promise<void> {
    outgoing.shouldKeepAlive = false;
    try {
      opening ??= open(context);
      opened = await opening;
      const [path = '', ...rest] = target.split('?');
      const { method = 'GET', headers } = incoming;
      incoming.resume();
      const request = { method, path, query: rest.join('?'), headers, body: undefined };
      opened.send(withType(await opened.respond(request)), outgoing, true);
    } catch (error) {
      context.onBug(error);
      outgoing.writeHead(500, { 'Content-Type': 'text/plain' }).end('This is a bug of Paddock.\n');
    }
  }

  return {
    serve,
    publish: (event, data) => opened?.publish(event, data),
    close: () => opened?.end(),
  };
}

async function open(context: AdminContext) {
  const control = await import('#control');
  const events = control.createEvents();
  const respond = control.compileControl(
    endpoints(context, control, events),
    control.compileAccess(context.adminToken, context.host),
    () => context,
    { [`${control.CONTROL_PATH}/`]: 'proxy.html' },
  );
  return {
    respond: (request: Parameters<typeof respond>[0]) => respond(request, undefined),
    send: control.send,
    publish(event: string, data: () => string) {
      if (events.hasListeners) events.publish(event, data());
    },
    end: () => events.close(),
  };
}

type Endpoints = Parameters<typeof Control.compileControl<undefined, AdminContext>>[0];

/** The control API of the proxy, a part of that of the mock. */
function endpoints(
  { contract, basePath, findingsView, seen, report, target }: AdminContext,
  { jsonResponse, describeContract, showSource, NO_CONTENT, NO_STORE }: typeof Control,
  events: Control.Events,
): Endpoints {
  const { title, version } = contract;
  return {
    health: { GET: () => jsonResponse({ status: 'ok', target, document: { title, version } }) },
    contract: { GET: () => jsonResponse(describeContract(contract, basePath, '$PADDOCK_API_KEY', [])) },
    findings: { GET: () => jsonResponse(findingsView()) },
    requests: {
      GET: () => jsonResponse(seen.all),
      DELETE: () => {
        seen.clear();
        events.publish('clear', '{}');
        return NO_CONTENT;
      },
    },
    report: {
      GET: ({ query }) => {
        const name = new URLSearchParams(query).get('format') ?? 'json';
        const format = TRAFFIC_FORMATS.find((one) => one === name);
        if (format === undefined)
          return {
            refuse: 'malformed',
            message: `format: "${name}" must be one of ${TRAFFIC_FORMATS.join(', ')}`,
          };
        const { mediaType, render } = FORMATS[format];
        return { ...jsonResponse({}), type: mediaType, body: render(report()) };
      },
    },
    source: { GET: (request) => showSource(contract, request) },
    events: {
      GET: () => ({ status: 200, type: 'text/event-stream', headers: NO_STORE, body: events.listen }),
    },
  };
}

function withType({ type, headers, ...rest }: Control.ResponseContent) {
  return { ...rest, headers: { ...(type !== undefined && { 'Content-Type': type }), ...headers } };
}
