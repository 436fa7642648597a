import { isSecretHeader, type Operation, pathParameters, stringifyJson } from '#spec';
import { headerVariable, keyed, literalText } from '../send/credentials.ts';
import { isNoCredentialOf } from '../send/plan-request.ts';
import { UserCodeError, type WireRequest, type WireResponse } from '../send/wire.ts';
import { startHookProcess } from './hook-process.ts';
import {
  type HookRequest,
  type Hooks,
  type LeftBehind,
  type Prepared,
  pathProblem,
  type RequestChange,
  type ResponseChange,
  type RunOutcome,
  type RunToCome,
  returnedProblem,
} from './hooks.ts';

/** A message after a hook; `skip`: it is not sent, or not judged. */
type Made<Message> = { readonly message: Message } | { readonly skip: string };

/** The compiled user code of a run. All of its errors are {@link UserCodeError}s. */
export interface UserCode {
  /** The operations for which it has a `prepare`. */
  readonly prepares: ReadonlySet<string>;
  begin(run: RunToCome): Promise<void>;
  /** @param isRefused the credential of the request is intentionally wrong */
  outgoing(operation: Operation, request: WireRequest, isRefused: boolean): Promise<Made<WireRequest>>;
  incoming(
    operation: Operation,
    request: WireRequest,
    response: WireResponse,
    isRefused: boolean,
  ): Promise<Made<WireResponse>>;
  prepare(operation: Operation, seed: number): Promise<Prepared>;
  /** The next value of the operation's `prepare`. */
  prepareAhead(operation: Operation, seed: number): Promise<Prepared>;
  readonly prepared: LeftBehind['prepared'];
  tidy(created: LeftBehind['created']): Promise<void>;
  end(report: RunOutcome): Promise<void>;
}

/** @param all hooks in calling order */
export function compileUserCode(all: readonly Hooks[]): UserCode {
  const prepared: (Prepared & { readonly operationId: string })[] = [];
  const prepares = new Set(all.flatMap(({ prepare = {} }) => Object.keys(prepare)));
  const eachOf = async <Name extends 'before' | 'after' | 'cleanup'>(
    name: Name,
    argument: Parameters<NonNullable<Hooks[Name]>>[0],
  ) => {
    for (const hooks of all)
      await guarded(name, () => (hooks[name] as ((one: typeof argument) => unknown) | undefined)?.(argument));
  };
  const ahead = new Map<Operation, Prepared>();
  async function prepare({ id, method, path }: Operation, seed: number): Promise<Prepared> {
    let values: Prepared = {};
    for (const { prepare = {} } of all) {
      const one = Object.hasOwn(prepare, id) ? prepare[id] : undefined;
      if (!one) continue;
      const where = `prepare.${id}`;
      const made = await guarded(where, () => one({ operationId: id, method, path, seed }));
      demand(where, returnedProblem('prepare', made) ?? pathProblem(made?.path, pathParameters(path)));
      values = { ...values, ...made, path: { ...values.path, ...made?.path } };
    }
    prepared.push({ operationId: id, ...values });
    return values;
  }
  return {
    prepares,
    begin: (run) => eachOf('before', run),
    async outgoing(operation, request, isRefused) {
      let message = request;
      for (const { beforeRequest } of all) {
        if (!beforeRequest) continue;
        const change = await guarded('beforeRequest', () =>
          beforeRequest(toHookRequest(operation, message, isRefused)),
        );
        demand('beforeRequest', returnedProblem('beforeRequest', change));
        if (change?.skip !== undefined) return { skip: change.skip };
        if (change)
          message = guardedNow('beforeRequest', () => changedRequest(message, change, operation, isRefused));
      }
      return { message };
    },
    async incoming(operation, request, response, isRefused) {
      let message = response;
      for (const { afterResponse } of all) {
        if (!afterResponse) continue;
        const { status, headers, body, ms } = message;
        const text = Buffer.from(body).toString();
        const seen = { status, headers: asRecord(headers), body: text, ms };
        const change = await guarded('afterResponse', () =>
          afterResponse({ request: toHookRequest(operation, request, isRefused), response: seen }),
        );
        demand('afterResponse', returnedProblem('afterResponse', change));
        if (change?.skip !== undefined) return { skip: change.skip };
        if (change) message = guardedNow('afterResponse', () => changedResponse(message, change));
      }
      return { message };
    },
    async prepare(operation, seed) {
      const values = ahead.get(operation);
      ahead.delete(operation);
      return values ?? prepare(operation, seed);
    },
    async prepareAhead(operation, seed) {
      const values = await prepare(operation, seed);
      ahead.set(operation, values);
      return values;
    },
    prepared,
    tidy: (created) => eachOf('cleanup', { created, prepared }),
    end: (report) => eachOf('after', report),
  };
}

async function guarded<T>(where: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UserCodeError ? error : new UserCodeError(`the hook ${where}`, error);
  }
}

function demand(where: string, problem: string | undefined): void {
  if (problem !== undefined) throw new UserCodeError(`the hook ${where}`, problem);
}

function guardedNow<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new UserCodeError(`what the hook ${where} returned cannot be sent: it`, error);
  }
}

