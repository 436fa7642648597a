import { type Contract, isRecord, type Operation, parseJson, responseFor, stringifyJson } from '#spec';
import type { Refuse } from '../http/error-response.ts';
import type { ResponseContent } from '../http/exchange.ts';
import { isRefusal, type Outcome } from '../http/refusal.ts';
import { preferredMedia, successForm } from '../http/representations.ts';
import type { Run, Task } from '../records/actions/action.ts';
import type { SeedValues } from '../records/seed/values.ts';
import { readHeaders } from '../sessions/preferences/read-rule.ts';
import { compileRespondAs } from '../sessions/preferences/respond-as.ts';
import type { PlainAnswer } from '../sessions/preferences/rules.ts';
import { StoreUnavailable } from '../store/port.ts';
import {
  CodeError,
  type CodeRequest,
  type CodeResponse,
  type NextResponse,
  type OperationCode,
} from './code.ts';
import type { RecordsFor } from './code-records.ts';

export interface CodedOperation {
  readonly operation: Operation;
  readonly contract: Contract;
  readonly seeds: SeedValues;
  readonly refuse: Refuse;
  readonly recordsFor: RecordsFor;
  readonly seed: number;
}

export function compileCode(code: OperationCode, coded: CodedOperation): Run {
  const { operation, recordsFor, refuse, seed } = coded;
  const respondAs = compileRespondAs(coded);
  const { status: usual } = successForm(operation);
  const contentOf = (outcome: Outcome, { request, time: now }: Task): ResponseContent =>
    isRefusal(outcome) ? refuse(outcome, request, now()) : outcome;

  /** In JSON responses, a text is a value, too. */
  function textOf({ status = usual, headers, body }: CodeResponse): unknown {
    if (typeof body !== 'string') return body;
    const response = responseFor(operation.responses, status);
    const type = headers?.['Content-Type'];
    const media = response && preferredMedia(response);
    return (type === undefined ? media?.isJson : isJson(String(type))) ? stringifyJson(body) : body;
  }

  return async (task, go) => {
    let ordinary: Promise<Outcome> | undefined;
    const outcome = () => (ordinary ??= (async () => go(task))());
    let nextResponse: NextResponse | undefined;
    const next = async () => {
      const content = contentOf(await outcome(), task);
      nextResponse = showContent(content);
      return showContent(content);
    };
    const { request, store, time, session, sender } = task;
    const account = sender?.account;
    try {
      const result = await code({
        request: showRequest(task),
        records: recordsFor(store, time),
        session: { name: session },
        now: new Date(time()),
        seed,
        account: account && { subject: account.subject, members: account.members },
        next,
      });
      if (result === undefined) return await outcome();
      const response = readResponse(result);
      if (nextResponse && isSame(nextResponse, response)) return await outcome();
      const answer = { ...response, body: textOf(response) } as PlainAnswer;
      return contentOf(await respondAs(answer, 'code', task, outcome), task);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      throw new CodeError(`the code for ${operation.id} failed at ${request.method} ${request.path}`, {
        cause: error,
      });
    }
  };
}

function showRequest({ values, request }: Task): CodeRequest {
  const { method, path, query, prefix = '' } = request;
  const { parameters, body } = values;
  return {
    method,
    url: `${prefix}${path}${query === '' ? '' : `?${query}`}`,
    path: parameters.path,
    query: parameters.query,
    headers: { ...request.headers, ...parameters.header },
    cookies: parameters.cookie,
    body,
  };
}

function showContent({ status, type, headers, body }: ResponseContent): NextResponse {
  const value = typeof body === 'string' && type !== undefined && isJson(type) ? parseJson(body) : body;
  return {
    status,
    headers: { ...(type !== undefined && { 'Content-Type': type }), ...headers },
    body: body === '' ? undefined : value,
  };
}

const isJson = (type: string) => /^[^;]*[/+]json\b/i.test(type);

/** A value with only these members is a response, any other a body. */
const MEMBERS: ReadonlySet<string> = new Set(['status', 'headers', 'body']);

/** @throws RangeError for an invalid response */
function readResponse(value: unknown): CodeResponse {
  const names = isRecord(value) && !(value instanceof Uint8Array) ? Object.keys(value) : [];
  const { status, headers, body } = (value ?? {}) as CodeResponse;
  const isResponse =
    names.length > 0 &&
    names.every((name) => MEMBERS.has(name)) &&
    (status === undefined || typeof status === 'number') &&
    (headers === undefined || isRecord(headers));
  if (!isResponse) return { body: sentValue(value) };
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599))
    throw new RangeError(
      `a status is from 200 to 599, not ${status}; a body with a member of this name is given as { body: { ... } }`,
    );
  const problems: string[] = [];
  const read =
    headers && Object.keys(headers).length > 0
      ? readHeaders(headers, ['headers'], (path, message) => problems.push(`${path.join('.')} ${message}`))
      : undefined;
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  return {
    ...(status !== undefined && { status }),
    ...(headers && { headers: (read ?? {}) as Record<string, string> }),
    ...(body !== undefined && { body: sentValue(body) }),
  };
}

/** As sent: dates are texts, and undefined members are left out. */
function sentValue(body: unknown): unknown {
  if (body instanceof Uint8Array) return body;
  const text = stringifyJson(body) as string | undefined;
  if (text === undefined) throw new TypeError(`a ${typeof body} cannot be a body`);
  return parseJson(text);
}

/** Whether code returns the mock's own response unchanged, which then keeps its version and reason. */
function isSame(next: NextResponse, { status, headers, body }: CodeResponse): boolean {
  return (
    (status ?? next.status) === next.status &&
    stringifyJson(body) === stringifyJson(next.body) &&
    (headers === undefined || stringifyJson(headers) === stringifyJson(next.headers))
  );
}
