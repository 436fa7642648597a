import {
  isRecord,
  type MediaType,
  mediaTypeFor,
  type Operation,
  type Parameter,
  type Place,
  placeOf,
  rawChild,
  responseFor,
  type Spot,
  showPlace,
} from '#spec';
import { placeAt, type Warning } from './break.ts';
import { lostMembers } from './lost-members.ts';
import type { Address, Contracts, Pair } from './pair.ts';
import { pairResponses } from './response-breaks.ts';

/** A warning of an operation. */
interface Note {
  readonly text: string;
  /** In the document that has it: OLD for what is removed. */
  readonly at: Place;
}

/** What a comparison of two operations shows, in the order in which it is reported. */
const COMPARISONS: readonly ((old: Operation, next: Operation) => Note[])[] = [
  lifecycle,
  changedParameters,
  changedStatuses,
  lostResponseBodies,
  lostRequestBody,
  addedScopes,
];

/** What no exchange shows, and a client may still depend on: found by comparing the documents. */
export function warningsOf(contracts: Contracts, pairs: readonly Pair[], address: Address): Warning[] {
  const found = pairs.flatMap(({ old: operation, new: next, isOver }) => {
    const notes = next
      ? COMPARISONS.flatMap((compare) => compare(operation, next))
      : isOver
        ? [removedAsAnnounced(operation)]
        : [];
    return notes.map((note): Warning => ({ operation, ...note }));
  });
  return withoutRepeats([...found, ...changedBase(contracts, pairs, address)]);
}

function withoutRepeats(warnings: readonly Warning[]): Warning[] {
  return [
    ...new Map(warnings.map((one) => [`${one.operation.id} ${one.text} ${showPlace(one.at)}`, one])).values(),
  ];
}

function changedBase(
  { old, new: next }: Contracts,
  [first]: readonly Pair[],
  { hasMoved }: Address,
): Warning[] {
  const missing = old.servers.filter(
    ({ basePath }) => !next.servers.some((server) => server.basePath === basePath),
  );
  if (missing.length === 0 || !first || hasMoved) return [];
  const paths = [...new Set(missing.map(({ basePath }) => basePath || '/'))].join(', ');
  return [
    {
      operation: first.old,
      text: `and every other operation: no server of NEW has the base path ${paths}`,
      at: placeAt(next.document.root, 'servers'),
    },
  ];
}

const RANKS = ['draft', 'experimental', 'alpha', 'beta', 'stable'];

/** What NEW says of the future of an operation, and what it is called. */
function lifecycle(old: Operation, next: Operation): Note[] {
  const notes: Note[] = [];
  const note = (text: string, key: string) => void notes.push({ text, at: placeAt(next.spot, key) });
  if (next.deprecated && !old.deprecated) note('is deprecated in NEW', 'deprecated');
  if (next.sunset !== old.sunset && next.sunset !== undefined)
    note(`will be removed on ${next.sunset}${old.sunset ? `, not on ${old.sunset}` : ''}`, 'x-sunset');
  const hadOwnId = rawChild(old.spot, 'operationId') !== undefined;
  if (hadOwnId && old.id !== next.id)
    note(`is called ${next.id} in NEW: generated clients name their methods after it`, 'operationId');
  const rank = ({ stability }: Operation) => RANKS.indexOf(stability ?? 'stable');
  if (rank(next) >= 0 && rank(next) < rank(old)) note(`is ${next.stability} in NEW`, 'x-stability');
  return notes;
}

/** An operation that is gone, as OLD has announced. */
function removedAsAnnounced({ sunset, spot }: Operation): Note {
  return { text: `is removed, as OLD announces for ${sunset}`, at: placeAt(spot, 'x-sunset') };
}

/** Parameters that have no effect any more, or another one. */
function changedParameters(old: Operation, next: Operation): Note[] {
  return old.parameters.flatMap((parameter) => {
    const { name, in: place, spot } = parameter;
    const twin = next.parameters.find((one) => one.in === place && one.name === name);
    const title = `the ${place} parameter ${name}`;
    if (twin) return [...deprecated(title, spot, twin.spot), ...changedDefault(parameter, twin)];
    return place === 'path' ? [] : [{ text: `${title} is gone, and has no effect`, at: placeOf(spot) }];
  });
}

function deprecated(title: string, old: Spot, next: Spot): Note[] {
  const isDeprecated = (spot: Spot) => rawChild(spot, 'deprecated')?.value === true;
  return isDeprecated(next) && !isDeprecated(old)
    ? [{ text: `${title} is deprecated in NEW`, at: placeAt(next, 'deprecated') }]
    : [];
}

