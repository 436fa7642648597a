import {
  asReceived,
  type DocumentedResponse,
  decodeBody,
  decodeHeader,
  encodeBody,
  encodeHeader,
  type Header,
  isEqual,
  type MediaType,
  mediaTypeFor,
  type Operation,
  placeOf,
  pointerText,
  rawChild,
  Shape,
  type Spot,
  showPlace,
  stringifyJson,
  type Violation,
} from '#spec';
import { type Break, placeAt, shorten } from './break.ts';
import { candidates } from './candidates.ts';
import { isWithin } from './changes/encoding-changes.ts';
import { isDocumented, schemasAlong, stepsOf, wasReadWhole } from './members.ts';
import type { Pace } from './pace.ts';
import type { Contracts } from './pair.ts';
import { pairResponses, type ResponsePair } from './pair-responses.ts';
import { isSame } from './same-schema.ts';

/** What a service that keeps NEW may respond, and OLD does not allow. */
export async function responseBreaks(
  contracts: Contracts,
  old: Operation,
  next: Operation,
  pace: Pace,
): Promise<Break[]> {
  const found: Break[] = [];
  for (const pair of pairResponses(old, next)) {
    found.push(...mediaBreaks(old, pair));
    for (const media of pair.new.content)
      found.push(...(await bodyBreaks(contracts, old, pair, media, pace)));
    for (const header of pair.old.headers)
      found.push(...(await headerBreaks(contracts, old, pair, header, pace)));
  }
  return distinct(found);
}

/** The same of several media types is one. */
function distinct(found: readonly Break[]): Break[] {
  const keyOf = ({ status, law, documented, at, newAt }: Break) =>
    [status, law, documented, showPlace(at), at.column, showPlace(newAt), newAt.column].join(' ');
  return [...new Map(found.toReversed().map((one) => [keyOf(one), one])).values()].reverse();
}

/** A client that takes one media type only gets another, or nothing. */
function mediaBreaks(operation: Operation, { status, key, old, new: next }: ResponsePair): Break[] {
  return old.content
    .filter(({ type }) => !mediaTypeFor(next.content, type) && !next.content.some(isWithin(type)))
    .map(({ type, spot }) => ({
      operation,
      status,
      law: 'content-type' as const,
      site: { within: `the ${key}`, steps: [], keyword: 'content' },
      received: `a ${key} ${next.content.length > 0 ? `of ${typesOf(next)}` : 'without a body'}`,
      documented: `a body of ${type}`,
      at: placeOf(spot),
      oldSpot: spot,
      newAt: placeAt(next.spot, 'content'),
      request: undefined,
      answers: undefined,
    }));
}

function typesOf({ content }: DocumentedResponse): string {
  return content.map(({ type }) => type).join(', ');
}

/** Values of NEW, judged by the schema of OLD. */
async function bodyBreaks(
  contracts: Contracts,
  operation: Operation,
  { status, key, old }: ResponsePair,
  media: MediaType,
  pace: Pace,
): Promise<Break[]> {
  const before = mediaTypeFor(old.content, media.type);
  if (!before?.schema || isSame(before.schema, media.schema)) return [];
  // Of what NEW does not describe at all, every value is a possible one.
  const schema = media.schema ?? { ...media.spot, value: {} };
  const values = [...media.examples.values(), ...before.examples.values()];
  const found = await valueBreaks(contracts, before.schema, schema, values, pace, readingOf(before, media));
  return found.map(({ violation, value, newSpot, oldSpot }) => ({
    operation,
    status,
    law: 'schema' as const,
    site: { within: `the ${key}`, steps: stepsOf(violation.pointer), keyword: violation.keyword },
    received: `NEW allows a ${key} with ${shorten(stringifyJson(value))}${at(violation)}`,
    documented: `${pointerText(violation.pointer)} ${violation.expected}`,
    at: violation.at,
    oldSpot,
    newAt: placeOf(newSpot),
    request: undefined,
    answers: undefined,
  }));
}

/** What a client reads for a value; undefined: nothing, or it may be another value. */
type Reading = (value: unknown) => readonly unknown[] | undefined;

const AS_IT_IS: Reading = (value) => [value];

/** A client of OLD reads what a service that keeps NEW has written, by the media types of both. */
function readingOf(old: MediaType, next: MediaType): Reading {
  if (old.isJson && next.isJson) return AS_IT_IS;
  return (value) => {
    // What NEW itself reads as another value, shows nothing.
    if (!isEqual(asReceived(next, value), value)) return undefined;
    const { bytes, type } = encodeBody(next, value);
    const read = decodeBody(old, bytes, type);
    return read && 'value' in read ? [read.value] : undefined;
  };
}

