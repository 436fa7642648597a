import {
  type DocumentedResponse,
  errorRoles,
  isRecord,
  type MediaType,
  mediaTypeFor,
  type Operation,
  responseFor,
  stringifyJson,
  successOf,
} from '#spec';
import type { SeedValues } from '../seed/values.ts';
import { concreteType, successForm } from './actions/success.ts';
import type { Answer, MockRequest } from './exchange.ts';
import { describeWish, type Wish } from './prefer.ts';
import type { Refusal } from './refusal.ts';
import type { Refuse } from './refuse.ts';

/** The documented answer that is wished for, or what there is instead. */
export type Force = (wish: Wish, request: MockRequest) => Answer | Refusal;

interface Context {
  readonly operation: Operation;
  readonly seeds: SeedValues;
  readonly refuse: Refuse;
}

/** Compiles the answers that can be asked for by status, by the name of an example, or as a fresh sample. */
export function compileForce(context: Context): Force {
  const { operation } = context;
  return (wish, request) => {
    const found = findResponse(operation, wish);
    if (!found) return refuseWish(operation, wish);
    const { status, response } = found;
    const media =
      mediaTypeFor(response.content, 'application/json') ??
      response.content.find(({ isJson }) => isJson) ??
      response.content[0];
    return answerFrom(context, wish, request, status, response, media);
  };
}

/** Whether a wish can never come true; undefined: it can. */
export function refuseForce(operation: Operation, wish: Wish): Refusal | undefined {
  return findResponse(operation, wish) ? undefined : refuseWish(operation, wish);
}

interface FoundResponse {
  readonly status: number;
  readonly response: DocumentedResponse;
}

/** Without a status an example is looked for in the good answer first, then in all others that name one status. */
function findResponse(operation: Operation, { code, example }: Wish): FoundResponse | undefined {
  const { responses } = operation;
  if (code !== undefined) {
    const response = responseFor(responses, code);
    if (!response || !covers(operation, response, code)) return undefined;
    return example === undefined || hasExample(response, example) ? { status: code, response } : undefined;
  }
  const { status } = successForm(operation);
  const success = successOf(operation);
  if (success && (example === undefined || hasExample(success, example)))
    return { status, response: success };
  const other = responses.find(
    (response) => /^\d+$/.test(response.key) && hasExample(response, example ?? ''),
  );
  return other && { status: Number(other.key), response: other };
}

/** `default` stands for errors; for a success only where the operation names no other one. */
function covers(operation: Operation, { key }: DocumentedResponse, status: number): boolean {
  if (key !== 'default' || status >= 400) return true;
  return status === successForm(operation).status && successOf(operation)?.key === 'default';
}

function hasExample({ content }: DocumentedResponse, name: string): boolean {
  return content.some(({ examples }) => examples.has(name));
}

function answerFrom(
  { operation, seeds, refuse }: Context,
  wish: Wish,
  { path, query }: MockRequest,
  status: number,
  { key }: DocumentedResponse,
  media: MediaType | undefined,
): Answer {
  if (!media) return { status, type: undefined, body: '' };
  const [first] = media.examples.values();
  const { example, dynamic } = wish;
  // Behind a range or `default` stand many statuses, and an example speaks of one of them.
  const isOwn = key === String(status) && first !== undefined;
  if (status >= 400 && example === undefined && !dynamic && !isOwn) {
    return refuse({ refuse: 'forced', status, message: `This answer was asked for (${describeWish(wish)})` });
  }
  const fresh = () => media.shape && seeds.answer(media.shape, operation.id, status, path, query);
  const named = example === undefined ? first : media.examples.get(example);
  const value = dynamic && example === undefined ? fresh() : (named ?? fresh());
  return { status, type: concreteType(media), body: bodyText(media, repeatStatus(media, value, status)) };
}

/** The body of an error repeats its status. */
function repeatStatus({ shape }: MediaType, value: unknown, status: number): unknown {
  const member = status >= 400 && shape ? errorRoles(shape).status : undefined;
  return member === undefined || !isRecord(value) ? value : { ...value, [member]: status };
}

function bodyText({ isJson }: MediaType, value: unknown): string {
  return isJson || typeof value !== 'string' ? stringifyJson(value ?? null) : value;
}

function refuseWish({ id, responses }: Operation, { code, example }: Wish): Refusal {
  const keys = responses.map(({ key }) => (key === 'default' ? 'any 4xx or 5xx (default)' : key));
  if (example === undefined) {
    const message = `${id} documents no status ${code}; there are ${keys.join(', ')}`;
    return { refuse: 'preference', message };
  }
  const examples = responses.flatMap(({ key, content }) => {
    const names = content.flatMap((media) => [...media.examples.keys()]);
    return names.length > 0 ? [`${key} (${[...new Set(names)].join(', ')})`] : [];
  });
  const where = code === undefined ? '' : ` for ${code}`;
  const known = examples.length > 0 ? examples.join(', ') : 'none';
  return { refuse: 'preference', message: `${id} has no example "${example}"${where}; there are ${known}` };
}
