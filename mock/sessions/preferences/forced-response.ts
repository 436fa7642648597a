import {
  type DocumentedResponse,
  type MediaType,
  mediaTypeFor,
  type Operation,
  parseJson,
  responseFor,
  sentType,
  showPlace,
  stringifyJson,
  successOf,
  violationsOf,
} from '#spec';
import type { Refuse } from '../../http/error-response.ts';
import type { MockRequest, ResponseContent } from '../../http/exchange.ts';
import { REASON_PHRASES } from '../../http/reason-phrases.ts';
import { type Outcome, REFUSALS, type Refusal, type RefusalName } from '../../http/refusal.ts';
import {
  acceptOf,
  chooseAcceptable,
  mediaContent,
  preferredMedia,
  type Representation,
  representationsOf,
  responseType,
  successForm,
  withVary,
} from '../../http/representations.ts';
import { fileOf, showsItself } from '../../records/actions/sample.ts';
import type { SeedValues } from '../../records/seed/values.ts';
import { withStatus } from './documented-answers.ts';
import { type Preference, preferenceText } from './preference.ts';
import type { PlainAnswer } from './rules.ts';

/** Responds with the documented response that a client or rule chooses. */
export type Force = (preference: Preference, source: PreferenceSource, request: MockRequest) => Outcome;

export type PreferenceSource = 'Prefer' | 'a rule' | 'code' | 'respond';

/** An operation whose responses can be forced. */
export interface Answerable {
  readonly operation: Operation;
  readonly seeds: SeedValues;
  readonly refuse: Refuse;
}

/** Compiles responses forced by status, by the name of an example, or as a new sample. */
export function compileForce(context: Answerable): Force {
  return (preference, source, request) => {
    const choice = findResponse(context.operation, preference);
    return choice
      ? respond(context, preference, source, request, choice)
      : impossible(context.operation, preference);
  };
}

/** Why the operation cannot satisfy a preference. Undefined: it can. */
export function refusePreference(operation: Operation, preference: Preference): Refusal | undefined {
  return findResponse(operation, preference) ? undefined : impossible(operation, preference);
}

interface FoundResponse {
  readonly status: number;
  readonly response: DocumentedResponse;
}

/** Without a status, an example is looked up in the success response first, then in all others with one status. */
function findResponse(operation: Operation, { code, example }: Preference): FoundResponse | undefined {
  const { responses } = operation;
  const has = (response: DocumentedResponse) => example === undefined || hasExample(response, example);
  if (code !== undefined) {
    const response = responseWith(operation, code);
    return response && has(response) ? { status: code, response } : undefined;
  }
  const success = successOf(operation);
  if (success && has(success)) return { status: successForm(operation).status, response: success };
  const other = responses.find(
    (response) => /^\d+$/.test(response.key) && hasExample(response, example ?? ''),
  );
  return other && { status: Number(other.key), response: other };
}

/** The documented response for a status. Undefined: there is none. */
function responseWith(operation: Operation, status: number): DocumentedResponse | undefined {
  const response = responseFor(operation.responses, status);
  return response && covers(operation, response, status) ? response : undefined;
}

/** `default` covers errors, and a success only if the operation documents no other one. */
function covers(operation: Operation, { key }: DocumentedResponse, status: number): boolean {
  if (key !== 'default' || status >= 400) return true;
  return status === successForm(operation).status && successOf(operation)?.key === 'default';
}

function hasExample({ content }: DocumentedResponse, name: string): boolean {
  return content.some(({ examples }) => examples.has(name));
}

function respond(
  context: Answerable,
  preference: Preference,
  source: PreferenceSource,
  request: MockRequest,
  { status, response }: FoundResponse,
): ResponseContent {
  const { operation, seeds, refuse } = context;
  const { path, query } = request;
  const { example, dynamic } = preference;
  const choice = choiceOf(response, example);
  const [preferred] = choice;
  const { media, type } = chooseAcceptable(acceptOf(request), choice) ?? preferred ?? {};
  if (!media) return { status, type: undefined, body: '' };
  const vary = choice.length > 1 ? { headers: withVary(undefined, 'Accept') } : {};
  const [firstName, first] = [...media.examples][0] ?? [];
  // The example of a range or `default` describes one of many statuses, so it is only used if it is a text, which states none.
  const isOwn = firstName !== undefined && (response.key === String(status) || typeof first === 'string');
  if (status >= 400 && example === undefined && !dynamic && !isOwn)
    return refuse(refusalWith(preference, source, status, response), request);
  const key = [operation.id, status, path, query];
  const sampled = ({ shape }: MediaType) => shape && seeds.sampled(shape, { isShown: !dynamic }, ...key);
  const name = example ?? (dynamic ? undefined : firstName);
  const isShown = name !== undefined && media.examples.has(name);
  const value = isShown ? media.examples.get(name) : sampled(media);
  const file = status < 300 && !showsItself(media) ? fileOf(context, media, [value].flat()) : undefined;
  const body = file ?? mediaContent(media, withStatus(media, value, status));
  return { status, type, body, ...vary, ...(isShown && { shows: { media, example: name } }) };
}

