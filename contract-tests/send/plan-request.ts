import {
  type Basis,
  basePathsAt,
  bodyMedia,
  type EncodedBody,
  encodeBody,
  encodeParameter,
  hasStream,
  idempotencyKeyOf,
  isSecretHeader,
  isStreamOnly,
  mediaTypeFor,
  type Operation,
  type Parameter,
  type Place,
  parseJson,
  pathParameters,
  percentEncode,
  queryPairs,
  type Resource,
  roughlyFits,
  type Shape,
  sample,
  sentType,
  stringifyJson,
} from '#spec';
import { headerVariable, type Keys, type Presented, presentKey } from './credentials.ts';
import { type Connection, GLANCE, LISTENING, type WireRequest } from './wire.ts';

/** What a request is made from; whatever is left out is ordinary. */
export interface RequestInput {
  /** Path parameters by name. */
  readonly path?: Readonly<Record<string, unknown>>;
  /** Query parameters by name; a text is sent as it is. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** In the place of ordinary headers of the same name. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** A header or query parameter that is required, and is left out. */
  readonly leavesOut?: string;
  /** A credential that must be refused; by default the run's own key is sent. */
  readonly refused?: Presented;
  /** The scheme of that credential, where it is good for other operations than this one. */
  readonly otherScheme?: string;
  /** A credential that must be accepted as well as the run's own. */
  readonly presented?: Presented;
  /** Why such a credential is one: the run has had it handed out, and ended where it is refused. */
  readonly issued?: Basis;
  /** The value of a body, which is sent in the media type that a client chooses. */
  readonly body?: unknown;
  /** The documented media type that it is sent in instead. */
  readonly bodyType?: string;
  /** Body bytes that are sent as they are, instead of `body`. */
  readonly rawBody?: string;
  readonly contentType?: string;
  readonly chunked?: boolean;
  /** The last path parameter is made up: it most likely names no record. */
  readonly unknownId?: boolean;
  /** That id is the one that a new record is to have: the run looks whether it is free. */
  readonly chosenId?: boolean;
  /** It is to make the record that its path names, which was not there; false: to replace what was just made there. */
  readonly creates?: boolean;
  /** The path is that of the `Location` of a new record with this id. */
  readonly located?: { readonly id: unknown; readonly resource: Resource };
  /** No path parameter is the id of a record, since all of them are made up. */
  readonly madeUp?: boolean;
  /** A path parameter is made up, since nothing says which value names something. */
  readonly guessed?: boolean;
  /** The user has named the request, and the status that it is answered with (`provoke`). */
  readonly provoked?: boolean;
  /** There is room for the record that it may make. */
  readonly reserved?: boolean;
  /** The unique key whose values are those of another record. */
  readonly duplicated?: string;
  /** The unique key whose values no other record has, and why not. */
  readonly free?: FreeKey;
  /** The request is an example of the document, which has it there. */
  readonly example?: Place;
  /** What it says of the version of the record, whose tag its sender knows. */
  readonly condition?: Condition;
  /** A part of it that the document does not have, and that nothing is expected of. */
  readonly undocumented?: { readonly in: 'header' | 'query'; readonly name: string };
  /** It is about the messages of a stream, which are awaited. */
  readonly listens?: boolean;
  /** Of the records in its body those that must be refused by themselves. */
  readonly refusedRecords?: readonly number[];
  /** The last look at a job: it has had its time. */
  readonly lastLook?: boolean;
  /** What this very request must be answered with, beyond what the laws say of any request. */
  readonly expected?: Expectation;
}

/** A condition on the version of a record (RFC 9110 §13.1); `none`, also where the operation demands one. */
export type Condition =
  | 'none'
  | { readonly header: 'If-Match' | 'If-None-Match'; readonly version: 'current' | 'former' };

export interface FreeKey {
  readonly label: string;
  /** A sentence without its end, for people. */
  readonly since: string;
  /** It was that of a record which is removed. */
  readonly isFreed?: boolean;
}

/** A status that the document promises for a request, and whether any 4xx is just as right. */
export interface Expectation {
  readonly status: number;
  readonly or4xx?: boolean;
  /** The facts that it follows from. */
  readonly rests?: readonly Basis[];
}

