import {
  type Contract,
  type DocumentedResponse,
  type Header,
  type MediaType,
  mediaTypeFor,
  type Operation,
  placeOf,
  Shape,
  type Spot,
  showPlace,
  stringifyJson,
  type Violation,
} from '#spec';
import { type Break, placeAt, shorten } from './break.ts';
import { candidates } from './candidates.ts';
import { isDocumented } from './documented.ts';
import { stepsOf } from './find-draft.ts';
import { schemasAlong } from './members.ts';
import { pairResponses, type ResponsePair } from './response-pairs.ts';
import { isSame } from './same-schema.ts';

interface Contracts {
  readonly old: Contract;
  readonly new: Contract;
}

/** What a service that keeps NEW may respond, and OLD does not allow. */
export function responseBreaks(contracts: Contracts, old: Operation, next: Operation): Break[] {
  return pairResponses(old, next).flatMap((pair) => [
    ...mediaBreaks(old, pair),
    ...pair.new.content.flatMap((media) => bodyBreaks(contracts, old, pair, media)),
    ...pair.old.headers.flatMap((header) => headerBreaks(contracts, old, pair, header)),
  ]);
}

/** A client that takes one media type only gets another, or nothing. */
function mediaBreaks(operation: Operation, { status, key, old, new: next }: ResponsePair): Break[] {
  return old.content
    .filter(({ type }) => !mediaTypeFor(next.content, type))
    .map(({ type, spot }) => ({
      operation,
      status,
      law: 'content-type' as const,
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
function bodyBreaks(
  contracts: Contracts,
  operation: Operation,
  { status, key, old }: ResponsePair,
  media: MediaType,
): Break[] {
  const before = mediaTypeFor(old.content, media.type);
  if (!before?.schema || isSame(before.schema, media.schema)) return [];
  // Of what NEW does not describe at all, every value is a possible one.
  const schema = media.schema ?? { ...media.spot, value: {} };
  const values = [...media.examples.values(), ...before.examples.values()];
  return valueBreaks(contracts, before.schema, schema, values).map(
    ({ violation, value, newSpot, oldSpot }) => ({
      operation,
      status,
      law: 'schema' as const,
      received: `NEW allows a ${key} with ${shorten(stringifyJson(value))}${at(violation)}`,
      documented: `${violation.pointer === '' ? 'the body' : violation.pointer} ${violation.expected}`,
      at: violation.at,
      oldSpot,
      newAt: placeOf(newSpot),
      request: undefined,
      answers: undefined,
    }),
  );
}

function at({ pointer, received }: Violation): string {
  if (pointer === '') return '';
  return received === undefined
    ? ` without ${pointer}`
    : ` (${pointer}: ${shorten(stringifyJson(received))})`;
}

function headerBreaks(
  contracts: Contracts,
  operation: Operation,
  { status, key, new: next }: ResponsePair,
  header: Header,
): Break[] {
  const after = next.headers.find(({ name }) => name === header.name);
  const broken = { operation, status, law: 'header' as const, request: undefined, answers: undefined };
  if (!after?.required && header.required)
    return [
      {
        ...broken,
        received: `NEW allows a ${key} without the header ${header.name}`,
        documented: `the header ${header.name}`,
        at: placeAt(header.spot, 'required'),
        oldSpot: header.spot,
        newAt: after ? placeOf(after.spot) : placeAt(next.spot, 'headers'),
      },
    ];
  if (!after || !header.schema || isSame(header.schema, after.schema)) return [];
  const schema = after.schema ?? { ...after.spot, value: {} };
  return valueBreaks(contracts, header.schema, schema, []).map(({ violation, value, newSpot, oldSpot }) => ({
    ...broken,
    received: `NEW allows a ${key} with ${header.name}: ${shorten(stringifyJson(value))}`,
    documented: `${header.name} ${violation.expected}`,
    at: violation.at,
    oldSpot,
    newAt: placeOf(newSpot),
  }));
}

interface Counterexample {
  readonly violation: Violation;
  readonly value: unknown;
  readonly oldSpot: Spot;
  readonly newSpot: Spot;
}

/** Of each rule of OLD that a value of NEW breaks one value, the one that breaks the fewest and is the shortest. */
function valueBreaks(
  contracts: Contracts,
  old: Spot,
  next: Spot,
  examples: readonly unknown[],
): Counterexample[] {
  const [before, after] = [
    contracts.old.validators.compile(old, 'response'),
    contracts.new.validators.compile(next, 'response'),
  ];
  const found = new Map<string, Counterexample & { readonly cost: number }>();
  for (const value of candidates([old, next], examples)) {
    const violations = before(value);
    if (violations.length === 0 || after(value).length > 0) continue;
    if (!isDocumented([next], [old], value, 'writeOnly')) continue;
    const cost = violations.length * 1_000_000 + stringifyJson(value).length;
    for (const violation of violations) {
      const rule = `${showPlace(violation.at)}:${violation.at.column} ${violation.keyword}`;
      const known = found.get(rule);
      if (known && known.cost <= cost) continue;
      const steps = stepsOf(violation.pointer);
      const owner = violation.keyword === 'required' ? steps.slice(0, -1) : steps;
      const keyworded = (schemas: readonly Spot[]) => {
        const [spot] = schemas;
        return spot && (new Shape([spot]).find(violation.keyword)?.spot ?? spot);
      };
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
