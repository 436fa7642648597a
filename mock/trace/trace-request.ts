import {
  type Contract,
  isOpen,
  namesInQuery,
  nearest,
  nearestOperations,
  type Operation,
  type Parameter,
  placeOf,
  type Spot,
  showPlace,
} from '#spec';
import type { Endpoint } from '../engine/endpoint.ts';
import { slashNote } from '../engine/engine.ts';
import type { IgnoredPart, TraceCredential, TraceRoute, TraceValidation } from '../http/trace.ts';
import type { AccountRoles } from '../records/account-roles.ts';
import type { Decided, JournalEntry } from '../sessions/journal.ts';
import type { RuledRequest } from '../sessions/preferences/match.ts';
import { PREFERRED_IN_QUERY } from '../sessions/preferences/preference.ts';

/** The operation of a request, or the nearest ones. */
export function routeOf({ match, operation, request }: JournalEntry, { contract }: Context): TraceRoute {
  const note = match && slashNote(match, request.path);
  const noted = note === undefined ? {} : { note };
  if (operation)
    return { operation: operation.id, path: operation.path, at: lineOf(operation.spot), ...noted };
  if (!match) return { nearest: nearestOperations(request, contract.operations) };
  const offered = [...match.methods.values()].map((method) => method.operation);
  const [first] = offered;
  return {
    ...(first && { path: first.path, at: lineOf(first.spot) }),
    ...noted,
    nearest: offered.map(({ method, path }) => `${method} ${match.basePath}${path}`),
  };
}

/** The result of authentication, and the account. */
export function credentialOf({ entry, decided }: Seen, { accountRoles }: Context): TraceCredential {
  const { operation, refusedAt, letInBy } = entry;
  if (!operation) return { result: 'not reached' };
  if (isOfUpstream(entry)) return { result: 'not judged' };
  const { security } = operation;
  if (!letInBy && isOpen(security)) return { result: 'none needed' };
  const schemes = [...new Set((letInBy ?? security.flat()).map(({ scheme }) => scheme))];
  if (refusedAt === 'authenticate' || refusedAt === 'identify') return { result: 'refused', schemes };
  const { sender } = decided;
  const roles = sender ? accountRoles().heldBy(sender.account) : [];
  return {
    result: 'accepted',
    schemes,
    ...(sender && !sender.isKey && { account: sender.holder.subject }),
    ...(roles.length > 0 && { roles }),
  };
}

/** The validated parts of the request. */
export function validationOf({ entry, endpoint, ruled }: Seen): TraceValidation {
  const { values, refusal } = entry;
  const errors = refusal?.details?.length ?? 0;
  const parts = endpoint && ruled ? partsOf(endpoint.operation, ruled) : [];
  if (isOfUpstream(entry)) return { result: 'not judged', parts: [], errors: 0 };
  if (errors > 0) return { result: 'invalid', parts, errors };
  if (!values) return { result: 'not reached', parts: [], errors: 0 };
  return { result: 'valid', parts, errors: 0 };
}

/** The documented parts of a request that were sent, without defaults. */
function partsOf({ parameters, body }: Operation, { request, values }: RuledRequest): string[] {
  const { headers, query } = request;
  const sent = [...new URLSearchParams(query).keys()];
  const described = parameters.flatMap(({ in: place, name, required, shape }) => {
    const isRead = Object.hasOwn(values.parameters[place], name);
    const isNamed =
      place === 'header'
        ? headers[name.toLowerCase()] !== undefined
        : place !== 'query' || sent.some((key) => key === name || key.startsWith(`${name}[`));
    const isFilledIn = !isNamed && shape.find('default') !== undefined;
    return required || (isRead && !isFilledIn) ? [`${place}.${name}`] : [];
  });
  return body && (request.body !== undefined || body.required) ? [...described, 'body'] : described;
}

/** The parts of the request without effect, and why. */
export function ignoredIn({ entry, endpoint, ruled }: Seen, { idleOf, unkeptOf }: Context): IgnoredPart[] {
  if (!endpoint || isOfUpstream(entry)) return [];
  const { id, body: documented } = endpoint.operation;
  const { query, body } = entry.request;
  const inQuery = query === '' ? [] : ignoredInQuery(query, endpoint, entry.refusal ? [] : idleOf(endpoint));
  if (body === undefined) return inQuery;
  if (!documented) return [...inQuery, { where: 'body', why: `${id} declares no body` }];
  const unkept = entry.refusal || !ruled ? [] : unkeptOf(endpoint)(ruled.values.body);
  const why = `not stored: read-only, or no member of the records of ${endpoint.role?.collection.name}`;
  return [...inQuery, ...unkept.map((path) => ({ where: ['body', ...path].join('.'), why }))];
}

export function ignoredInQuery(
  query: string,
  { operation }: Endpoint,
  idle: readonly Parameter[],
): IgnoredPart[] {
  const { id, security, parameters } = operation;
  const { named, unnamed } = namesInQuery(operation, query);
  const credentials = security.flat().filter((credential) => credential.in === 'query');
  const otherNames = new Set([...credentials.map(({ name }) => name), ...PREFERRED_IN_QUERY]);
  const declared = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const undeclared = unnamed
    .filter((name) => !otherNames.has(name))
    .map((name): IgnoredPart => {
      const meant = nearest(name, declared);
      const why = `${id} declares no such parameter${meant === undefined ? '' : `; it has ${meant}`}`;
      return { where: `query.${name}`, why };
    });
  const without = idle
    .filter((parameter) => parameter.in === 'query' && named.includes(parameter.name))
    .map(({ name, spot }): IgnoredPart => {
      const why = 'declared and validated, but the mock does nothing with it';
      return { where: `query.${name}`, why, at: lineOf(spot) };
    });
  return [...undeclared, ...without];
}

/** What a document and its mock tell about exchanges. */
export interface TraceContext {
  readonly contract: Pick<Contract, 'operations' | 'resources'>;
  readonly endpoints: readonly Endpoint[];
  readonly accountRoles: () => AccountRoles;
  /** Redacts credentials in texts of an exchange. */
  readonly redactSent: (request: JournalEntry['request']) => (text: string) => string;
}

/** The same, compiled. */
export interface Context extends TraceContext {
  /** The members of a body that its record does not keep. */
  readonly unkeptOf: (endpoint: Endpoint) => (body: unknown) => readonly (readonly string[])[];
  /** The parameters without effect. */
  readonly idleOf: (endpoint: Endpoint) => readonly Parameter[];
}

/** What is known of an exchange afterwards. */
export interface Seen {
  readonly entry: JournalEntry;
  /** Undefined: the request matches no operation, or one that the document no longer has. */
  readonly endpoint: Endpoint | undefined;
  readonly decided: Decided;
  readonly ruled: RuledRequest | undefined;
}

export const lineOf = (spot: Spot) => showPlace(placeOf(spot));

export const isOfUpstream = ({ response }: JournalEntry) => response.source?.startsWith('upstream') === true;
