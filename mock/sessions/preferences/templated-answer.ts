import { loadLiquidLibrary } from '#libraries';
import { endAfter, loadFakerLibrary } from '#platform';
import { isRecord, type Operation, pathParameters } from '#spec';
import type { Awaitable } from '../../http/exchange.ts';
import { type Refusal, shownValue } from '../../http/refusal.ts';
import type { Task } from '../../records/actions/action.ts';
import type { SeedValues } from '../../records/seed/values.ts';
import { integer, isFieldValue, type ReportProblem } from './read-members.ts';
import { type ActiveRule, type Answer, NO_CONTENT, type PlainAnswer } from './rules.ts';
import {
  type CompiledTemplate,
  compileTemplate,
  isTemplate,
  LONGEST_RENDERING,
  messageOf,
  type Rendering,
  type TemplateValues,
  textOf,
} from './template.ts';

/** Checks the templates of an answer, and marks an answer that has some. */
export function markTemplates<T extends Answer>(
  answer: T,
  path: readonly string[],
  operations: readonly Operation[],
  report: ReportProblem,
): T {
  if (answer.template === false) {
    if (typeof answer.status === 'string')
      report([...path, 'status'], 'must be a number where "template" is false');
    return answer;
  }
  let hasTemplates = false;
  mapTexts(templatedOf(answer), path, (text, at) => {
    hasTemplates = true;
    const template = readTemplate(text, operations);
    if (typeof template === 'string')
      report(
        at,
        `is no template that can be read: ${template}; where braces are text, say "template": false`,
      );
  });
  return hasTemplates ? { ...answer, template: true } : answer;
}

const templatedOf = ({ status, headers, body }: Answer) => ({ status, headers, body });

/** Replaces all templates within a value. An undefined result is left out, or is null in a list. */
function mapTexts(
  value: unknown,
  path: readonly string[],
  change: (text: string, path: readonly string[]) => unknown,
): unknown {
  if (typeof value === 'string') return isTemplate(value) ? change(value, path) : value;
  if (Array.isArray(value))
    return value.map((item, index) => mapTexts(item, [...path, String(index)], change) ?? null);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(
    ([name, inner]) => [name, mapTexts(inner, [...path, name], change)] as const,
  );
  return Object.fromEntries(members.filter(([, inner]) => inner !== undefined));
}

const NAMES: Readonly<Record<keyof TemplateValues, true>> = {
  request: true,
  record: true,
  now: true,
  seed: true,
  count: true,
};

const OF_REQUEST: Readonly<Record<keyof TemplateValues['request'], true>> = {
  method: true,
  url: true,
  path: true,
  query: true,
  headers: true,
  body: true,
};

/**
 * A template without unknown names; a text: the error. Undefined: the library is not loaded yet.
 * @param operations their path parameters may be named; undefined: the names were checked before
 */
function readTemplate(
  text: string,
  operations: readonly Operation[] | undefined,
): CompiledTemplate | string | undefined {
  const template = compileTemplate(text);
  if (typeof template !== 'object') return template;
  const problem = template.reads.map((names) => unknownName(names, operations)).find(Boolean);
  return problem ?? template;
}

function unknownName(names: readonly string[], operations: readonly Operation[] | undefined) {
  const [outer = '', member, name] = names;
  if (!Object.hasOwn(NAMES, outer))
    return `there is no "${outer}"; there are ${Object.keys(NAMES).join(', ')}`;
  if (outer !== 'request' || member === undefined) return undefined;
  if (!Object.hasOwn(OF_REQUEST, member))
    return `request has no "${member}"; there are ${Object.keys(OF_REQUEST).join(', ')}`;
  if (member !== 'path' || name === undefined || !operations) return undefined;
  const parameters = [...new Set(operations.flatMap(({ path }) => pathParameters(path)))];
  if (parameters.includes(name)) return undefined;
  return `the path has no parameter "${name}"; there are ${parameters.join(', ') || 'none'}`;
}

/** What an operation's templates are rendered with. */
interface TemplateContext {
  readonly operation: Operation;
  readonly seeds: SeedValues;
  /** The record of the request. Undefined: there is none. */
  readonly readRecord: (task: Task) => Awaitable<unknown>;
}

