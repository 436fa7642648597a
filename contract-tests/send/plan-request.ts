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

/** The input of a request; whatever is left out is ordinary. */
export interface RequestInput {
  /** Path parameters by name. */
  readonly path?: Readonly<Record<string, unknown>>;
  /** Query parameters by name; a text is sent unchanged. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Replace ordinary headers of the same name. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** A required header or query parameter to leave out. */
  readonly leavesOut?: string;
  /** A credential that must be rejected, instead of the run's own. */
  readonly refused?: Presented;
  /** The scheme of that credential, if it is valid for other operations. */
  readonly otherScheme?: string;
  /** A credential that must be accepted like the run's own. */
  readonly presented?: Presented;
  /** Why the credential is valid or, with `refused`, was: the service issued it to the run. */
  readonly issued?: Basis;
  /** The value of the body, encoded in the media type that a client prefers. */
  readonly body?: unknown;
  /** The documented media type to use instead. */
  readonly bodyType?: string;
  /** Body bytes to send unchanged instead of `body`. */
  readonly rawBody?: string;
  readonly contentType?: string;
  readonly chunked?: boolean;
  /** Whether the last path parameter is made up: it most likely names no record. */
  readonly unknownId?: boolean;
  /** Whether that id is meant for a new record: the run checks that it is free. */
  readonly chosenId?: boolean;
  /** True: to create the missing record that its path names; false: to replace the one that was just created there. */
  readonly creates?: boolean;
  /** The path comes from the `Location` of a new record with this id. */
  readonly located?: { readonly id: unknown; readonly resource: Resource };
  /** Whether all path parameters are made up, so that none is the id of a record. */
  readonly madeUp?: boolean;
  /** Whether a path parameter is made up, since its values have no known source. */
  readonly guessed?: boolean;
  /** Whether the user defines the request and its status (`provoke`). */
  readonly provoked?: boolean;
  /** Whether room for a created record is reserved already. */
  readonly reserved?: boolean;
  /** The unique key whose values another record has. */
  readonly duplicated?: string;
  /** The unique key whose values no other record has, and why not. */
  readonly free?: FreeKey;
  /** The position of the documented example that the request sends. */
  readonly example?: Place;
  /** Its condition on the version of the record, whose entity tag the sender knows. */
  readonly condition?: Condition;
  /** An undocumented part, of which nothing is expected. */
  readonly undocumented?: { readonly in: 'header' | 'query'; readonly name: string };
  /** Whether it awaits the messages of a stream. */
  readonly listens?: boolean;
  /** The indices of the records in its body that must be rejected one by one. */
  readonly refusedRecords?: readonly number[];
  /** Whether this is the final read of a job, after which it should have ended. */
  readonly lastLook?: boolean;
  /** The response to this very request, beyond what rules require of any request. */
  readonly expected?: Expectation;
}

/** A condition on the version of a record (RFC 9110 §13.1); `none` even where the operation requires one. */
export type Condition =
  | 'none'
  | { readonly header: 'If-Match' | 'If-None-Match'; readonly version: 'current' | 'former' };

export interface FreeKey {
  readonly label: string;
  /** A partial sentence for people. */
  readonly since: string;
  /** Whether it belonged to a removed record. */
  readonly isFreed?: boolean;
}

/** A promised status of a request, and whether any 4xx is as valid. */
export interface Expectation {
  readonly status: number;
  readonly or4xx?: boolean;
  /** The facts that it rests on. */
  readonly rests?: readonly Basis[];
}