function at({ pointer, received }: Violation): string {
  if (pointer === '') return '';
  return received === undefined
    ? ` without ${pointerText(pointer)}`
    : ` (${pointerText(pointer)}: ${shorten(stringifyJson(received))})`;
}

async function headerBreaks(
  contracts: Contracts,
  operation: Operation,
  { status, key, new: next }: ResponsePair,
  header: Header,
  pace: Pace,
): Promise<Break[]> {
  const after = next.headers.find(({ name }) => name === header.name);
  const within = `the header \`${header.name}\` of the ${key}`;
  const broken = { operation, status, law: 'header' as const, request: undefined, answers: undefined };
  if (!after?.required && header.required)
    return [
      {
        ...broken,
        site: { within, steps: [], keyword: 'required' },
        received: `NEW allows a ${key} without the header ${header.name}`,
        documented: `the header ${header.name}`,
        at: placeAt(header.spot, 'required'),
        oldSpot: header.spot,
        newAt: after ? placeOf(after.spot) : placeAt(next.spot, 'headers'),
      },
    ];
  if (!after || !header.schema || isSame(header.schema, after.schema)) return [];
  const schema = after.schema ?? { ...after.spot, value: {} };
  const found = await valueBreaks(contracts, header.schema, schema, [], pace, (value) =>
    decodeHeader(header, [encodeHeader(after, value)]),
  );
  return found.map(({ violation, value, newSpot, oldSpot }) => ({
    ...broken,
    site: { within, steps: stepsOf(violation.pointer), keyword: violation.keyword },
    received: `NEW allows a ${key} with ${header.name}: ${shorten(stringifyJson(value))}`,
    documented: `${header.name} ${violation.expected}`,
    at: violation.at,
    oldSpot,
    newAt: placeOf(newSpot),
  }));
}

/** A value that NEW allows in a response, and a rule of OLD that it breaks. */
interface Counterexample {
  readonly violation: Violation;
  readonly value: unknown;
  readonly oldSpot: Spot;
  readonly newSpot: Spot;
}

/**
 * Of each rule of OLD that a value of NEW breaks one value: the one that breaks the fewest, and is the shortest.
 * @param examples values of either document, tried first
 * @param read of what a client of OLD may read for a value one has to fit
 */
async function valueBreaks(
  contracts: Contracts,
  old: Spot,
  next: Spot,
  examples: readonly unknown[],
  pace: Pace,
  read: Reading,
): Promise<Counterexample[]> {
  const [before, after] = [
    contracts.old.validators.compile(old, 'response'),
    contracts.new.validators.compile(next, 'response'),
  ];
  // Who reads a value that fits several alternatives of OLD, knows each of them.
  const isAmbiguous = ({ keyword, schema, received }: Violation) =>
    keyword === 'oneOf' &&
    alternativesOf(schema).some(
      (one) => contracts.old.validators.compile(one, 'response')(received).length === 0,
    );
  const found = new Map<string, Counterexample & { readonly cost: number }>();
  const [mine, theirs] = [[old], [next]];
  for (const value of candidates(mine, theirs, examples)) {
    await pace.breathe();
    if (pace.stopped()) break;
    const all = read(value)?.map((one) => before(one).filter((violation) => !isAmbiguous(violation))) ?? [[]];
    const violations = all.find(({ length }) => length === 0) ?? all[0] ?? [];
    if (violations.length === 0 || after(value).length > 0) continue;
    if (!isDocumented(theirs, mine, value, 'writeOnly')) continue;
    const cost = violations.length * 1_000_000 + stringifyJson(value).length;
    for (const violation of violations) {
      const rule = `${showPlace(violation.at)}:${violation.at.column} ${violation.keyword}`;
      const known = found.get(rule);
      if (known && known.cost <= cost) continue;
      const steps = stepsOf(violation.pointer);
      if (!wasReadWhole(contracts.new, [next], steps)) continue;
      const owner = violation.keyword === 'required' ? steps.slice(0, -1) : steps;
      const keyworded = ([spot]: readonly Spot[]) =>
        spot && (new Shape([spot]).find(violation.keyword)?.spot ?? spot);
      found.set(rule, {
        violation,
        value,
        cost,
        oldSpot: keyworded(schemasAlong([old], owner)) ?? old,
        newSpot: keyworded(schemasAlong([next], owner)) ?? next,
      });
    }
  }
  return [...found.values()];
}

function alternativesOf(schema: Spot | undefined): Spot[] {
  const list = schema && rawChild(schema, 'oneOf');
  if (!Array.isArray(list?.value)) return [];
  return list.value.flatMap((_, index) => rawChild(list, String(index)) ?? []);
}