/** The same request means another one. */
function changedDefault(parameter: Parameter, twin: Parameter): Note[] {
  if (parameter.required) return [];
  const [before, after] = [parameter.shape.find('default'), twin.shape.find('default')];
  if (JSON.stringify(before?.value) === JSON.stringify(after?.value)) return [];
  const show = (found: typeof before) => (found ? JSON.stringify(found.value) : 'none');
  const text = `the default of the ${parameter.in} parameter ${parameter.name} is ${show(after)}, not ${show(before)}`;
  return [{ text, at: placeOf(after?.spot ?? twin.spot) }];
}

/** Statuses that are no longer documented, and new ones of success. */
function changedStatuses(old: Operation, next: Operation): Note[] {
  const lost = old.responses.filter(({ key }) => key !== 'default' && !isDescribed(next, key));
  const added = next.responses.filter(({ key }) => /^[23]/.test(key) && !isDescribed(old, key));
  return [
    ...lost.map(({ key, spot }) => ({ text: `a ${key} is no longer documented`, at: placeOf(spot) })),
    ...added.map(({ key, spot }) => ({
      text: `may be answered ${key}, which OLD does not document`,
      at: placeOf(spot),
    })),
  ];
}

function isDescribed({ responses }: Operation, key: string): boolean {
  if (responses.some((one) => one.key === key)) return true;
  const described = responseFor(responses, Number(key));
  return described !== undefined && (described.key !== 'default' || Number(key) >= 400);
}

/** A request body, or members of it, that have no effect any more. */
function lostRequestBody(old: Operation, next: Operation): Note[] {
  if (!old.body) return [];
  if (!next.body)
    return [{ text: 'the request body is gone, and has no effect', at: placeOf(old.body.spot) }];
  return membersLost(old.body.content, next.body.content, 'readOnly', 'the request');
}

/** Optional members of responses that NEW no longer has. A required one breaks a schema. */
function lostResponseBodies(old: Operation, next: Operation): Note[] {
  return pairResponses(old, next).flatMap(({ key, old: before, new: after }) => [
    ...before.headers
      .filter(({ name, required }) => !required && !after.headers.some((one) => one.name === name))
      .map(({ name, spot }) => ({ text: `the header ${name} of a ${key} is gone`, at: placeOf(spot) })),
    ...membersLost(before.content, after.content, 'writeOnly', `a ${key}`),
  ]);
}

function membersLost(
  old: readonly MediaType[],
  next: readonly MediaType[],
  hidden: 'readOnly' | 'writeOnly',
  owner: string,
): Note[] {
  return old.flatMap(({ schema, type }) => {
    const twin = mediaTypeFor(next, type)?.schema;
    if (!schema || !twin) return [];
    return lostMembers([schema], [twin], hidden).map(({ path, what, at }) => ({
      text: `${path} of ${owner} ${what}`,
      at,
    }));
  });
}

/** A token of OLD may lack a scope that every alternative of NEW asks for. */
function addedScopes(old: Operation, next: Operation): Note[] {
  const alternatives = scopesOf(next);
  const lacking = scopesOf(old).flatMap((given) => {
    const missing = alternatives.map((wanted) => [...wanted].filter((scope) => !given.has(scope)));
    // A credential of another scheme is refused, which a request shows.
    const alike = missing.filter((_, index) => isSameSchemes(given, alternatives[index] ?? given));
    if (alike.length === 0 || missing.some(({ length }) => length === 0)) return [];
    return alike.toSorted((one, other) => one.length - other.length).slice(0, 1);
  });
  const added = [...new Set(lacking.flat())];
  if (added.length === 0) return [];
  return [{ text: `asks for the scopes ${added.join(', ')}, too`, at: placeAt(next.spot, 'security') }];
}

/** Of each alternative `scheme`, and `scheme:scope` of each scope. */
function scopesOf({ spot }: Operation): ReadonlySet<string>[] {
  const security = rawChild(spot, 'security') ?? rawChild(spot.document.root, 'security');
  const requirements = Array.isArray(security?.value) ? security.value.filter(isRecord) : [];
  return requirements.map(
    (one) =>
      new Set(
        Object.entries(one).flatMap(([scheme, scopes]) => [
          scheme,
          ...(Array.isArray(scopes) ? scopes.map((scope) => `${scheme}:${scope}`) : []),
        ]),
      ),
  );
}

function isSameSchemes(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const schemes = (all: ReadonlySet<string>) => new Set([...all].map((text) => text.split(':', 1)[0] ?? ''));
  return schemes(one).symmetricDifference(schemes(other)).size === 0;
}
