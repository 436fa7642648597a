import {
  type Contract,
  type Operation,
  placeOf,
  rawChild,
  responseFor,
  Shape,
  type Spot,
  showPlace,
} from '#spec';
import { placeAt, type Warning } from './break.ts';
import { membersOf } from './members.ts';
import type { Pair } from './pair.ts';
import { pairResponses } from './response-pairs.ts';
import { isSame } from './same-schema.ts';

/** What no exchange shows, and a client may still depend on: found by comparing the documents. */
export function warningsOf(old: Contract, next: Contract, pairs: readonly Pair[]): Warning[] {
  return withoutRepeats([
    ...pairs.flatMap((pair) =>
      pair.new
        ? [
            ...lifecycle(pair.old, pair.new),
            ...lostParameters(pair.old, pair.new),
            ...lostStatuses(pair.old, pair.new),
            ...lostMembers(pair.old, pair.new),
            ...lostRequestMembers(pair.old, pair.new),
            ...changedDefaults(pair.old, pair.new),
            ...changedScopes(pair.old, pair.new),
            ...lostBody(pair.old, pair.new),
          ]
        : removedAsAnnounced(pair.old),
    ),
    ...changedBase(old, next, pairs),
  ]);
}

function withoutRepeats(warnings: readonly Warning[]): Warning[] {
  return [
    ...new Map(warnings.map((one) => [`${one.operation.id} ${one.text} ${showPlace(one.at)}`, one])).values(),
  ];
}

const RANKS = ['draft', 'experimental', 'alpha', 'beta', 'stable'];

function lifecycle(old: Operation, next: Operation): Warning[] {
  const told: Warning[] = [];
  const tell = (text: string, key: string) =>
    void told.push({ operation: old, text, at: placeAt(next.spot, key) });
  if (next.deprecated && !old.deprecated) tell('is deprecated in NEW', 'deprecated');
  if (next.sunset !== old.sunset && next.sunset !== undefined)
    tell(`will be removed on ${next.sunset}${old.sunset ? `, not on ${old.sunset}` : ''}`, 'x-sunset');
  const hadOwnId = rawChild(old.spot, 'operationId') !== undefined;
  if (hadOwnId && old.id !== next.id)
    tell(`is called ${next.id} in NEW: generated clients name their methods after it`, 'operationId');
  const rank = ({ stability }: Operation) => RANKS.indexOf(stability ?? 'stable');
  if (rank(next) >= 0 && rank(next) < rank(old)) tell(`is ${next.stability} in NEW`, 'x-stability');
  return told;
}

function removedAsAnnounced(old: Operation): Warning[] {
  if (!old.deprecated || old.sunset === undefined || Date.parse(old.sunset) > Date.now()) return [];
  return [
    {
      operation: old,
      text: `is removed, as OLD announces for ${old.sunset}`,
      at: placeAt(old.spot, 'x-sunset'),
    },
  ];
}

function lostBody(old: Operation, next: Operation): Warning[] {
  if (!old.body || next.body) return [];
  return [
    { operation: old, text: 'the request body is gone, and has no effect', at: placeOf(old.body.spot) },
  ];
}

function lostParameters(old: Operation, next: Operation): Warning[] {
  return old.parameters.flatMap(({ name, in: place, spot }) => {
    if (place === 'path') return [];
    const twin = next.parameters.find((one) => one.in === place && one.name === name);
    if (!twin)
      return [
        {
          operation: old,
          text: `the ${place} parameter ${name} is gone, and has no effect`,
          at: placeOf(spot),
        },
      ];
    if (isDeprecated(twin.spot) && !isDeprecated(spot))
      return [
        {
          operation: old,
          text: `the ${place} parameter ${name} is deprecated in NEW`,
          at: placeAt(twin.spot, 'deprecated'),
        },
      ];
    return [];
  });
}

const isDeprecated = (spot: Spot) => rawChild(spot, 'deprecated')?.value === true;

