import {
  bodyMedia,
  isMadeUpWord,
  isNumber,
  isRecord,
  mediaTypeFor,
  memberShape,
  responseFor,
  type Shape,
} from '#spec';
import { headerOf } from '../send/wire.ts';
import { type BodyMember, blamedMembers, membersIn } from './blame.ts';
import type { Evidence } from './evidence.ts';
import { isBareMark, isFreeText, isIdName } from './mark.ts';

/**
 * A value of a request of which the document says no more than its type. Which texts mean something there the service alone
 * may know: the names of algorithms, what a domain may be called, what is a picture; and which numbers are too large.
 */
export interface FreeValue {
  /** The same wherever an operation takes it. */
  readonly key: string;
  /** From the body on; of a parameter its name alone. */
  readonly path: readonly string[];
  readonly in: 'body' | 'query' | 'header' | 'cookie';
  readonly value: string | number | bigint;
}

/** The free values of a request, but for those that the document shows. What a path names is no matter of them. */
function freeValuesOf({ request, operation, exchange }: Evidence): FreeValue[] {
  const type = headerOf(exchange.request, 'content-type') ?? '';
  const shape = mediaTypeFor(operation.body?.content ?? [], type)?.shape;
  const parameters = operation.parameters.flatMap(({ in: place, name, shape: own }) =>
    place === 'path' ? [] : valuesIn(request.parameters[place][name], own, [name], place),
  );
  return [...parameters, ...valuesIn(request.body, shape, [], 'body')].map((one) => ({
    ...one,
    key: [operation.id, one.in, ...one.path].join('/'),
  }));
}

function valuesIn(
  value: unknown,
  shape: Shape | undefined,
  path: readonly string[],
  place: FreeValue['in'],
): Omit<FreeValue, 'key'>[] {
  if (!shape) return [];
  if (Array.isArray(value)) return value.flatMap((item) => valuesIn(item, shape.items, path, place));
  if (isRecord(value))
    return Object.entries(value).flatMap(([name, member]) =>
      valuesIn(member, memberShape(shape, name) ?? shape.additional, [...path, name], place),
    );
  if (!isFree(value, shape, path.at(-1) ?? '') || shape.examples.includes(value)) return [];
  return [{ path, in: place, value }];
}

/** Numbers that are ordinary wherever the document states no bound. */
const ORDINARY = { least: 1, most: 1000 };

/** @param name of the member: what it refers to the target has, or the run has made it up */
function isFree(value: unknown, shape: Shape, name: string): value is FreeValue['value'] {
  if (typeof value === 'string') return isFreeText(shape);
  if (!isNumber(value) || shape.values || isIdName(name)) return false;
  const isBound = (...keywords: string[]) => keywords.some((keyword) => shape.find(keyword));
  return (
    (value < ORDINARY.least && !isBound('minimum', 'exclusiveMinimum')) ||
    (value > ORDINARY.most && !isBound('maximum', 'exclusiveMaximum'))
  );
}

const INVALID: ReadonlySet<number> = new Set([400, 422]);

/**
 * The free values that a documented refusal of a valid request may be about: those that it names, and where it names nothing
 * that was sent or left out, all of them.
 */
export function suspectsOf(evidence: Evidence): readonly FreeValue[] {
  const { operation, response, request } = evidence;
  if (!INVALID.has(response.status) || !responseFor(operation.responses, response.status)) return [];
  const values = freeValuesOf(evidence);
  if (values.length === 0) return [];
  const shape = bodyMedia(operation.body)?.shape;
  const parameters = operation.parameters.flatMap(
    ({ in: place, name, shape: own, required }): BodyMember[] =>
      place === 'path'
        ? []
        : [{ path: [name], name, shape: own, required, value: request.parameters[place][name] }],
  );
  const members = [...parameters, ...(shape ? membersIn(shape, request.body, []) : [])];
  const blamed = blamedMembers(response, members);
  const isBlamed = ({ path }: FreeValue) =>
    blamed.some((one) => one.path.every((step, index) => path[index] === step));
  return blamed.length === 0 ? values : values.filter(isBlamed);
}

/** Ordinary texts that are too short to bear a mark. */
export const SHORT_TEXTS = { letter: 'Q', null: 'null' } as const;

/** Where operations take any text. */
export interface TakenTexts {
  note(evidence: Evidence): void;
  /** Whether an operation has taken a text that means nothing at a {@link FreeValue.key}: another one must be as good. */
  readonly has: (key: string) => boolean;
}

export function createTakenTexts(): TakenTexts {
  const taken = new Set<string>();
  return {
    note(evidence) {
      if (!evidence.succeeded || evidence.request.violations.length > 0) return;
      for (const { value, key } of freeValuesOf(evidence)) if (isMeaningless(value)) taken.add(key);
    },
    has: (key) => taken.has(key),
  };
}

function isMeaningless(value: FreeValue['value']): boolean {
  if (typeof value !== 'string') return false;
  return (
    isBareMark(value) || isMadeUpWord(value) || value === SHORT_TEXTS.letter || value === SHORT_TEXTS.null
  );
}