/** Renders the templates of an answer for a request. */
export async function renderAnswer(
  answer: Answer,
  { id, met }: ActiveRule,
  task: Task,
  { operation, seeds, readRecord }: TemplateContext,
): Promise<PlainAnswer | Refusal> {
  // In Node they are loaded already; a page fetches them now.
  await Promise.all([loadLiquidLibrary(), loadFakerLibrary()]);
  const count = met + 1;
  let place = '';
  let drawn = 0;
  let current: CompiledTemplate | undefined;
  const rendering: Rendering = {
    values: {
      request: requestValues(task),
      record: await readRecord(task),
      now: new Date(task.time()).toISOString(),
      seed: seeds.seed,
      count,
    },
    fake: (method, args) => seeds.named(method, args, operation.id, count, place, drawn++),
  };
  const render = (text: string, path: readonly string[]) => {
    place = path.join('.');
    drawn = 0;
    const template = readTemplate(text, undefined);
    if (typeof template !== 'object') throw new NotRendered(`${place} ${template}`);
    if (template.endedAt !== undefined && performance.now() - template.endedAt < PAUSE_AFTER_END)
      throw new NotRendered(
        `${place}: it took longer than ${LONGEST_RENDERING} ms, and is rendered again after ${PAUSE_AFTER_END / 1000} s`,
      );
    current = template;
    try {
      return template.render(rendering);
    } catch (error) {
      throw new NotRendered(`${place}: ${messageOf(error)}`);
    }
  };
  const refuse = (message: string): Refusal => ({
    refuse: 'template',
    message: `Rule ${id} cannot respond: ${message}`,
  });
  try {
    const rendered = endAfter(LONGEST_RENDERING, () => mapTexts(templatedOf(answer), [], render));
    return plainAnswer(answer, rendered as ReturnType<typeof templatedOf>);
  } catch (error) {
    if (error instanceof NotRendered) return refuse(error.message);
    if (!(error instanceof RangeError)) throw error;
    if (current) current.endedAt = performance.now();
    return refuse(`${place}: ${error.message}`);
  }
}

class NotRendered extends Error {}

/**
 * The pause in milliseconds after a rendering was aborted, so that an endless template does not take all of the mock's
 * time.
 */
const PAUSE_AFTER_END = 10_000;

const isStatus = integer(200, 599);

function plainAnswer(answer: Answer, rendered: ReturnType<typeof templatedOf>): PlainAnswer {
  const { status: _, headers: __, body: ___, ...others } = answer;
  const { headers } = rendered;
  const status = rendered.status === undefined ? undefined : Number(rendered.status);
  // An empty result is an empty body, not the documented one.
  const body = answer.body !== undefined && rendered.body === undefined ? '' : rendered.body;
  if (status !== undefined && isStatus(status) === undefined)
    throw new NotRendered(`status must give one from 200 to 599, not ${shownValue(rendered.status)}`);
  if (NO_CONTENT.has(status) && body !== undefined && body !== '')
    throw new NotRendered(`body must be "" or absent: a response with status ${status} has none`);
  return {
    ...others,
    ...(status !== undefined && { status }),
    ...(headers && { headers: plainHeaders(headers) }),
    ...(body !== undefined && { body }),
  };
}

function plainHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const lines = Object.entries(headers).map(([name, value]) => {
    const line = textOf(value);
    if (!isFieldValue(line))
      throw new NotRendered(
        `headers.${name} must give a text of Latin-1 without control characters, not ${shownValue(line)}`,
      );
    return [name, line];
  });
  return Object.fromEntries(lines);
}

/** Parameters with their documented types; undocumented ones as texts. */
function requestValues({ request, values }: Task): TemplateValues['request'] {
  const { method, path, query } = request;
  const sent = new URLSearchParams(query);
  const texts = [...new Set(sent.keys())].map((name) => {
    const all = sent.getAll(name);
    return [name, all.length === 1 ? all[0] : all];
  });
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    value === undefined ? undefined : [value].flat().join(', '),
  ]);
  return {
    method,
    url: query === '' ? path : `${path}?${query}`,
    path: values.parameters.path,
    query: { ...Object.fromEntries(texts), ...values.parameters.query },
    headers: Object.fromEntries(headers),
    body: values.body,
  };
}
