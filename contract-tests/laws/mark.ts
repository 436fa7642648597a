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

/** Texts that tell this run's records from everybody else's: `paddock-k3x9-12c3n`. */
export interface Marks {
  /** A mark that no earlier body bears. */
  next(): string;
  /** The marks of a case (`12c`), of work that several cases share (`3s`), or of a part (`1p`): always the same ones. */
  of(part: `${number}${'c' | 's' | 'p'}`): Marks;
}

/** The part that all marks of a run share. It comes from the clock: two runs with one seed differ in nothing else. */
export function createRunMark(now: number): string {
  return `${OURS}-${now.toString(36)}${process.pid.toString(36)}`;
}

/**
 * What other cases do at the same time makes no difference to the marks of one. Each number has a letter behind it that
 * says what it counts: no mark is equal to another one, nor its beginning, however large the document is.
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

/** Marks of one case, in the order in which they were made; what bears none comes first. */
export const compareMarks = new Intl.Collator('en', { numeric: true }).compare;

const NUMBERS = String.raw`(?:\d+[csp])*\d+n`;

const OURS = 'paddock';
const LONGEST_MARK = 40;

/**
 * The member that can bear a mark: an ordinary text, nothing with a form of its own and no id where there is another, one
 * that must be there first.
 */
export function markMember(shape: Shape): string | undefined {
  // What a discriminator reads names a schema.
  const choosing = new Set(
    shape.all('discriminator').map(({ value }) => (isRecord(value) ? value.propertyName : undefined)),
  );
  const names = membersOfAll(shape).flatMap(([name, member]) =>
    isOrdinaryText(member) && !choosing.has(name) ? [name] : [],
  );
  const free = [isFree, (name: string) => !isIdName(name), isBareId];
  const texts = free.map((fits) => names.filter(fits)).find((fitting) => fitting.length > 0) ?? [];
  const required = texts.filter((name) => shape.required.has(name));
  // What only one service knows the good values of, as a strategy or a kind, is often a text to its document.
  return [required, texts]
    .map((some) => some.find(isInOwnWords) ?? some[0])
    .find((name) => name !== undefined);
}

/** What has a form by its name is checked by services, whether the document says it or not. */
const isFree = (name: string) => !isIdName(name) && textFormOf(name) === undefined;

/** Whether a member's name may be that of an id, its own or that of another record: `petid`, too. */
export const isIdName = (name: string): boolean => idWord(name) !== undefined || idStems(name).length > 0;

/** `id`, `uuid`: of whatever has it, and not of another record. */
export const isBareId = (name: string): boolean => idWord(name) !== undefined && idStem(name) === undefined;

/** Where a body has several forms, those of its members that all forms have. */
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

/** What says more of a text than how long it is, and which characters it has. */
const OF_FORM = ['enum', 'const', 'oneOf', 'anyOf', 'not', 'if'];
const UNFIT = [...OF_FORM, 'format', 'contentEncoding', 'contentMediaType'];

/** Formats that leave open which texts mean something: a password may be too weak, bytes may be no picture. */
const OPEN_FORMATS: ReadonlySet<unknown> = new Set(['binary', 'byte', 'password']);

/** Whether the document says of a text no more than how long it is. */
export function isFreeText(shape: Shape): boolean {
  const says = ({ value }: { readonly value: unknown }) => isDefinedFormat(value) && !OPEN_FORMATS.has(value);
  return (
    shape.mainType === 'string' &&
    ![...OF_FORM, 'pattern'].some((keyword) => shape.find(keyword)) &&
    !shape.all('format').some(says)
  );
}

/** A mark as long as any. */
export const LONG_MARK = `paddock-${'k3x9'.repeat(4)}-99999c99p9p1n`;

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

/** What a member is where it is not null: `anyOf` a text and null is a text. */
export function withoutNull(member: Shape): Shape {
  if (member.mainType !== undefined) return member;
  const [only, ...more] = member.alternatives.filter(({ mainType }) => mainType !== 'null');
  return only && more.length === 0 ? only : member;
}

/** The mark of a run in a text; in JSON it stands as it is. */
export function markIn(text: string, run: string): string | undefined {
  return new RegExp(`${run}-${NUMBERS}`).exec(text)?.[0];
}

/** Every mark of a run in a text. */
export const markPattern = (run: string) => new RegExp(`${run}-${NUMBERS}`, 'g');

const MARK = new RegExp([OURS, '[0-9a-z]+', NUMBERS].join('-'));

/** Whether a value bears one mark, whatever else is in the text. */
export function bears(value: unknown, mark: string): boolean {
  return typeof value === 'string' && value.includes(mark);
}

const WHOLE_MARK = new RegExp(`^${MARK.source}$`);

/** Whether a text is a mark, and nothing else. */
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

/** The create requests of a run, by the mark that their bodies bear. */
interface MarkedCreates extends Pick<KnownRecords, 'wasRefused'> {
  readonly of: (resource: Resource, text: unknown) => Readonly<Creates> | undefined;
  /** To be called when the request is sent: a list may show the record before its response has come. */
  sent(resource: Resource, body: unknown, maker: Maker): void;
  /** @param id of the record that was created; undefined: there is none, or none that is known */
  answered(resource: Resource, evidence: Evidence, id: unknown): void;
}

export function countCreates(): MarkedCreates {
  /** By the path of the resource. A list has many members, most of which are none of the run's texts. */
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

/** The text of a body that has a mark of this run: no other client can have sent the same. */
function markedText(resource: Resource, body: unknown): string | undefined {
  const create = creatorOf(resource);
  const { path, shape } = create ? recordInBody(resource, create) : { path: [], shape: undefined };
  const member = shape && markMember(shape);
  const text = member === undefined ? undefined : valueAt(body, [...path, member]);
  return isMarked(text) ? text : undefined;
}

/** Where a body has the record, and the schema of that: of the body itself, but for an envelope. */
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

/** The record of a body, which may be an envelope around it; of a body that is no object nothing is known. */
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

/** @param resource undefined: the body is of no record */
export function recordInBody(resource: Resource | undefined, operation: Operation): RecordInBody {
  return resource ? placesIn(operation)(resource) : { path: [], shape: bodyMedia(operation.body)?.shape };
}
