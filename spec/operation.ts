import {
  addWarning,
  child,
  children,
  flagAt,
  isVersion,
  listAt,
  rawChild,
  recordAt,
  type Spot,
  textAt,
  textsAt,
} from './document/spot.ts';
import { isRecord } from './json/json-value.ts';
import { idStem } from './meaning/names.ts';
import { type SaidOfOperation, saidOfOperation } from './meaning/x-paddock.ts';
import { type RequestBody, readRequestBody } from './media-type.ts';
import { asSent, assumeParameter, type Parameter, readParameter } from './parameter.ts';
import { type DocumentedResponse, readResponses } from './response.ts';
import { type Requirement, readSecurity } from './security.ts';
import { NO_SERVERS, readServers, type Served } from './server.ts';

/** The methods of a Path Item Object (OpenAPI 3.1 §4.8.9; `QUERY` since 3.2). */
export const METHODS = [
  'GET',
  'PUT',
  'POST',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'PATCH',
  'TRACE',
  'QUERY',
] as const;
export type Method = (typeof METHODS)[number];

/** Methods that change nothing and may be repeated: RFC 9110 §9.2.1, and QUERY of OpenAPI 3.2. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']);

/** An Operation Object (OpenAPI 3.1 §4.8.10) with the path's parameters and the document's security merged in. */
export interface Operation extends Served {
  /** The operationId, else method and path: `GET /store/orders`. Unique in the document. */
  readonly id: string;
  readonly method: Method;
  /** The path template, without the base path. */
  readonly path: string;
  readonly summary: string | undefined;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly responses: readonly DocumentedResponse[];
  /** Alternatives; empty if no credential is required. */
  readonly security: readonly Requirement[];
  readonly deprecated: boolean;
  /** `x-sunset`: the sunset date, as an RFC 3339 date or date-time. */
  readonly sunset: string | undefined;
  /** `x-successor`: the operationId that replaces a deprecated operation. */
  readonly successor: string | undefined;
  /** `x-stability` or `x-stability-level`, e.g. `experimental` or `beta`. */
  readonly stability: string | undefined;
  /** The facts in its `x-paddock`. */
  readonly said: SaidOfOperation;
  readonly spot: Spot;
}

/**
 * @param isLeftOut whether an operation, as `METHOD PATH`, cannot be read
 * @param served the servers of the document
 */