/** Where requests go, and what each of them contains. */
export interface Target extends Keys, Connection {
  readonly base: URL;
  /** The documented base paths; the path of the base URL may stand for one of them. */
  readonly basePaths: readonly string[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The user's values of parameters, by name. */
  readonly values?: Readonly<Record<string, string>>;
}

/**
 * Encodes an operation and its input as one request.
 * @param tag the entity tag for its condition
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

/** Matches headers without the operation's credentials, which users may set, and which requests without credentials omit. */
export function isNoCredentialOf({ security }: Operation): (header: Header) => boolean {
  const names = security.flat().flatMap((credential) => {
    if (credential.kind !== 'apiKey') return 'authorization';
    if (credential.in === 'cookie') return 'cookie';
    // Some documents write `Authorization: Bearer` as the name.
    return credential.in === 'header' ? credential.name.toLowerCase().replace(/\s*:.*/, '') : [];
  });
  return ([name]) => !names.includes(name.toLowerCase());
}

/**
 * Encodes a body in the media type that clients prefer; without a documented one as JSON, and a user's text unchanged if
 * there is no encoder for the type.
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

/** Adds credentials and required headers: one `Cookie` header (RFC 6265 §5.4), and nothing that the user sets. */
function withRequired(
  keys: readonly Header[],
  required: readonly Header[],
  userHeaders: readonly Header[],
): Header[] {
  const nameOf = ([name]: Header) => name.toLowerCase();
  const taken = new Set([...keys, ...userHeaders].map(nameOf));
  const cookie = required.find(
    (header) =>
      nameOf(header) === 'cookie' && !userHeaders.some((userHeader) => nameOf(userHeader) === 'cookie'),
  );
  return [
    ...keys.map(
      (header): Header =>
        cookie && nameOf(header) === 'cookie' ? ['Cookie', `${header[1]}; ${cookie[1]}`] : header,
    ),
    ...required.filter((header) => !taken.has(nameOf(header))),
  ];
}

/** All documented media types of the responses, with JSON preferred as it can be checked best. */
function acceptOf(operation: Operation): string {
  const content = operation.responses.flatMap((response) => response.content);
  const hasJson = content.some(({ isJson }) => isJson);
  const types = content.map(({ type, isJson }) => (hasJson && !isJson ? `${type};q=0.5` : type));
  return types.length > 0 ? [...new Set(types)].join(', ') : '*/*';
}

/** Texts by which languages print a missing value. */
const NO_VALUE =
  /^\s*(?:undefined|undef|null|nil|none|nan|-?infinity|invalid date|\[object \w+\]|\{\}|\[\]|[<(](?:null|nil)[>)])?\s*$/i;

/** Whether a value means that there is none: a path with it would name something else, or nothing. */
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

/**
 * The encoded path parameters of an input.
 * @throws AbsentValue
 */
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

/** The URL of a request. Operations with their own servers are also called at the target, which the user named. */
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

/** The user's values (`--value NAME=V`, by parameter name), and the seed of the others. */
interface Source {
  readonly values?: Readonly<Record<string, string>>;
  readonly seed?: number;
}

/** The required headers and cookies of an operation, with valid values. */
function requiredHeaders(operation: Operation, { values = {} }: Source): Header[] {
  const required = operation.parameters.filter((parameter) => parameter.required);
  const again = idempotencyKeyOf(operation);
  const headers = required
    .filter((parameter) => parameter.in === 'header')
    .map(
      (parameter): Header => [
        parameter.name,
        encodeParameter(
          parameter,
          // A repeated key would mark the request as a repetition.
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

/** A value that no other request has. Undefined: the user gives one. */
function freshValue({ name, shape }: Parameter, values: Readonly<Record<string, string>>): unknown {
  const id = crypto.randomUUID();
  const isGiven = Object.keys(values).some((one) => one.toLowerCase() === name.toLowerCase());
  return isGiven ? undefined : roughlyFits(shape, id) ? id : uncommonText(shape, id);
}

/** A text for a pattern. fast-check often generates names of prototype members, which collide: these are avoided. */
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
  // An empty text carries no value, and intermediaries may drop an empty header.
  const example = shape.examples.find((one) => one !== '');
  return givenValue(text, shape) ?? example ?? sample(shape, { key: name });
}

/** Valid values for the required query parameters of an operation. */
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

/** The user's text, converted to the schema's type. */
function givenValue(text: string | undefined, { mainType }: Shape): unknown {
  return text === undefined || mainType === 'string' ? text : parseJson(text);
}

/** RFC 9110 §5.5, printable ASCII only: intermediaries may reject anything else. */
function isFieldValue(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}
