import {
  type DocumentedResponse,
  essenceOf,
  type Header,
  type MediaType,
  mediaTypeFor,
  type Operation,
  placeOf,
  showPlace,
  stringifyJson,
  type Violation,
} from '#spec';
import { type Break, placeAt, shorten } from './break.ts';
import type { Contracts } from './contracts.ts';
import type { Pace } from './pace.ts';
import { pairResponses, type ResponsePair } from './response-pairs.ts';
import { isSame } from './same-schema.ts';
import { valueBreaks } from './value-breaks.ts';

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
      received: `a ${key} ${next.content.length > 0 ? `of ${typesOf(next)}` : 'without a body'}`,
      documented: `a body of ${type}`,
      at: placeOf(spot),
      oldSpot: spot,
      newAt: placeAt(next.spot, 'content'),
      request: undefined,
      answers: undefined,
    }));
}

/** Whether a media type is one of a range, such as `text/*`. */
function isWithin(range: string): (media: MediaType) => boolean {
  const [whole = '', kind] = [essenceOf(range), essenceOf(range).split('/', 1)[0]];
  return ({ type }) => whole === '*/*' || (whole.endsWith('/*') && essenceOf(type).startsWith(`${kind}/`));
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
  const found = await valueBreaks(contracts, before.schema, schema, values, pace);
  return found.map(({ violation, value, newSpot, oldSpot }) => ({
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
  }));
}

function at({ pointer, received }: Violation): string {
  if (pointer === '') return '';
  return received === undefined
    ? ` without ${pointer}`
    : ` (${pointer}: ${shorten(stringifyJson(received))})`;
}

async function headerBreaks(
  contracts: Contracts,
  operation: Operation,
  { status, key, new: next }: ResponsePair,
  header: Header,
  pace: Pace,
): Promise<Break[]> {
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
  const found = await valueBreaks(contracts, header.schema, schema, [], pace);
  return found.map(({ violation, value, newSpot, oldSpot }) => ({
    ...broken,
    received: `NEW allows a ${key} with ${header.name}: ${shorten(stringifyJson(value))}`,
    documented: `${header.name} ${violation.expected}`,
    at: violation.at,
    oldSpot,
    newAt: placeOf(newSpot),
  }));
}
