import {
  type Contract,
  explicitStatuses,
  isRecord,
  type Operation,
  pathParameters,
  SAFE_METHODS,
} from '#spec';
import { ordinaryInput } from '../arrange/requests.ts';
import { NotReached } from '../run/not-reached.ts';
import { parseExpression } from '../run/path-values.ts';
import type { Trial } from '../run/trial.ts';
import type { RequestInput } from '../send/plan-request.ts';
import type { Response } from '../send/response.ts';
import type { Provocation, ProvokedRequest } from '../settings/provoke.ts';
import { type Case, type Family, makeCase } from './case.ts';

/** Cells that the document alone gives no trigger for, by the user's requests (`provoke`). */
export const provoked: Family = (contract, settings) =>
  settings.provoke.map((provocation) => provokedCell(contract, provocation));

interface Step {
  readonly request: ProvokedRequest;
  readonly operation: Operation;
}

function provokedCell(contract: Contract, provocation: Provocation): Case {
  const { operationId, status, requests, refuse } = provocation;
  const find = (id: string) => contract.operations.find((one) => one.id === id);
  const operation = find(operationId);
  if (!operation) throw refuse([], `the document has no operation "${operationId}"`);
  const documented = explicitStatuses(operation.responses);
  if (!documented.includes(status))
    throw refuse([], `${operationId} documents no ${status}; there are ${documented.join(', ') || 'none'}`);
  const steps = requests.map((request, index): Step => {
    const path = requests.length > 1 ? [index] : [];
    const named = request.operation === undefined ? operation : find(request.operation);
    if (!named) throw refuse([...path, 'operation'], `the document has no operation "${request.operation}"`);
    checkNames(named, request, (inner, message) => refuse([...path, ...inner], message));
    checkExpressions(request, index, (message) => refuse(path, message));
    return { request, operation: named };
  });
  if (steps.at(-1)?.operation !== operation)
    throw refuse([], `the last request must be one of ${operationId}, whose ${status} it is to provoke`);
  const unsafe = steps.some((step) => !SAFE_METHODS.has(step.operation.method));
  const title = `the named request is answered ${status}`;
  const drive = (trial: Trial) => sendSteps(trial, steps);
  const more = { unsafe, creates: unsafe ? steps.length : 0 };
  return makeCase({ operation, status }, 'provoked', title, drive, more);
}

function checkNames(operation: Operation, request: ProvokedRequest, refuse: Provocation['refuse']): void {
  const names = pathParameters(operation.path);
  const unknown = Object.keys(request.path).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const others = names.join(', ') || 'none';
  throw refuse(['path', unknown], `${operation.id} has no path parameter "${unknown}"; there are ${others}`);
}

function checkExpressions(request: ProvokedRequest, index: number, refuse: (message: string) => Error): void {
  for (const text of textsIn([request.path, request.query, request.headers, request.body])) {
    for (const expression of expressionsIn(text)) {
      const parsed = parseExpression(expression);
      if (!parsed)
        throw refuse(`"${expression}" is no expression such as $response.body#/id or $response.header.ETag`);
      if ((parsed.step ?? 1) > index) throw refuse(`"${expression}" names no earlier response`);
    }
  }
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item);
  else if (isRecord(value)) yield* textsIn(Object.values(value));
}

const EMBEDDED = /\{(\$response\.[^}]*)\}/g;

/** The text as a whole, or its parts in braces. */
function expressionsIn(text: string): string[] {
  if (text.startsWith('$response.')) return [text];
  return [...text.matchAll(EMBEDDED)].map(([, expression = '']) => expression);
}

async function sendSteps(trial: Trial, steps: readonly Step[]): Promise<void> {
  const responses: Response[] = [];
  const { status } = trial.case;
  for (const [index, { operation, request }] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const input = await inputOf(trial, operation, request, responses);
    for (let count = 1; count <= request.repeat; count++) {
      const expected = isLast && count === request.repeat ? { expected: { status } } : {};
      const { response } = await trial.send(operation, { ...input, ...expected, provoked: true });
      responses[index] = response;
      if (isLast && response.status === status) return;
    }
  }
}

async function inputOf(
  trial: Trial,
  operation: Operation,
  request: ProvokedRequest,
  responses: readonly Response[],
): Promise<RequestInput> {
  const resolve = (value: unknown) => resolveExpressions(value, responses);
  const path = resolve(request.path) as Readonly<Record<string, unknown>>;
  const body = resolve(request.body);
  const ordinary = await ordinaryInput(trial, operation, true, { path, body });
  const headers = Object.entries(resolve(request.headers) as object);
  return {
    ...ordinary,
    query: { ...ordinary.query, ...(resolve(request.query) as object) },
    headers: headers.map(([name, value]) => [name, String(value)] as const),
  };
}

function resolveExpressions(value: unknown, responses: readonly Response[]): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveExpressions(item, responses));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, resolveExpressions(member, responses)]),
    );
  if (typeof value !== 'string') return value;
  if (value.startsWith('$response.')) return valueAt(value, responses);
  return value.replace(EMBEDDED, (_, expression: string) => String(valueAt(expression, responses)));
}

function valueAt(text: string, responses: readonly Response[]): unknown {
  const expression = parseExpression(text);
  const response = responses.at(expression?.step === undefined ? -1 : expression.step - 1);
  const value = response && expression?.valueIn(response);
  if (value === undefined) throw new NotReached(`${text} is not in the response ${response?.status ?? ''}`);
  return value;
}
