import { type ClientRequest, credentialParts, queryText } from '../code/client-request.ts';
import { parseJson, stringifyJson } from '../shell/exact-json.ts';
import { isObject, type Json, objectAt, objectsIn, textOf } from './document.ts';
import type { Operation, ReferenceModel } from './model.ts';

/** A parameter of an operation or its path. */
export interface Parameter {
  /** `query.limit` */
  readonly key: string;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly description: string;
  readonly schema: unknown;
  /** The media type of its text. Undefined: it has a style. */
  readonly media: string | undefined;
  readonly written: Json;
}

/** The Operation Object takes precedence (OpenAPI 3.1 §4.8.10). */
export function parametersOf({ root }: ReferenceModel, { written, item }: Operation): Parameter[] {
  const all = [item.parameters, written.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
  const read = all.flatMap((one): [string, Parameter][] => {
    const value = objectAt(root, one);
    if (typeof value.name !== 'string' || typeof value.in !== 'string') return [];
    const [media] = objectsIn(root, value.content);
    const key = `${value.in}.${value.in === 'header' ? value.name.toLowerCase() : value.name}`;
    const parameter = {
      key,
      name: value.name,
      in: value.in,
      written: value,
      required: value.required === true || value.in === 'path',
      deprecated: value.deprecated === true,
      description: textOf(value.description),
      schema: (media?.[1] ?? value).schema,
      media: media?.[0],
    };
    return [[key, parameter]];
  });
  return [...new Map(read).values()];
}

/** The values that the user has entered. */
export interface Draft {
  /** By the key of the parameter; empty: it is not sent. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: string;
  readonly type: string;
  /** The index of the alternative in `security`; -1: no credential is sent. */
  readonly credential: number;
}

/** @param base the base path; @param key sent as each credential */
export function requestOf(
  { root }: ReferenceModel,
  { method, path, security }: Operation,
  parameters: readonly Parameter[],
  { parameters: texts, body, type, credential }: Draft,
  base: string,
  key: string,
): ClientRequest {
  const parametersIn = (place: string) =>
    parameters.filter((parameter) => parameter.in === place && (texts[parameter.key] ?? '') !== '');
  const credentials = credentialParts(security[credential] ?? [], key);
  const target = path.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const parameter = parametersIn('path').find((one) => one.name === name);
    return parameter ? pathText(root, parameter, texts[parameter.key] as string) : whole;
  });
  const query = [
    ...parametersIn('query').flatMap((parameter) =>
      queryPairs(root, parameter, texts[parameter.key] as string),
    ),
    ...credentials.query,
  ];
  // OpenAPI 3.2: the whole query is one parameter.
  const whole = parametersIn('querystring').map((parameter) => texts[parameter.key] as string);
  const hasBody = body !== '';
  const all = [...whole, ...(query.length > 0 ? [queryText(query)] : [])];
  return {
    method,
    url: base + target + (all.length > 0 ? `?${all.join('&')}` : ''),
    headers: [
      ...credentials.headers,
      ...parametersIn('header').map(
        (parameter) => [parameter.name, simpleText(root, parameter, texts[parameter.key] as string)] as const,
      ),
      ...(hasBody ? [['Content-Type', type] as const] : []),
    ],
    ...(credentials.basic && { basic: credentials.basic }),
    cookies: [
      ...parametersIn('cookie').map((parameter) => [parameter.name, texts[parameter.key] as string] as const),
      ...credentials.cookies,
    ],
    body: hasBody ? body : undefined,
  };
}

/** The value of a text: the items of a list, the members of an object, else the text. */
function sentValue(
  root: Json,
  { schema, media }: Parameter,
  text: string,
): string | string[] | [string, string][] {
  if (media !== undefined) return text;
  const { type } = objectAt(root, schema);
  const types = Array.isArray(type) ? type : [type];
  const parsed = jsonOf(text);
  if (types.includes('array'))
    return Array.isArray(parsed) ? parsed.map(scalarText) : text.split(',').map((one) => one.trim());
  if (isObject(parsed) && types.includes('object'))
    return Object.entries(parsed).map(([name, one]): [string, string] => [name, scalarText(one)]);
  return text;
}

function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const scalarText = (value: unknown) => (typeof value === 'string' ? value : stringifyJson(value));

const isPairs = (value: string[] | [string, string][]): value is [string, string][] =>
  Array.isArray(value[0]);

const encode = encodeURIComponent;

/** Styles of a path parameter (OpenAPI 3.1 §4.8.12.3): simple, label, matrix. */
function pathText(root: Json, parameter: Parameter, text: string): string {
  const { style = 'simple', explode = false } = parameter.written;
  const value = sentValue(root, parameter, text);
  const { name } = parameter;
  const lead = style === 'label' ? '.' : style === 'matrix' ? ';' : '';
  if (typeof value === 'string')
    return style === 'matrix' ? `;${name}=${encode(value)}` : lead + encode(value);
  const between = explode === true ? lead || ',' : ',';
  if (isPairs(value)) {
    const pairs = value.map(([key, one]) => [encode(key), encode(one)].join(explode === true ? '=' : ','));
    return (style === 'matrix' && explode !== true ? `;${name}=` : lead) + pairs.join(between);
  }
  const items = value.map(encode);
  if (style !== 'matrix') return lead + items.join(between);
  return explode === true ? items.map((item) => `;${name}=${item}`).join('') : `;${name}=${items.join(',')}`;
}

function simpleText(root: Json, parameter: Parameter, text: string): string {
  const value = sentValue(root, parameter, text);
  if (typeof value === 'string') return value;
  const isExploded = parameter.written.explode === true;
  return isPairs(value) ? value.map((pair) => pair.join(isExploded ? '=' : ',')).join(',') : value.join(',');
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Styles of a query parameter: form, spaceDelimited, pipeDelimited, deepObject. */
function queryPairs(root: Json, parameter: Parameter, text: string): (readonly [string, string])[] {
  const { name, written } = parameter;
  const style = textOf(written.style) || 'form';
  const isExploded = written.explode === undefined ? style === 'form' : written.explode === true;
  const value = sentValue(root, parameter, text);
  if (typeof value === 'string') return [[name, value]];
  if (isPairs(value)) {
    if (style === 'deepObject') return value.map(([key, one]) => [`${name}[${key}]`, one]);
    return isExploded ? value : [[name, value.flat().join(',')]];
  }
  if (style === 'deepObject') return value.map((one) => [`${name}[]`, one]);
  return isExploded && style === 'form'
    ? value.map((one) => [name, one])
    : [[name, value.join(SEPARATORS[style] ?? ',')]];
}
