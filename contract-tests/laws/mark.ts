import { randomInt } from 'node:crypto';
import {
  bodyMedia,
  bodyPath,
  idStem,
  idStems,
  idWord,
  isDefinedFormat,
  isInOwnWords,
  isRecord,
  type Operation,
  oncePer,
  type Resource,
  type Shape,
  sentMany,
  shapeAt,
  textFormOf,
  valueAt,
} from '#spec';
import type { Evidence } from './evidence.ts';
import { creatorOf, type KnownRecords, type Maker } from './operation-role.ts';

/** Unique texts that identify the records of this run: `paddock-k3x9-12c3n`. */
export interface Marks {
  /** Returns a mark that no earlier body has. */
  next(): string;
  /** The marks of a case (`12c`), of work that cases share (`3s`), or of a part (`1p`): always the same ones. */
  of(part: `${number}${'c' | 's' | 'p'}`): Marks;
}

/** The part that all marks of a run share: two runs with the same seed differ in nothing else. */
export function createRunMark(): string {
  return `${OURS}-${randomInt(36 ** 8)
    .toString(36)
    .padStart(8, '0')}`;
}

/**
 * The marks of one case do not depend on concurrent cases. A letter behind each number says what it counts, so that no
 * mark equals another one or its beginning, however large the document is.
 */
export function createMarks(run: string, path = ''): Marks {
  const parts = new Map<string, Marks>();
  let number = 0;
  return {
    next: () => {
      number += 1;
      return `${run}-${path}${number}n`;
    },
    of(part) {
      const marks = parts.get(part) ?? createMarks(run, `${path}${part}`);
      parts.set(part, marks);
      return marks;
    },
  };
}

/** Sorts the marks of one case by creation; texts without a mark come first. */
export const compareMarks = new Intl.Collator('en', { numeric: true }).compare;

const NUMBERS = String.raw`(?:\d+[csp])*\d+n`;

const OURS = 'paddock';
const LONGEST_MARK = 32;

/** The member that can hold a mark: an ordinary text, without a format, and preferably required and no id. */
export function markMember(shape: Shape): string | undefined {
  // The property of a discriminator names a schema.
  const choosing = new Set(
    shape.all('discriminator').map(({ value }) => (isRecord(value) ? value.propertyName : undefined)),
  );
  const names = membersOfAll(shape).flatMap(([name, member]) =>
    isOrdinaryText(member) && !choosing.has(name) ? [name] : [],
  );
  const free = [isFree, (name: string) => !isIdName(name), isBareId];
  const texts = free.map((fits) => names.filter(fits)).find((fitting) => fitting.length > 0) ?? [];
  const required = texts.filter((name) => shape.required.has(name));
  // Documents often describe values that only the service knows, such as a strategy or a kind, as plain texts.
  return [required, texts]
    .map((some) => some.find(isInOwnWords) ?? some[0])
    .find((name) => name !== undefined);
}

/** Services validate a member whose name implies a format, even if it is undocumented. */
const isFree = (name: string) => !isIdName(name) && textFormOf(name) === undefined;

/** Whether a member's name may be that of an id, its own or a reference: `petid`, too. */
export const isIdName = (name: string): boolean => idWord(name) !== undefined || idStems(name).length > 0;

/** Whether a name is that of an object's own id, without a noun: `id`, `uuid`. */
export const isBareId = (name: string): boolean => idWord(name) !== undefined && idStem(name) === undefined;

/** The members that all alternatives of a body have. */
function membersOfAll(shape: Shape): [name: string, member: Shape][] {
  const [first, ...others] = shape.alternatives;
  const inAll = [...(first?.properties ?? [])].filter(([name]) =>
    others.every(({ properties }) => {
      const member = properties.get(name);
      return member !== undefined && isOrdinaryText(member);
    }),
  );
  return [...shape.properties, ...inAll];
}

/** Keywords that constrain a text beyond its length and characters. */
const OF_FORM = ['enum', 'const', 'oneOf', 'anyOf', 'not', 'if'];
const UNFIT = [...OF_FORM, 'format', 'contentEncoding', 'contentMediaType'];

/** Formats that do not define which texts are valid: a password may be too weak, bytes may be no picture. */
const OPEN_FORMATS: ReadonlySet<unknown> = new Set(['binary', 'byte', 'password']);

/** Whether the document states only the length of a text. */
export function isFreeText(shape: Shape): boolean {
  const says = ({ value }: { readonly value: unknown }) => isDefinedFormat(value) && !OPEN_FORMATS.has(value);
  return (
    shape.mainType === 'string' &&
    ![...OF_FORM, 'pattern'].some((keyword) => shape.find(keyword)) &&
    !shape.all('format').some(says)
  );
}

/** The longest possible mark. */
export const LONG_MARK = 'paddock-k3x9k3x9-99999c999p99p1n';