/** Where requests go, and what each of them carries. */
export interface Target extends Keys, Connection {
  readonly base: URL;
  /** Those of the document, one of which the path of the base URL may stand for. */
  readonly basePaths: readonly string[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Values of parameters by name, as the user has given them. */
  readonly values?: Readonly<Record<string, string>>;
}

/**
 * An operation and the input for it, as the bytes of one request.
 * @param tag the entity tag that its condition names
 */
export function planRequest(
  target: Target,
  operation: Operation,
  input: RequestInput,
  tag?: string,
): WireRequest {
  const { clientCert, insecure, authority } = target;
  const presented = input.refused ?? input.presented ?? presentKey(operation, target);
  const sent = bodyOf(operation, input);
  const { condition } = input;
  const isConditional = condition !== undefined && condition !== 'none' && tag !== undefined;
  const headers = [...(input.headers ?? []), ...(isConditional ? [[condition.header, tag] as const] : [])];
  const caseNames = new Set(headers.map(([name]) => name.toLowerCase()));
  if (condition === 'none') caseNames.add('if-match');
  if (input.leavesOut !== undefined) caseNames.add(input.leavesOut.toLowerCase());
  const userHeaders = input.refused ? target.headers.filter(isNoCredentialOf(operation)) : target.headers;
  const keys = presented.headers.map(([name, { text: value }]) => [name, value] as const);
  const ordinary = [
    ['Accept', acceptOf(operation)] as const,
    ...withRequired(keys, requiredHeaders(operation, target), userHeaders),
    ...userHeaders,
    ...(sent === undefined || input.contentType === ''
      ? []
      : [['Content-Type', input.contentType ?? sent.type] as const]),
  ];
  const byUser = [...userHeaders, ...((input.provoked && input.headers) || [])];
  const secret = byUser.filter(([name]) => isSecretHeader(name));
  const hidden = secret.map(([name, value]) => [name, headerVariable(name, value)] as const);
  return {
    method: operation.method,
    url: urlOf(target, operation, input, presented),
    headers: [...ordinary.filter(([name]) => !caseNames.has(name.toLowerCase())), ...headers],
    body: sent?.bytes,
    chunked: input.chunked ?? false,
    credential: { ...presented, headers: [...presented.headers, ...hidden] },
    connection: { clientCert, insecure, authority },
    ...(operation.responses.some(hasStream) && {
      listening: input.listens ? LISTENING : GLANCE,
      mayBeSilent: isStreamOnly(operation),
    }),
  };
}

/** Users may give a credential as a header: a request that must be refused for want of it does not have that. */
export function isNoCredentialOf({ security }: Operation): (header: Header) => boolean {
  const names = security.flat().flatMap((credential) => {
    if (credential.kind !== 'apiKey') return 'authorization';
    if (credential.in === 'cookie') return 'cookie';
    // As some documents write it: `Authorization: Bearer`.
    return credential.in === 'header' ? credential.name.toLowerCase().replace(/\s*:.*/, '') : [];
  });
  return ([name]) => !names.includes(name.toLowerCase());
}

/**
 * A value is sent in the media type that clients choose; what the document does not describe is sent as JSON, and a text of
 * the user's in a type that nobody here can write as it is.
 */
function bodyOf(
  { body }: Operation,
  { rawBody, body: value, bodyType }: RequestInput,
): EncodedBody | undefined {
  const media = bodyType === undefined ? bodyMedia(body) : mediaTypeFor(body?.content ?? [], bodyType);
  if (rawBody !== undefined)
    return { bytes: Buffer.from(rawBody), type: media ? sentType(media) : 'application/json' };
  if (value === undefined) return undefined;
  const [documented] = body?.content ?? [];
  if (!media && documented && typeof value === 'string')
    return { bytes: Buffer.from(value), type: documented.type };
  return media
    ? encodeBody(media, value)
    : { bytes: Buffer.from(stringifyJson(value)), type: 'application/json' };
}

type Header = readonly [name: string, value: string];

/** The credentials and what else the operation requires: one `Cookie` header (RFC 6265 §5.4), and nothing that the user sends. */
function withRequired(
  keys: readonly Header[],
  required: readonly Header[],
  userHeaders: readonly Header[],
): Header[] {
  const nameOf = ([name]: Header) => name.toLowerCase();
  const taken = new Set([...keys, ...userHeaders].map(nameOf));
  const cookie = required.find(
    (header) => nameOf(header) === 'cookie' && !userHeaders.some((one) => nameOf(one) === 'cookie'),
  );
  return [
    ...keys.map(
      (header): Header =>
        cookie && nameOf(header) === 'cookie' ? ['Cookie', `${header[1]}; ${cookie[1]}`] : header,
    ),
    ...required.filter((header) => !taken.has(nameOf(header))),
  ];
}

/** All media types that the operation documents: a response in any of them is acceptable, and JSON says most. */
function acceptOf(operation: Operation): string {
  const content = operation.responses.flatMap((response) => response.content);
  const hasJson = content.some(({ isJson }) => isJson);
  const types = content.map(({ type, isJson }) => (hasJson && !isJson ? `${type};q=0.5` : type));
  return types.length > 0 ? [...new Set(types)].join(', ') : '*/*';
}

/** What languages write where there is no value. */
const NO_VALUE =
  /^\s*(?:undefined|undef|null|nil|none|nan|-?infinity|invalid date|\[object \w+\]|\{\}|\[\]|[<(](?:null|nil)[>)])?\s*$/i;

/** Whether a value says that there is none: a path with it would name something else, or nothing. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || NO_VALUE.test(String(value));
}

/** A path parameter has no value: the request is not sent. */
export class AbsentValue extends Error {
  override name = 'AbsentValue';

