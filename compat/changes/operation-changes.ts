import {
  type DocumentedResponse,
  explicitStatuses,
  type ListMeaning,
  type MediaType,
  mediaTypeFor,
  type Operation,
  rawChild,
  responseFor,
  type Spot,
} from '#spec';
import type { Occurrence } from './change.ts';
import { encodingChanges, isWithin } from './encoding-changes.ts';
import { headerChanges } from './header-changes.ts';
import { STABILITIES } from './keyword-changes.ts';
import { lifecycleChanges } from './lifecycle.ts';
import { type Found, ofSchemas, plain, type SchemaComparisons, wireOf } from './occurrences.ts';
import { parameterChanges } from './parameter-changes.ts';
import type { Direction, RuleName } from './rules.ts';
import { securityChanges } from './security-changes.ts';

/**
 * Changes between two versions of an operation.
 * @param sent the direction of its requests: `response` if the service sends them, and its clients respond
 * @param meanings what parameters of OLD do to a list, by name
 */
export function operationChanges(
  old: Operation,
  next: Operation,
  comparisons: SchemaComparisons,
  sent: Direction = 'request',
  meanings: ReadonlyMap<string, ListMeaning> = new Map(),
): Occurrence[] {
  const received = sent === 'request' ? 'response' : 'request';
  return [
    ...lifecycle(old, next, comparisons),
    ...securityChanges(old, next),
    ...parameterChanges(old, next, comparisons, sent, meanings),
    ...bodyChanges(old, next, comparisons, sent),
    ...responseChanges(old, next, comparisons, received),
  ].map((change) => ({ ...change, operation: old }));
}

function lifecycle(old: Operation, next: Operation, { deprecationDays }: SchemaComparisons): Found[] {
  const at = (operation: Operation, key: string) => rawChild(operation.spot, key) ?? operation.spot;
  const changes = lifecycleChanges('operation', old, next, deprecationDays).map(
    ({ rule, keyword, from, to }) => plain(rule, at(old, keyword), at(next, keyword), { from, to }),
  );
  const say = (rule: RuleName, key: string, from = '', to = '') =>
    void changes.push(plain(rule, at(old, key), at(next, key), { from, to }));
  const [mine, theirs] = [old, next].map(({ spot }) => rawChild(spot, 'operationId')?.value);
  if (mine !== undefined && old.id !== next.id) say('operation-id-changed', 'operationId', old.id, next.id);
  if (mine === undefined && theirs !== undefined) say('operation-id-added', 'operationId', '', next.id);
  if ([...old.tags].sort().join() !== [...next.tags].sort().join())
    say('tags-changed', 'tags', old.tags.join(', '), next.tags.join(', '));
  const rank = ({ stability = 'stable' }: Operation) => STABILITIES.indexOf(stability);
  if (old.stability !== next.stability) {
    const [before, after] = [old.stability ?? 'stable', next.stability ?? 'stable'];
    if (rank(next) < 0) say('stability-unknown', 'x-stability', before, after);
    else if (rank(next) < rank(old)) say('stability-decreased', 'x-stability', before, after);
    else if (rank(next) > rank(old)) say('stability-increased', 'x-stability', before, after);
  }
  return changes;
}

function bodyChanges(
  old: Operation,
  next: Operation,
  comparisons: SchemaComparisons,
  direction: Direction,
): Found[] {
  const [mine, theirs] = [old.body, next.body];
  const context = { within: 'the request', direction };
  if (!mine && !theirs) return [];
  if (!mine || !theirs) {
    const rule = mine
      ? 'request-body-removed'
      : theirs?.required
        ? 'required-request-body-added'
        : 'request-body-added';
    return [plain(rule, (mine ?? old).spot, (theirs ?? next).spot, context)];
  }
  const at = ({ spot }: { spot: Spot }) => rawChild(spot, 'required') ?? spot;
  const became = `request-body-became-${theirs.required ? 'required' : 'optional'}` as const;
  return [
    ...(mine.required === theirs.required ? [] : [plain(became, at(mine), at(theirs), context)]),
    ...contentChanges(mine, theirs, context, comparisons),
  ];
}

interface Content {
  readonly content: readonly MediaType[];
  readonly spot: Spot;
}

