import {
  bodyMedia,
  escapeText,
  essenceOf,
  formatOf,
  isMadeUpWord,
  isNumber,
  isRecord,
  mediaTypeFor,
  memberShape,
  type Shape,
} from '#spec';
import { jsonOf, type Response } from '../send/response.ts';
import { headerOf } from '../send/wire.ts';
import type { Evidence } from './evidence.ts';
import { isBareMark, isFreeText, isIdName } from './mark.ts';

/** A member of a body, or a parameter, that an error response may be about. */
export interface BodyMember {
  readonly path: readonly string[];
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
  /** Undefined: it was not sent. */
  readonly value: unknown;
}

/** How deep members of the body are searched. */
const DEEPEST = 3;

export function membersIn(shape: Shape, body: unknown, above: readonly string[]): BodyMember[] {
  if (above.length >= DEEPEST) return [];
  const described = [
    ...new Map([...shape.alternatives.flatMap(({ properties }) => [...properties]), ...shape.properties]),
  ];
  return described.flatMap(([name, member]): BodyMember[] => {
    if (member.readOnly) return [];
    const path = [...above, name];
    const value = isRecord(body) ? body[name] : undefined;
    const bodyMember = { path, name, shape: member, required: shape.required.has(name), value };
    return [bodyMember, ...(value === undefined ? [] : membersIn(member, value, path))];
  });
}

/** How certain it is that an error is about a member, from the most certain. */
const STRUCTURED = 3;
const QUOTED = 2;
const MENTIONED = 1;

/**
 * The members that an error response is about: those that structured errors name, else those whose name or value is quoted
 * in its text, else those whose name occurs as a word.
 */
export function blamedMembers(response: Response, members: readonly BodyMember[]): BodyMember[] {
  const json = jsonOf(response);
  const texts = json === undefined ? [response.text ?? ''] : textsIn(json);
  const names = new Set(members.flatMap(({ path, name }) => [plain(path.join('.')), plain(name)]));
  const named = new Set(isRecord(json) || Array.isArray(json) ? placesIn(json, names) : []);
  const rated = members.map((member) => ({ member, rate: rate(member, named, texts) }));
  const best = Math.max(0, ...rated.map((one) => one.rate));
  if (best === 0) return [];
  const blamed = rated.filter((one) => one.rate === best).map(({ member }) => member);
  // An object is dropped in favour of a member inside it: the more precise place wins.
  return blamed.filter(({ path }) => !blamed.some((other) => isBelow(other.path, path)));
}

const isBelow = (inner: readonly string[], outer: readonly string[]) =>
  inner.length > outer.length && outer.every((step, index) => inner[index] === step);

function rate(member: BodyMember, named: ReadonlySet<string>, texts: readonly string[]): number {
  const { path, name, value } = member;
  const places = [path.join('.'), ...(path.length === 1 || isTelling(name) ? [name] : [])].map(plain);
  if (places.some((place) => named.has(place))) return STRUCTURED;
  const quoted = (text: string) => new RegExp(`["'\`‘“«]${escapeText(text)}["'\`’”»]`, 'i');
  const dotted = quoted(path.join('.'));
  if (texts.some((text) => quoted(name).test(text) || dotted.test(text))) return QUOTED;
  if (longTextsIn(value).some((longText) => texts.some((text) => text.includes(longText)))) return QUOTED;
  const word = new RegExp(`(?<![\\w-])${escapeText(name)}(?![\\w-])`, isTelling(name) ? 'i' : '');
  return texts.some((text) => word.test(text)) ? MENTIONED : 0;
}

/** Shorter names occur in many sentences by chance. */
const isTelling = (name: string) => name.length >= 3;

/**
 * The places that structured errors name, normalised: `body.email`, `/data/id` and `["email"]` become `email`, `data.id`,
 * `email`. A text names one, and so do the keys of an object most of whose keys are member names: `{ "errors": { "email":
 * ["is taken"] } }`.
 */
function placesIn(value: unknown, names: ReadonlySet<string>, isContainer = false): string[] {
  if (Array.isArray(value)) return [...namesIn(value), ...value.flatMap((item) => placesIn(item, names))];
  if (!isRecord(value)) return namesIn(value);
  const keys = Object.keys(value).map(plain);
  const memberKeys = keys.filter((name) => names.has(name));
  return [
    ...(isContainer && memberKeys.length * 2 >= keys.length ? memberKeys : []),
    ...Object.values(value).flatMap((inner) => placesIn(inner, names, true)),
  ];
}

function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [plain(value)];
  if (!Array.isArray(value)) return [];
  const steps = value.filter((step) => typeof step === 'string');
  // The text is a path, or a list of names: add each step, too.
  return [plain(steps.join('.')), ...steps.map(plain)];
}

const BODIES: ReadonlySet<string> = new Set(['body', 'payload', 'requestbody', 'json']);

