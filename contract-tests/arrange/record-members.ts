import {
  asReceived,
  bodyMedia,
  type Contract,
  essenceOf,
  isRecord,
  JSON_PATCH,
  type MediaType,
  memberShape,
  type Operation,
  type Resource,
  recordPath,
  type Shape,
  sample,
  toPointer,
  valueAt,
} from '#spec';
import { markMember, recordInBody, withoutNull } from '../laws/mark.ts';
import { resourceOf } from '../laws/operation-role.ts';
import type { Trial } from '../run/trial.ts';
import type { Data } from '../send/wire.ts';
import { changedAt } from './recipe.ts';

/**
 * A member of a body according to the record's schema, if that differs: a service cannot show a record that violates its
 * own schema, and may reject it. Undefined: it does not differ.
 */
export function recordMember(
  contract: Contract,
  operation: Operation,
  name: string,
  member: Shape,
): Shape | undefined {
  const resource = resourceOf(contract, operation);
  const twin = resource && memberShape(resource.shape, name);
  if (!twin || twin.readOnly || twin.writeOnly || twin.spot.value === member.spot.value) return undefined;
  return twin.mainType === member.mainType && !isContent(member) ? twin : undefined;
}

/** Whether a member is a file: a record may show its URL instead. */
function isContent(member: Shape): boolean {
  const isBinary = member.find('format')?.value === 'binary';
  return isBinary || ['contentMediaType', 'contentEncoding'].some((keyword) => member.find(keyword));
}

/** Whether a record can show the members of a body. */
export function fitsRecord(
  contract: Contract,
  operation: Operation,
  shape: Shape | undefined,
  body: Data,
): boolean {
  return Object.entries(body).every(([name, value]) => {
    const member = shape && memberShape(shape, name);
    const twin = member && recordMember(contract, operation, name, member);
    // In a merge patch null is no value.
    if (!twin || value === null) return true;
    return twin.parts
      .flatMap((part) => contract.validators.compile(part, 'request')(value))
      .every(({ keyword }) => keyword === 'required');
  });
}

/** Whether a body matches its schema, and a record can show it. */
export function isValidBody(
  { plan: { contract } }: Pick<Trial, 'plan'>,
  operation: Operation,
  body: unknown,
): boolean {
  const media = bodyMedia(operation.body);
  if (!media?.schema) return false;
  const validate = contract.validators.compile(media.schema, 'request');
  if (validate(asReceived(media, body)).length > 0) return false;
  return !isRecord(body) || fitsRecord(contract, operation, media.shape, body);
}

/** The maximum text length that every service must accept, unless the document requires longer ones. */
const LONGEST_TEXT = 64;

/** The length limits, in characters, of the text with the mark. */
export function markedLength(contract: Contract, operation: Operation): { least: number; most: number } {
  const { shape } = recordInBody(resourceOf(contract, operation), operation);
  const name = shape && markMember(shape);
  const members = shape && name !== undefined ? membersNamed(shape, name) : [];
  const all = members
    .flatMap((member) => [member, recordMember(contract, operation, name ?? '', member) ?? []].flat())
    .map(withoutNull);
  const least = Math.max(0, ...all.map((member) => member.highest('minLength') ?? 0));
  const longest = all.map((member) => member.lowest('maxLength') ?? Number.POSITIVE_INFINITY);
  return { least, most: Math.min(Math.max(LONGEST_TEXT, least), ...longest) };
}

/** The member's schemas in the schema itself and in all its alternatives: each may have its own limits. */
export function membersNamed({ properties, alternatives }: Shape, name: string): Shape[] {
  return [properties.get(name) ?? [], ...alternatives.map((branch) => membersNamed(branch, name))].flat();
}

/** Words before and after the mark, as far as there is room. */
export interface Words {
  readonly before?: string;
  readonly after?: string;
}

/** Changes the record in a body, which may be in an envelope. */
export function inRecord(
  resource: Resource | undefined,
  operation: Operation,
  change: (record: Data, mark: string | undefined) => Data,
): (body: Data, mark: string | undefined) => Data {
  const { path } = recordInBody(resource, operation);
  return (body, mark) => changedAt(body, path, (record) => change(record as Data, mark)) as Data;
}

const FILLING = 'more-of-it-';

/** A body with the mark in its marked member, in a text of valid length. */
export function withMark(
  contract: Contract,
  operation: Operation,
  body: Data,
  mark: string,
  words: Words = {},
): Data {
  const { path, shape } = recordInBody(resourceOf(contract, operation), operation);
  const name = shape && markMember(shape);
  if (name === undefined || !isRecord(valueAt(body, path))) return body;
  const marked = { [name]: markedText(mark, words, markedLength(contract, operation)) };
  if (!fitsRecord(contract, operation, shape, marked)) return body;
  return changedAt(body, path, (record) => ({ ...(record as Data), ...marked })) as Data;
}

export function markedText(
  mark: string,
  { before = '', after = '' }: Words,
  { least, most }: { least: number; most: number },
): string {
  const first = `${cut(before.normalize('NFC'), most - mark.length - 1).trim()} ${mark}`.trimStart();
  const whole = after === '' ? first : fill(first, after.normalize('NFC'), most);
  return fill(whole, FILLING, least);
}

function cut(text: string, length: number): string {
  return [...text].slice(0, Math.max(0, length)).join('');
}

/** The text does not end in a space. */
function fill(text: string, words: string, length: number): string {
  const missing = length - [...text].length;
  if (missing <= 0) return text;
  const filling = words.repeat(Math.ceil(missing / [...words].length));
  return missing === 1 ? `${text}${cut(filling, 1)}` : `${text} ${cut(filling, missing - 1)}`;
}

/**
 * A JSON Patch (RFC 6902) that any record accepts: `add` sets a member of an object, whether the record has it or not
 * (§4.1). The schema of a patch does not state which paths a record has. Undefined: the body is no such patch, or the
 * record is unknown.
 */
export function jsonPatch(
  contract: Contract,
  operation: Operation,
  media: MediaType,
  mark: string,
): readonly object[] | undefined {
  const resource = resourceOf(contract, operation);
  if (!isJsonPatch(operation, media) || !resource) return undefined;
  const name = patchedMember(resource.shape);
  const member = name === undefined ? undefined : memberShape(resource.shape, name);
  if (name === undefined || !member) return undefined;
  const value = name === markMember(resource.shape) ? mark : sample(member, { key: mark });
  const path = toPointer([...recordPath(resource, operation), name]);
  return [{ op: 'add', path, value }];
}

/** Whether a body is a JSON Patch, by its media type, or as the list of operations that a PATCH takes. */
function isJsonPatch({ method }: Operation, { type, shape }: MediaType): boolean {
  const required = shape?.items?.required;
  const isList = method === 'PATCH' && ['op', 'path'].every((name) => required?.has(name));
  return isList || essenceOf(type) === JSON_PATCH;
}

function patchedMember(shape: Shape): string | undefined {
  const isPlain = ({ readOnly, mainType }: Shape) =>
    !readOnly && ['string', 'boolean', 'integer', 'number'].includes(mainType ?? '');
  return markMember(shape) ?? [...shape.properties].find(([, member]) => isPlain(member))?.[0];
}
