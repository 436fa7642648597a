import {
  type DocumentedResponse,
  errorRoles,
  isRecord,
  type MediaType,
  type Operation,
  responseFor,
  successOf,
} from '#spec';
import { acceptOf, chooseAcceptable } from '../../http/accept.ts';
import type { Refuse } from '../../http/error-response.ts';
import type { MockRequest, ResponseContent } from '../../http/exchange.ts';
import type { Outcome, Refusal } from '../../http/refusal.ts';
import { type Representation, representationsOf } from '../../http/representations.ts';
import { mediaText, successForm } from '../../http/success-response.ts';
import { withVary } from '../../http/vary.ts';
import type { SeedValues } from '../../records/seed/values.ts';
import { type Preference, preferenceText } from './preference.ts';

/** Responds with the documented response that a client or a rule prefers. */
export type Force = (preference: Preference, source: PreferenceSource, request: MockRequest) => Outcome;

export type PreferenceSource = 'Prefer' | 'a rule';

interface Context {
  readonly operation: Operation;
  readonly seeds: SeedValues;
  readonly refuse: Refuse;
}

/** Compiles the responses that can be forced by status, by the name of an example, or as a new sample. */
export function compileForce(context: Context): Force {
  return (preference, source, request) => {
    const found = findResponse(context.operation, preference);
    return found
      ? respond(context, preference, source, request, found)
      : impossible(context.operation, preference);
  };
}

/** Why the operation cannot satisfy a preference; undefined: it can. */
export function refusePreference(operation: Operation, preference: Preference): Refusal | undefined {
  return findResponse(operation, preference) ? undefined : impossible(operation, preference);
}

interface FoundResponse {
  readonly status: number;
  readonly response: DocumentedResponse;
}

/** Without a status an example is searched in the success response first, then in all others of one status. */
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

/** What the operation documents for a status; undefined: nothing. */
export function responseWith(operation: Operation, status: number): DocumentedResponse | undefined {
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
  { operation, seeds, refuse }: Context,
  preference: Preference,
  source: PreferenceSource,
  request: MockRequest,
  { status, response }: FoundResponse,
): ResponseContent {
  const { path, query } = request;
  const { example, dynamic } = preference;
  const choice = choiceOf(response, example);
  const [preferred] = choice;
  const { media, type } = chooseAcceptable(acceptOf(request), choice) ?? preferred ?? {};
  if (!media) return { status, type: undefined, body: '' };
  const vary = choice.length > 1 ? { headers: withVary(undefined, 'Accept') } : {};
  const [first] = media.examples.values();
  // A range or `default` covers many statuses, and an example describes one of them.
  const isOwn = response.key === String(status) && first !== undefined;
  if (status >= 400 && example === undefined && !dynamic && !isOwn) {
    const message = `Forced by ${source}: ${preferenceText(preference)}`;
    return refuse({ refuse: 'forced', status, message }, acceptOf(request));
  }
  const sampled = () => media.shape && seeds.answer(media.shape, operation.id, status, path, query);
  const named = example === undefined ? first : media.examples.get(example);
  const value = dynamic && example === undefined ? sampled() : (named ?? sampled());
  return { status, type, body: mediaText(media, withStatus(media, value, status)), ...vary };
}

/** The media types to choose from; where an example is named, those that have it. */
function choiceOf(response: DocumentedResponse, example: string | undefined): readonly Representation[] {
  const all = representationsOf(response);
  const having = all.filter(({ media }) => example !== undefined && media.examples.has(example));
  return having.length > 0 ? having : all;
}

/** The body of an error repeats its status. */
function withStatus({ shape }: MediaType, value: unknown, status: number): unknown {
  const member = status >= 400 && shape ? errorRoles(shape).status : undefined;
  return member === undefined || !isRecord(value) ? value : { ...value, [member]: status };
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
  const known = examples.join(', ') || 'none';
  return { refuse: 'preference', message: `${id} has no example "${example}"${where}; there are ${known}` };
}