  constructor(parameter: string) {
    super(`no value of ${parameter} is known: say --value ${parameter}=V`);
  }
}

/** The path parameters of an input as they are sent. @throws AbsentValue */
export function pathTexts({ path, parameters }: Operation, input: RequestInput): Record<string, string> {
  return Object.fromEntries(
    pathParameters(path).map((name) => {
      const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
      const value = input.path?.[name];
      const isDocumented = parameter?.shape.values?.includes(value);
      if (isAbsent(value) && !isDocumented && !input.provoked) throw new AbsentValue(name);
      const [text = ''] = parameter ? encodeParameter(parameter, value) : [percentEncode(String(value))];
      return [name, text];
    }),
  );
}

/** What has servers of its own is asked at the origin of the target, too: that alone the user has named. */
function urlOf(
  { base, basePaths }: Target,
  operation: Operation,
  input: RequestInput,
  presented: Presented,
): URL {
  const [below = ''] = basePathsAt(base.pathname, basePaths, operation);
  const texts = pathTexts(operation, input);
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => texts[name] ?? '');
  const query = Object.entries(input.query ?? {}).flatMap(([name, value]) => {
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name);
    return parameter && typeof value !== 'string'
      ? queryPairs(parameter, value)
      : [[percentEncode(name), percentEncode(String(value))] as const];
  });
  const secret = presented.query.map(([name, { text }]) => [name, text].map(percentEncode));
  const pairs = [...query, ...secret].map((pair) => pair.join('='));
  return new URL(`${base.origin}${below}${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`);
}

/** What the user says (`--value NAME=V`, by name of the parameter), and the seed of the other values. */
interface Source {
  readonly values?: Readonly<Record<string, string>>;
  readonly seed?: number;
}

/** The headers and cookies that an operation requires, with values of their schemas. */
function requiredHeaders(operation: Operation, { values = {} }: Source): Header[] {
  const required = operation.parameters.filter((one) => one.required);
  const again = idempotencyKeyOf(operation);
  const headers = required
    .filter((parameter) => parameter.in === 'header')
    .map(
      (parameter): Header => [
        parameter.name,
        encodeParameter(
          parameter,
          // Else the service takes the request for one that it has answered already.
          (parameter === again && freshValue(parameter, values)) || goodValue(parameter, values),
        ).join(','),
      ],
    );
  const cookies = required
    .filter((parameter) => parameter.in === 'cookie')
    .flatMap((parameter) =>
      queryPairs(parameter, goodValue(parameter, values)).map((pair) => pair.join('=')),
    );
  const sendable = [...headers, ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as const] : [])];
  return sendable.filter(([, text]) => isFieldValue(text));
}

/** A value that no other request has. Undefined: the user has said one. */
function freshValue({ name, shape }: Parameter, values: Readonly<Record<string, string>>): unknown {
  const id = crypto.randomUUID();
  const isGiven = Object.keys(values).some((one) => one.toLowerCase() === name.toLowerCase());
  return isGiven ? undefined : roughlyFits(shape, id) ? id : uncommonText(shape, id);
}

/** Texts made for a pattern are often names of prototypes, as fast-check makes them: another one may have these. */
export function uncommonText(shape: Shape, key: string): unknown {
  const texts = ['', ' 2', ' 3'].map((more) => sample(shape, { key: key + more, unshown: true }));
  const isName = (text: unknown) => NAMES.some((name) => name.startsWith(String(text).slice(0, 4)));
  return texts.find((text) => !isName(text)) ?? texts[0];
}

const NAMES = [
  'prototype',
  ...[Object.prototype, Function.prototype].flatMap((one) => Object.getOwnPropertyNames(one)),
];

function goodValue({ name, shape }: Parameter, values: Readonly<Record<string, string>>): unknown {
  const [, text] = Object.entries(values).find(([one]) => one.toLowerCase() === name.toLowerCase()) ?? [];
  // An empty text says nothing, and an empty header may be dropped on the way.
  const example = shape.examples.find((one) => one !== '');
  return givenValue(text, shape) ?? example ?? sample(shape, { key: name });
}

/** Good values for the query parameters that an operation requires. */
export function requiredQuery(
  { parameters }: Operation,
  { values = {}, seed = 0 }: Source,
): Readonly<Record<string, unknown>> {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  return Object.fromEntries(
    required.map(({ name, shape }) => [
      name,
      givenValue(values[name], shape) ?? sample(shape, { key: `${seed}/${name}` }),
    ]),
  );
}

/** A value that the user gives as a text, as the schema's type. */
function givenValue(text: string | undefined, { mainType }: Shape): unknown {
  return text === undefined || mainType === 'string' ? text : parseJson(text);
}

/** RFC 9110 §5.5, printable ASCII only: anything else may be refused on the way. */
function isFieldValue(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}