function lostStatuses(old: Operation, next: Operation): Warning[] {
  const lost = old.responses.filter(({ key }) => key !== 'default' && !isDescribed(next, key));
  const added = next.responses.filter(({ key }) => /^[23]/.test(key) && !isDescribed(old, key));
  return [
    ...lost.map(({ key, spot }) => ({
      operation: old,
      text: `a ${key} is no longer documented`,
      at: placeOf(spot),
    })),
    ...added.map(({ key, spot }) => ({
      operation: old,
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

/** Optional members of responses that NEW no longer has. A required one breaks a schema. */
function lostMembers(old: Operation, next: Operation): Warning[] {
  return pairResponses(old, next).flatMap(({ key, old: before, new: after }) => [
    ...before.headers
      .filter(({ name, required }) => !required && !after.headers.some((one) => one.name === name))
      .map(({ name, spot }) => ({
        operation: old,
        text: `the header ${name} of a ${key} is gone`,
        at: placeOf(spot),
      })),
    ...before.content.flatMap(({ schema, type }) => {
      const twin = after.content.find((one) => one.type === type)?.schema;
      if (!schema || !twin) return [];
      return differences([schema], [twin], 'writeOnly').map(({ path, what, at }) => ({
        operation: old,
        text: `${path} of a ${key} ${what}`,
        at,
      }));
    }),
  ]);
}

function lostRequestMembers(old: Operation, next: Operation): Warning[] {
  return (old.body?.content ?? []).flatMap(({ schema, type }) => {
    const twin = next.body?.content.find((one) => one.type === type)?.schema;
    if (!schema || !twin) return [];
    return differences([schema], [twin], 'readOnly').map(({ path, what, at }) => ({
      operation: old,
      text: `${path} of the request ${what}`,
      at,
    }));
  });
}

interface Difference {
  readonly path: string;
  readonly what: string;
  readonly at: Warning['at'];
}

const MAX_DEPTH = 12;

/** Members that are gone, hidden in this direction, or deprecated. */
function differences(
  old: readonly Spot[],
  next: readonly Spot[],
  hidden: 'readOnly' | 'writeOnly',
  path = '',
  open: ReadonlySet<unknown> = new Set(),
): Difference[] {
  if (old.some(({ value }) => open.has(value)) || open.size > MAX_DEPTH) return [];
  const inside = new Set([...open, ...old.map(({ value }) => value)]);
  // A variant less is no member less.
  const isNarrower = branchesOf(next) < branchesOf(old);
  const [before, after] = [membersOf(old), membersOf(next)];
  const flag = (spots: readonly Spot[], key: string) => spots.some((spot) => flagOf(spot, key));
  const ofMembers = [...before.named].flatMap(([name, spots]): Difference[] => {
    const [here] = spots;
    const where = `${path}/${name}`;
    if (!here || flag(spots, hidden)) return [];
    const twin = after.named.get(name);
    if (!twin && isNarrower) return [];
    if (!twin)
      return after.isOpen && after.named.size === 0
        ? []
        : [{ path: where, what: 'is gone', at: placeOf(here) }];
    const [there = here] = twin;
    if (flag(twin, hidden)) return [{ path: where, what: `is ${hidden} in NEW`, at: placeOf(there) }];
    const coded = CODINGS.filter(
      (key) => !isSame(keywordOf(here, key), keywordOf(there, key)) && keywordOf(here, key) !== undefined,
    ).map((key) => ({
      path: where,
      what: `has another ${key} in NEW`,
      at: placeOf(keywordOf(there, key) ?? there),
    }));
    const deprecated =
      flag(twin, 'deprecated') && !flag(spots, 'deprecated')
        ? [{ path: where, what: 'is deprecated in NEW', at: placeOf(there) }]
        : [];
    return [...coded, ...deprecated, ...differences(spots, twin, hidden, where, inside)];
  });
  if (before.others.length === 0 || after.others.length === 0) return ofMembers;
  return [...ofMembers, ...differences(before.others, after.others, hidden, `${path}/-`, inside)];
}

function branchesOf(schemas: readonly Spot[]): number {
  return schemas.reduce((sum, schema) => sum + new Shape([schema]).alternatives.length, 0);
}

/** What no validator judges: the text within a string. */
const CODINGS = ['contentMediaType', 'contentEncoding', 'contentSchema'];

function keywordOf(spot: Spot, key: string): Spot | undefined {
  return keywordsOf(spot).flatMap((one) => rawChild(one, key) ?? [])[0];
}

function flagOf(spot: Spot, key: string): boolean {
  return keywordsOf(spot).some((one) => rawChild(one, key)?.value === true);
}

/** The schema itself, and what it refers to. */
function keywordsOf(spot: Spot): Spot[] {
  const isReference = rawChild(spot, '$ref') !== undefined;
  const target = isReference ? spot.document.resolve(spot) : undefined;
  return target ? [spot, target] : [spot];
}

/** The same request means another one. */
function changedDefaults(old: Operation, next: Operation): Warning[] {
  return old.parameters.flatMap((parameter) => {
    const twin = next.parameters.find((one) => one.in === parameter.in && one.name === parameter.name);
    if (!twin || parameter.required) return [];
    const [before, after] = [parameter.shape.find('default'), twin.shape.find('default')];
    if (JSON.stringify(before?.value) === JSON.stringify(after?.value)) return [];
    const show = (found: typeof before) => (found ? JSON.stringify(found.value) : 'none');
    return [
      {
        operation: old,
        text: `the default of the ${parameter.in} parameter ${parameter.name} is ${show(after)}, not ${show(before)}`,
        at: placeOf(after?.spot ?? twin.spot),
      },
    ];
  });
}

function changedScopes(old: Operation, next: Operation): Warning[] {
  const [before, after] = [scopesOf(old), scopesOf(next)];
  const added = [...after].filter((scope) => !before.has(scope));
  if (added.length === 0) return [];
  return [
    {
      operation: old,
      text: `asks for the scopes ${added.join(', ')}, too`,
      at: placeAt(next.spot, 'security'),
    },
  ];
}

function scopesOf({ spot }: Operation): ReadonlySet<string> {
  const security = rawChild(spot, 'security') ?? rawChild(spot.document.root, 'security');
  const requirements = Array.isArray(security?.value) ? (security.value as Record<string, string[]>[]) : [];
  return new Set(
    requirements.flatMap((one) =>
      Object.entries(one).flatMap(([scheme, scopes]) => (scopes ?? []).map((scope) => `${scheme}:${scope}`)),
    ),
  );
}

function changedBase(old: Contract, next: Contract, [first]: readonly Pair[]): Warning[] {
  const missing = old.servers.filter(
    ({ basePath }) => !next.servers.some((server) => server.basePath === basePath),
  );
  if (missing.length === 0 || !first) return [];
  const paths = [...new Set(missing.map(({ basePath }) => basePath || '/'))].join(', ');
  return [
    {
      operation: first.old,
      text: `and every other operation: no server of NEW has the base path ${paths}`,
      at: placeAt(next.document.root, 'servers'),
    },
  ];
}