/** Normalises a place: removes a prefix such as `body`, and list positions. */
function plain(place: string): string {
  const steps = place.replace(/\[["']?([^\]"']*)["']?\]/g, '.$1').split(/[./#$]+/);
  const kept = steps.filter((step) => step !== '' && !/^\d+$/.test(step)).map((step) => step.toLowerCase());
  return (BODIES.has(kept[0] ?? '') && kept.length > 1 ? kept.slice(1) : kept).join('.');
}

/** All texts in an error body, which are its sentences. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** The longest text of an error response, without numbers and quoted names. */
export function wordsIn({ text = '' }: Pick<Response, 'text'>): string {
  const texts = text.replace(/[\da-f]*\d[\da-f]*/gi, '').match(/[^"<>{}[\]]+/g) ?? [];
  return texts.reduce((longest, one) => (one.length > longest.length ? one : longest), '').trim();
}

/** The minimum length of a value that can be recognised in a text. */
const LEAST = 4;

function longTextsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= LEAST ? [value] : [];
  return Array.isArray(value) ? value.flatMap(longTextsIn) : [];
}

/**
 * A value in a request of which the document states only the type. Only the service may know which texts are meaningful
 * (names of algorithms, valid domains, what is a picture), or which numbers are too large.
 */
export interface FreeValue {
  /** Identifies the value's parameter or member across operations. */
  readonly key: string;
  /** The path in the body; for a parameter, its name. */
  readonly path: readonly string[];
  readonly in: 'body' | 'query' | 'header' | 'cookie';
  readonly value: string | number | bigint;
}

/** The free values of a request, without those that the document shows as examples. Path parameters are not among them. */
function freeValuesOf({ request, operation, exchange }: Evidence): FreeValue[] {
  const type = headerOf(exchange.request, 'content-type') ?? '';
  const media = mediaTypeFor(operation.body?.content ?? [], type);
  // Only its readers know what a file of a type must contain.
  const isFile =
    media && formatOf(type, media.shape) === 'bytes' && essenceOf(type) !== 'application/octet-stream';
  const file = isFile && media.examples.size === 0 ? [{ path: [], in: 'body', value: NOTHING } as const] : [];
  const parameters = operation.parameters.flatMap(({ in: place, name, shape, required }) =>
    // An example of an optional parameter may name something that this service does not have.
    place === 'path' ? [] : valuesIn(request.parameters[place][name], shape, [name], place, !required),
  );
  return [...parameters, ...file, ...valuesIn(request.body, media?.shape, [], 'body')].map((parameter) => ({
    ...parameter,
    key: [operation.id, parameter.in, ...parameter.path].join('/'),
  }));
}

function valuesIn(
  value: unknown,
  shape: Shape | undefined,
  path: readonly string[],
  place: FreeValue['in'],
  mayBeShown = false,
): Omit<FreeValue, 'key'>[] {
  if (!shape) return [];
  if (Array.isArray(value))
    return value.flatMap((item) => valuesIn(item, shape.items, path, place, mayBeShown));
  if (isRecord(value)) {
    // The run does not know the members of an object without a schema.
    const isOpen = shape.properties.size === 0 && shape.alternatives.length === 0 && path.length > 0;
    if (isOpen && Object.keys(value).length === 0) return [{ path, in: place, value: NOTHING }];
    return Object.entries(value).flatMap(([name, member]) =>
      valuesIn(member, memberShape(shape, name) ?? shape.additional, [...path, name], place, mayBeShown),
    );
  }
  if (!isFree(value, shape, path.at(-1) ?? '')) return [];
  if (!mayBeShown && shape.examples.includes(value)) return [];
  return [{ path, in: place, value }];
}

/** Stands for an object without members, as a free value. */
const NOTHING = '{}';

/** Numbers that are plausible wherever the document states no bound. */
const ORDINARY = { least: 1, most: 1000 };

/** @param name of the member: an id either exists at the target, or was made up by the run */
function isFree(value: unknown, shape: Shape, name: string): value is FreeValue['value'] {
  if (typeof value === 'string') return isFreeForm(shape);
  if (!isNumber(value) || shape.values || isIdName(name)) return false;
  const isBound = (...keywords: string[]) => keywords.some((keyword) => shape.find(keyword));
  return (
    (value < ORDINARY.least && !isBound('minimum', 'exclusiveMinimum')) ||
    (value > ORDINARY.most && !isBound('maximum', 'exclusiveMaximum'))
  );
}

/** A text is free if each of its alternative schemas states no more than the type. */
function isFreeForm(shape: Shape): boolean {
  if (isFreeText(shape)) return true;
  const texts = shape.alternatives.filter(({ mainType }) => mainType === 'string');
  return texts.length > 0 && texts.every(isFreeText) && !shape.values;
}

const INVALID: ReadonlySet<number> = new Set([400, 422]);

/**
 * The free values that a 4xx for a valid request may be about: those that the error names or, if it names nothing, all of
 * them.
 */
export function suspectsOf(evidence: Evidence): readonly FreeValue[] {
  const { operation, response, request } = evidence;
  if (!INVALID.has(response.status)) return [];
  const values = freeValuesOf(evidence);
  if (values.length === 0) return [];
  const shape = bodyMedia(operation.body)?.shape;
  const parameters = operation.parameters.flatMap(
    ({ in: place, name, shape: parameterShape, required }): BodyMember[] =>
      place === 'path'
        ? []
        : [{ path: [name], name, shape: parameterShape, required, value: request.parameters[place][name] }],
  );
  const members = [...parameters, ...(shape ? membersIn(shape, request.body, []) : [])];
  const blamed = blamedMembers(response, members);
  const isBlamed = ({ path }: FreeValue) =>
    blamed.some((bodyMember) => bodyMember.path.every((step, index) => path[index] === step));
  return blamed.length === 0 ? values : values.filter(isBlamed);
}

/** Ordinary texts that are too short for a mark. */
export const SHORT_TEXTS = { letter: 'Q', null: 'null' } as const;

/** Tracks which operations have accepted an arbitrary text. */
export interface TakenTexts {
  note(evidence: Evidence): void;
  /**
   * Whether an operation has accepted a meaningless text at a {@link FreeValue.key}: then any other text must be accepted,
   * too.
   */
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

/** Whether a value is arbitrary: where the service accepts one such value, it must accept every other. */
export function isMeaningless(value: FreeValue['value']): boolean {
  if (typeof value !== 'string') return false;
  return (
    value === NOTHING ||
    isBareMark(value) ||
    isMadeUpWord(value) ||
    value === SHORT_TEXTS.letter ||
    value === SHORT_TEXTS.null
  );
}