function toHookRequest(
  { id }: Operation,
  { method, url, headers, body }: WireRequest,
  isRefused: boolean,
): HookRequest {
  return {
    operationId: id,
    method,
    url: url.href,
    headers: asRecord(headers),
    body: body && Buffer.from(body).toString(),
    isRefused,
  };
}

type Header = readonly [name: string, value: string];

function asRecord(headers: readonly Header[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (const [name, value] of headers) record[name] = name in record ? `${record[name]}, ${value}` : value;
  return record;
}

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/** A new header replaces the old one in place. */
function changedHeaders(
  headers: readonly Header[],
  changes: Readonly<Record<string, string | null>> = {},
): readonly Header[] {
  const names = new Map(Object.keys(changes).map((name) => [name.toLowerCase(), name]));
  const set = Object.entries(changes).flatMap(([name, value]): Header[] => {
    if (value === null) return [];
    if (!TOKEN.test(name) || /[\r\n\0]/.test(String(value)))
      throw new TypeError(`the header ${JSON.stringify(name)} is none that HTTP allows`);
    return [[name, String(value)]];
  });
  return [...headers.filter(([name]) => !names.has(name.toLowerCase())), ...set];
}

function bytesOf(body: unknown, former: Uint8Array | undefined): Uint8Array | undefined {
  if (body === undefined) return former;
  if (typeof body === 'string') return Buffer.from(body);
  return body instanceof Uint8Array ? body : Buffer.from(stringifyJson(body));
}

function changedRequest(
  request: WireRequest,
  { headers = {}, query = {}, body }: RequestChange,
  operation: Operation,
  isRefused: boolean,
): WireRequest {
  const mayStand = isRefused ? isNoCredentialOf(operation) : () => true;
  const allowed = Object.fromEntries(Object.entries(headers).filter(([name]) => mayStand([name, ''])));
  const isKept = ([name]: readonly [string, unknown]) =>
    !Object.keys(allowed).some((one) => one.toLowerCase() === name.toLowerCase());
  const secret = Object.entries(allowed).flatMap(([name, value]) =>
    value !== null && isSecretHeader(name) ? [[name, headerVariable(name, String(value))] as const] : [],
  );
  const { credential = { headers: [], query: [] } } = request;
  const added = Object.entries(query).map(([name, value]) => [name, String(value)] as const);
  const url = new URL(request.url);
  for (const [name, value] of added) url.searchParams.append(name, value);
  return {
    ...request,
    url: added.length > 0 ? url : request.url,
    headers: changedHeaders(request.headers, allowed),
    body: bytesOf(body, request.body),
    credential: {
      headers: [...credential.headers.filter(isKept), ...secret],
      query: [
        ...credential.query,
        ...added.map(([name, value]) => [name, keyed`${literalText(value)}`] as const),
      ],
    },
  };
}

function changedResponse(response: WireResponse, { headers, body }: ResponseChange): WireResponse {
  return {
    ...response,
    headers: changedHeaders(response.headers, headers),
    body: bytesOf(body, response.body) ?? response.body,
  };
}

/** What hooks receive of a run at its end. */
interface EndedRun {
  readonly log: { readonly ledger: { readonly records: LeftBehind['created'] } };
  readonly session: { readonly failure: () => UserCodeError | undefined };
}

/** The user code around a run. */
export interface OpenHooks {
  readonly userCode: UserCode;
  /**
   * Called when all is sent.
   * @throws UserCodeError, also if it had failed before
   */
  tidy(run: EndedRun): Promise<void>;
  end(report: RunOutcome): Promise<void>;
  /** Called if there is no run. */
  close(): Promise<void>;
}

interface HookSettings {
  readonly base: URL;
  readonly document: string;
  readonly seed: number;
  readonly plan: boolean;
  readonly hooks: Hooks;
  readonly hook: string | undefined;
  readonly maxTime: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Starts the hooks, and tells them that a run begins, unless nothing is sent. `begun`: on the clock of
 * `performance.now()`.
 * @throws UserCodeError
 */
export async function openHooks(
  { base, document, seed, plan, hooks, hook, maxTime, signal }: HookSettings,
  begun: number,
): Promise<OpenHooks> {
  const deadline = begun + maxTime * 1000;
  const other = hook === undefined || plan ? undefined : await startHookProcess(hook, deadline, signal);
  const userCode = compileUserCode([hooks, ...(other ? [other.hooks] : [])]);
  async function closing<T>(work: () => Promise<T>, isLast: boolean): Promise<T> {
    try {
      const done = await work();
      if (isLast) await other?.close();
      return done;
    } catch (error) {
      await other?.close();
      throw error;
    }
  }
  if (!plan) await closing(() => userCode.begin({ target: base.href, document, seed }), false);
  return {
    userCode,
    tidy: ({ log: { ledger }, session }) =>
      closing(async () => {
        const failed = session.failure();
        const created = ledger.records.map(({ operationId, id }) => ({ operationId, id }));
        await userCode.tidy(created).catch((error: unknown) => {
          throw failed ?? error;
        });
        if (failed) throw failed;
      }, false),
    end: (report) => closing(() => userCode.end(report), true),
    close: async () => other?.close(),
  };
}