/** Code and factories choose a status without a preference, so the body must not mention one. */
function refusalWith(
  preference: Preference,
  source: PreferenceSource,
  status: number,
  { key, spot }: DocumentedResponse,
): Refusal {
  if (source === 'Prefer' || source === 'a rule')
    return { refuse: 'forced', status, message: `Forced by ${source}: ${preferenceText(preference)}` };
  const { description } = spot.value as { description?: unknown };
  const [line = ''] = typeof description === 'string' ? description.trim().split('\n', 1) : [];
  // A range or `default` describes many statuses.
  const isOwn = key === String(status) && line !== '' && line.length <= LONGEST_MESSAGE;
  const refuse = SPOKEN.find((name) => REFUSALS[name].status === status) ?? 'forced';
  return { refuse, status, message: isOwn ? line : (REASON_PHRASES[status] ?? `Status ${status}`) };
}

const LONGEST_MESSAGE = 200;

/** Refusals whose message only states what the status means. */
const SPOKEN: readonly RefusalName[] = [
  'invalid',
  'unauthorized',
  'forbidden',
  'not found',
  'conflict',
  'gone',
  'stale',
  'too large',
  'media type',
  'no condition',
  'unavailable',
];

/** The media types to choose from; for a named example, those that have it. */
function choiceOf(response: DocumentedResponse, example: string | undefined): readonly Representation[] {
  const all = representationsOf(response);
  const having = all.filter(({ media }) => example !== undefined && media.examples.has(example));
  return having.length > 0 ? having : all;
}

function impossible({ id, responses }: Operation, { code, example }: Preference): Refusal {
  if (example === undefined) {
    const keys = responses.map(({ key }) => (key === 'default' ? 'any 4xx or 5xx (default)' : key));
    const message = `${id} documents no status ${code}; there are ${keys.join(', ')}`;
    return { refuse: 'preference', message };
  }
  const examples = responses.flatMap(({ key, content }) => {
    const names = new Set(content.flatMap((media) => [...media.examples.keys()]));
    return names.size > 0 ? [`${key} (${[...names].join(', ')})`] : [];
  });
  const where = code === undefined ? '' : ` for ${code}`;
  const list = examples.join(', ') || 'none';
  return { refuse: 'preference', message: `${id} has no example "${example}"${where}; there are ${list}` };
}

/** Responds with a rule's own body. */
export type RespondOwn = (answer: PlainAnswer) => OwnResponse;

interface OwnResponse {
  readonly content: ResponseContent;
  /** How the response violates the document. Undefined: it does not. */
  readonly violation: string | undefined;
  /** The same, one by one. */
  readonly violations: readonly OwnViolation[];
}

export interface OwnViolation {
  /** The member of the rule with the violation. */
  readonly of: 'status' | 'body';
  /** A JSON Pointer into the body. Undefined: the violation concerns no value within it. */
  readonly pointer?: string;
  readonly keyword?: string;
  readonly message: string;
  /** `spec/openapi.yaml:41` */
  readonly at?: string;
}

/** Compiles responses with an undocumented body. They are sent whatever the document says. */
export function compileRespondOwn(operation: Operation): RespondOwn {
  const ordinary = successForm(operation).status;

  /** A text may be deliberately broken JSON. */
  function problemsOf(media: MediaType, body: unknown): readonly OwnViolation[] {
    if (!media.isJson || !media.shape || body instanceof Uint8Array) return [];
    let value = body;
    if (typeof body === 'string') {
      try {
        value = parseJson(body);
      } catch {
        return [{ of: 'body', message: 'the body is no JSON' }];
      }
    }
    return violationsOf(media.shape, value).map(({ pointer, keyword, expected, at }) => ({
      of: 'body',
      pointer,
      keyword,
      message: expected,
      at: showPlace(at),
    }));
  }

  function problemsOfAll(
    status: number,
    response: DocumentedResponse | undefined,
    type: string,
    body: unknown,
  ): readonly OwnViolation[] {
    if (!response) return [{ of: 'status', message: `${operation.id} documents no status ${status}` }];
    if (body === '') return [];
    const media = mediaTypeFor(response.content, type);
    return media
      ? problemsOf(media, body)
      : [{ of: 'body', message: `${operation.id} documents no ${type} for ${status}` }];
  }

  return ({ status = ordinary, body, headers }) => {
    const response = responseWith(operation, status);
    const isText = typeof body === 'string' || body instanceof Uint8Array;
    const documented = response && preferredMedia(response);
    const fallback = isText ? 'text/plain; charset=utf-8' : 'application/json';
    const isDocumented = documented && (isText || documented.isJson);
    const typeOf = typeof body === 'string' ? responseType : sentType;
    const type = headers?.['Content-Type'] ?? (isDocumented ? typeOf(documented) : fallback);
    const text = isText ? body : stringifyJson(body);
    const violations = problemsOfAll(status, response, type, body);
    return {
      content: { status, type: text === '' ? undefined : type, body: text },
      violation: violations.length === 0 ? undefined : violations.map(violationText).join('; '),
      violations,
    };
  };
}

function violationText({ pointer, message, at }: OwnViolation): string {
  return pointer === undefined ? message : `body${pointer.replaceAll('/', '.')} ${message} (${at})`;
}