export function readOperations(root: Spot, isLeftOut: (key: string) => boolean, served: Served): Operation[] {
  const operations = children(recordAt(root, 'paths')).flatMap(([path, item]) => {
    if (path.startsWith('x-')) return [];
    if (!isRecord(item.value)) return ignore(item, `the path "${path}"`);
    if (/[?#]/.test(path)) {
      const message = `the path "${path}" has a query or a fragment, which no path of a request has`;
      addWarning(item, `${message}; its operations are ignored`);
      return [];
    }
    if (!path.startsWith('/'))
      addWarning(item, `the path "${path}" must begin with "/"; it is read as /${path}`);
    // Parameters in the notation of web frameworks; no real path has a segment that starts with a colon.
    const template = path.replace(/(?<=^|\/):([A-Za-z_]\w*)(?=\/|$)/g, '{$1}');
    if (template !== path) addWarning(item, `parameters of "${path}" need braces; it is read as ${template}`);
    const isRead = (method: Method) => !isLeftOut(`${method} ${path}`);
    return readItem(root, template.replace(/^(?!\/)/, '/'), item, isRead, served);
  });
  return withUniqueIds(withOneTemplate(withoutAlike(operations)));
}

/** The operations of a Path Item Object (OpenAPI 3.1 §4.8.9), wherever it is located. */
export function readItem(
  root: Spot,
  path: string,
  item: Spot,
  isRead: (method: Method) => boolean = () => true,
  inherited: Served = NO_SERVERS,
): Operation[] {
  const served = readServers(item, inherited);
  const is32 = isVersion(root, '3.2');
  const others = rawChild(item, 'additionalOperations');
  if (others && is32) addWarning(others, '"additionalOperations" are not supported; they are ignored');
  return METHODS.flatMap((method) => {
    if ((method === 'QUERY' && !is32) || !isRead(method)) return [];
    const spot = child(item, method.toLowerCase());
    if (!spot) return [];
    if (!isRecord(spot.value)) return ignore(spot, `${method} ${path}`);
    return [{ ...readOperation(root, path, item, method, spot), ...readServers(spot, served) }];
  });
}

/** If a single path parameter does not match the template by name, it gets the remaining name of the template. */
function withNamesOf(path: string, parameters: readonly Parameter[]): readonly Parameter[] {
  const named = pathParameters(path);
  const ofPath = parameters.filter((parameter) => parameter.in === 'path');
  const [over, ...others] = ofPath.filter((parameter) => !named.includes(parameter.name));
  const [open, ...more] = named.filter((name) => !ofPath.some((parameter) => parameter.name === name));
  if (!over || open === undefined || others.length + more.length > 0) return parameters;
  addWarning(over.spot, `${path} has no {${over.name}}; the path parameter is read as {${open}}`);
  return parameters.map((parameter) => (parameter === over ? { ...parameter, name: open } : parameter));
}

function readOperation(
  root: Spot,
  path: string,
  item: Spot,
  method: Method,
  spot: Spot,
): Omit<Operation, keyof Served> {
  const named = pathParameters(path);
  const described = withNamesOf(
    path,
    mergeParameters(listAt(item, 'parameters'), listAt(spot, 'parameters')),
  );
  const parameters = described.filter((parameter) => {
    const isSent = parameter.in !== 'path' || path === '' || named.includes(parameter.name);
    if (!isSent)
      addWarning(parameter.spot, `${path} has no {${parameter.name}}; the path parameter is ignored`);
    return isSent;
  });
  for (const name of named) {
    if (parameters.some((parameter) => parameter.in === 'path' && parameter.name === name)) continue;
    const message = `the path parameter {${name}} of ${path} is not described among the parameters`;
    addWarning(spot, `${message}; it is read as a string`);
    parameters.push(assumeParameter(name, spot));
  }
  return {
    id: textAt(spot, 'operationId') ?? `${method} ${path}`,
    method,
    path,
    summary: textAt(spot, 'summary'),
    tags: textsAt(spot, 'tags'),
    parameters,
    body: readRequestBody(spot, method),
    responses: readResponses(spot),
    security: readSecurity(root, spot),
    deprecated: flagAt(spot, 'deprecated'),
    sunset: readSunset(spot),
    successor: textAt(spot, 'x-successor'),
    stability: textAt(spot, 'x-stability') ?? textAt(spot, 'x-stability-level'),
    said: saidOfOperation(item, spot),
    spot,
  };
}

/** An operation's parameter overrides that of the path with the same name and place (OpenAPI 3.1 §4.8.10). */
function mergeParameters(inherited: readonly Spot[], overrides: readonly Spot[]): Parameter[] {
  const merged = new Map<string, Parameter>();
  for (const spot of [...inherited, ...overrides]) {
    const parameter = readParameter(spot);
    if (parameter) merged.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  const written = [...merged.values()];
  const taken = new Set(written.map(({ name }) => name));
  return written.flatMap((parameter) => {
    const sent = asSent(parameter);
    return sent.some((one) => one !== parameter && taken.has(one.name)) ? [parameter] : sent;
  });
}

function readSunset(spot: Spot): string | undefined {
  const text = textAt(spot, 'x-sunset');
  if (text === undefined || !Number.isNaN(Date.parse(text))) return text;
  const message = `"x-sunset" must be a date such as 2030-12-05, not "${text}"; it is ignored`;
  return addWarning(rawChild(spot, 'x-sunset') ?? spot, message);
}

/** Ignores a value that is not an object, with a warning. */
export function ignore(spot: Spot, what: string): never[] {
  addWarning(spot, `${what} must be an object; it is ignored`);
  return [];
}

/** A path template without the names of its parameters: `/pets/{}`. Templates with the same form match the same paths. */
export function pathForm(template: string): string {
  return template.replace(/\{[^{}]*\}/g, '{}');
}

/** The form of a path template up to one of its parameters: `/owners/{}` of `/owners/{ownerId}/pets`. */
export function formUpTo(template: string, parameter: string): string {
  return pathForm(template.slice(0, template.indexOf(`{${parameter}}`) + parameter.length + 2));
}

/** The names in a path template, in order. */
export function pathParameters(template: string): string[] {
  return [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}

/** Paths that differ only in the names of their parameters are identical (OpenAPI 3.1 §4.8.8.2); the first one counts. */
function withoutAlike(operations: readonly Operation[]): Operation[] {
  const first = new Map<string, Operation>();
  return operations.filter((operation) => {
    const { method, path, spot } = operation;
    const form = `${method} ${pathForm(path)}`;
    const other = first.get(form);
    if (other)
      addWarning(spot, `${method} ${path} is the same request as ${method} ${other.path}; it is ignored`);
    else first.set(form, operation);
    return other === undefined;
  });
}

/**
 * Methods of one path may use different parameter names; those of the first template count. POST is excluded, since it
 * may create a different record.
 */
function withOneTemplate(operations: readonly Operation[]): Operation[] {
  const first = new Map<string, string>();
  return operations.map((operation) => {
    const { method, path, parameters, spot } = operation;
    if (method === 'POST') return operation;
    const form = pathForm(path);
    const template = first.get(form) ?? path;
    // `/trainings/{userId}` may list those of a user, although a PUT to `/trainings/{trainingId}` changes one.
    if (method === 'GET' && isListOfOther(operation, template)) return operation;
    first.set(form, template);
    if (template === path) return operation;
    addWarning(
      spot,
      `${method} ${path} is the path ${template} (OpenAPI 3.1 §4.8.8.2); its names are read as there`,
    );
    const pathNames = pathParameters(path);
    const names = pathParameters(template);
    const renamed = (parameter: Parameter) => {
      const name = parameter.in === 'path' ? names[pathNames.indexOf(parameter.name)] : undefined;
      return name === undefined ? parameter : { ...parameter, name };
    };
    const id = operation.id === `${method} ${path}` ? `${method} ${template}` : operation.id;
    return { ...operation, id, path: template, parameters: parameters.map(renamed) };
  });
}

/** Whether a response is an array, and the last parameters of a path and of a template are ids of different records. */
function isListOfOther({ path, responses }: Operation, template: string): boolean {
  const [pathStem, templateStem] = [path, template].map((one) => idStem(pathParameters(one).at(-1) ?? ''));
  const isList = responses.some(
    ({ key, content }) => key === '200' && content.some(({ shape }) => shape?.mainType === 'array'),
  );
  return isList && pathStem !== undefined && templateStem !== undefined && pathStem !== templateStem;
}

/** Of operations with the same operationId, the first one keeps it. */
function withUniqueIds(operations: readonly Operation[]): Operation[] {
  const byId = new Map<string, Operation>();
  for (const operation of operations) {
    const other = byId.get(operation.id);
    const id = other ? `${operation.method} ${operation.path}` : operation.id;
    if (other) {
      const message = `the operationId "${operation.id}" is used twice (also by ${other.method} ${other.path})`;
      const spot = rawChild(operation.spot, 'operationId') ?? operation.spot;
      addWarning(spot, `${message}; this operation is called ${id}`);
    }
    byId.set(id, { ...operation, id });
  }
  return [...byId.values()];
}