function contentChanges(
  old: Content,
  next: Content,
  context: { within: string; direction: Direction; status?: number },
  comparisons: SchemaComparisons,
): Found[] {
  const isIncoming = context.direction === 'request';
  const say = (rule: RuleName, one: Spot, other: Spot, from: string, to: string) =>
    plain(rule, one, other, { ...context, from, to });
  const gone = old.content.filter(({ type }) =>
    isIncoming
      ? !mediaTypeFor(next.content, type)
      : !mediaTypeFor(next.content, type) && !next.content.some(isWithin(type)),
  );
  const come = next.content.filter(({ type }) => !mediaTypeFor(old.content, type));
  return [
    ...gone.map(({ type, spot }) => say('media-type-removed', spot, next.spot, type, '')),
    ...come.map(({ type, spot }) => say('media-type-added', old.spot, spot, '', type)),
    ...(isIncoming ? old : next).content.flatMap((media) => {
      const twin = mediaTypeFor((isIncoming ? next : old).content, media.type);
      if (!twin) return [];
      const [one, other] = isIncoming ? [media, twin] : [twin, media];
      // No client relies on what OLD does not describe.
      if (!isIncoming && !one.schema && !one.itemSchema) return [];
      const messages = [one, other].map(({ itemSchema, spot }) => ({ schema: itemSchema, spot }));
      const [before, after] = messages;
      const wire = wireOf(one);
      const ofEach = { ...context, within: `each message of ${context.within}`, wire: 'json' as const };
      return [
        ...ofSchemas(one, other, { ...context, wire }, comparisons),
        ...(before && after ? ofSchemas(before, after, ofEach, comparisons) : []),
        ...encodingChanges(one, other, context, comparisons),
      ];
    }),
  ];
}

function responseChanges(
  old: Operation,
  next: Operation,
  comparisons: SchemaComparisons,
  direction: Direction,
): Found[] {
  const lost = old.responses.filter(({ key }) => key !== 'default' && !isDescribed(next, key));
  const added = next.responses.filter(({ key }) => key !== 'default' && !isDescribed(old, key));
  const isSuccess = (key: string) => /^[23]/.test(key);
  const of = (key: string) => ({ within: `the ${key}`, direction });
  return [
    ...lost.map(({ key, spot }) =>
      plain(isSuccess(key) ? 'success-status-removed' : 'status-removed', spot, next.spot, of(key)),
    ),
    ...added.map(({ key, spot }) =>
      plain(isSuccess(key) ? 'success-status-added' : 'status-added', old.spot, spot, of(key)),
    ),
    ...pairResponses(old, next).flatMap(({ key, status, old: before, new: after }) => {
      const context = { ...of(key), status };
      return [
        ...contentChanges(before, after, context, comparisons),
        ...headerChanges(before, after, context, comparisons),
      ];
    }),
  ];
}

function isDescribed({ responses }: Operation, key: string): boolean {
  if (responses.some((response) => response.key === key)) return true;
  const described = responseFor(responses, Number(key));
  return described !== undefined && (described.key !== 'default' || Number(key) >= 400);
}

/** The descriptions of a status, or a range, in both documents. */
interface ResponsePair {
  /** `200`, `4XX` or `default`. */
  readonly key: string;
  /** The first status of a range. */
  readonly status: number;
  readonly old: DocumentedResponse;
  readonly new: DocumentedResponse;
}

/** Every status that both documents describe. */
function pairResponses(old: Operation, next: Operation): ResponsePair[] {
  const explicit = [...new Set([...explicitStatuses(old.responses), ...explicitStatuses(next.responses)])];
  const pairs = explicit.flatMap((status) => {
    const [before, after] = [responseFor(old.responses, status), responseFor(next.responses, status)];
    // `default` is for errors: no client expects its body for a success.
    if (before?.key === 'default' && status < 400) return [];
    return before && after ? [{ key: String(status), status, old: before, new: after }] : [];
  });
  const wide = old.responses.flatMap((before) => {
    const after = next.responses.find(({ key }) => key === before.key);
    return after && !/^\d+$/.test(before.key)
      ? [{ key: before.key, status: statusIn(before.key), old: before, new: after }]
      : [];
  });
  return [...pairs, ...wide];
}

/** A status that a key stands for. */
function statusIn(key: string): number {
  if (key === 'default') return 500;
  return Number(key.replace('XX', '00'));
}