function isOrdinaryText(member: Shape): boolean {
  const text = withoutNull(member);
  const longest = text.lowest('maxLength') ?? LONGEST_MARK;
  return (
    text.mainType === 'string' &&
    !UNFIT.some((keyword) => text.find(keyword)) &&
    text.patterns.every((pattern) => pattern.test(LONG_MARK)) &&
    !member.readOnly &&
    longest >= LONGEST_MARK
  );
}

/** A member's schema without null: `anyOf` a text and null is a text. */
export function withoutNull(member: Shape): Shape {
  if (member.mainType !== undefined) return member;
  const [only, ...more] = member.alternatives.filter(({ mainType }) => mainType !== 'null');
  return only && more.length === 0 ? only : member;
}

/** The mark of a run in a text; JSON does not escape it. */
export function markIn(text: string, run: string): string | undefined {
  return new RegExp(`${run}-${NUMBERS}`).exec(text)?.[0];
}

/** Matches every mark of a run in a text. */
export const markPattern = (run: string) => new RegExp(`${run}-${NUMBERS}`, 'g');

const MARK = new RegExp([OURS, '[0-9a-z]+', NUMBERS].join('-'));

/** Whether a value contains a mark. */
export function bears(value: unknown, mark: string): boolean {
  return typeof value === 'string' && value.includes(mark);
}

const WHOLE_MARK = new RegExp(`^${MARK.source}$`);

/** Whether a text is a mark and nothing else. */
export function isBareMark(text: string): boolean {
  return WHOLE_MARK.test(text);
}

export function isMarked(value: unknown): value is string {
  return typeof value === 'string' && MARK.test(value);
}

interface Creates {
  readonly maker: Maker;
  sent: number;
  refused: number;
  readonly ids: Set<string>;
}

/** The create requests of a run, by the mark in their bodies. */
interface MarkedCreates extends Pick<KnownRecords, 'wasRefused'> {
  readonly of: (resource: Resource, text: unknown) => Readonly<Creates> | undefined;
  /** Call it when the request is sent: a list may show the record before its response arrives. */
  sent(resource: Resource, body: unknown, maker: Maker): void;
  /** @param id of the created record; undefined: none, or unknown */
  answered(resource: Resource, evidence: Evidence, id: unknown): void;
}

export function countCreates(): MarkedCreates {
  /** By the path of the resource: most members of a list are none of the run's texts. */
  const creates = new Map<string, Map<string, Creates>>();
  const of = (resource: Resource, text: unknown) =>
    typeof text === 'string' ? creates.get(resource.path)?.get(text) : undefined;

  function sent(resource: Resource, body: unknown, maker: Maker): Creates | undefined {
    const text = markedText(resource, body);
    if (text === undefined) return undefined;
    const counts = of(resource, text) ?? { maker, sent: 0, refused: 0, ids: new Set() };
    counts.sent += 1;
    const all = creates.get(resource.path) ?? new Map<string, Creates>();
    creates.set(resource.path, all.set(text, counts));
    return counts;
  }

  return {
    of,
    sent: (resource, body, maker) => void sent(resource, body, maker),
    answered(resource, { exchange, request, response, model }, id) {
      const text = markedText(resource, exchange.input.body);
      const counts = text === undefined ? sent(resource, request.body, model.viewer) : of(resource, text);
      if (!counts) return;
      if (response.status >= 400 && response.status < 500) counts.refused += 1;
      if (id !== undefined) counts.ids.add(String(id));
    },
    wasRefused(resource, text) {
      const counts = of(resource, text);
      return counts !== undefined && counts.refused > 0 && counts.refused === counts.sent;
    },
  };
}

/** The text with a mark of this run in a body: no other client can have sent the same. */
function markedText(resource: Resource, body: unknown): string | undefined {
  const create = creatorOf(resource);
  const { path, shape } = create ? recordInBody(resource, create) : { path: [], shape: undefined };
  const member = shape && markMember(shape);
  const text = member === undefined ? undefined : valueAt(body, [...path, member]);
  return isMarked(text) ? text : undefined;
}

/** The path of the record in a body, and its schema: empty unless there is an envelope. */
interface RecordInBody {
  readonly path: readonly string[];
  readonly shape: Shape | undefined;
}

const placesIn = oncePer((operation: Operation) =>
  oncePer((resource: Resource): RecordInBody => {
    const path = bodyPath(resource, operation);
    return { path, shape: shapeAt(bodyMedia(operation.body)?.shape, path) };
  }),
);

/** The record in a body, which may be in an envelope; empty for a body that is no object. */
export function recordSent(
  resource: Resource | undefined,
  operation: Operation,
  body: unknown,
): Readonly<Record<string, unknown>> {
  const record = valueAt(body, recordInBody(resource, operation).path);
  return isRecord(record) ? record : {};
}

export function recordsIn(body: unknown, operation: Operation): readonly unknown[] {
  const path = sentMany(operation);
  const list = path && valueAt(body, path);
  return Array.isArray(list) ? list : [];
}

/** @param resource undefined: the body contains no record */
export function recordInBody(resource: Resource | undefined, operation: Operation): RecordInBody {
  return resource ? placesIn(operation)(resource) : { path: [], shape: bodyMedia(operation.body)?.shape };
}
