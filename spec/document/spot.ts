import { inBrief } from '../json/in-brief.ts';
import { isRecord } from '../json/json-value.ts';
import type { Problem, SourceFile } from './source-file.ts';

/** An OpenAPI document with all files that it refers to, each read once. */
export interface Document {
  readonly root: Spot;
  /** By absolute URL (`file:` or `http(s):`). */
  readonly files: ReadonlyMap<string, SourceFile>;
  /** For which the document is refused; gathered while it is compiled. */
  readonly problems: Problem[];
  /** What is against the specification, and leaves the rest of the document usable; gathered likewise. */
  readonly warnings: Problem[];
  /** What makes it usable. */
  readonly repairs: Repair[];
  /** The objects and lists that contain a repair, in any depth. */
  readonly rebuilt: ReadonlySet<unknown>;
  /** The same document with others in place of these files, and nothing gathered yet. */
  withFiles(changed: ReadonlyMap<SourceFile, SourceFile>, rebuilt?: ReadonlySet<unknown>): Document;
  /** The URI that references at a place are resolved against: that of the file, or of an `$id` or `$self`. */
  baseOf(place: Pick<Spot, 'file' | 'path'>): string;
  /** The target of the Reference Object at this spot, or the reason why there is none. */
  follow(reference: Spot): Spot | string;
  /**
   * What the `externalValue` of an Example Object leads to, at this spot: text, or bytes that are no UTF-8. Undefined: nothing
   * that was read.
   */
  external(value: Spot): string | Uint8Array | undefined;
  /** That target; undefined: there is none, and what needs it is left out of the contract. */
  resolve(reference: Spot): Spot | undefined;
}

/** A value of the document with its location. */
export interface Spot {
  readonly document: Document;
  readonly file: SourceFile;
  /** Member names and array indices from the file's root: the unescaped tokens of a JSON Pointer (RFC 6901). */
  readonly path: readonly string[];
  readonly value: unknown;
}

/** A part of a document that is read otherwise than it is written. */
export interface Repair {
  readonly spot: Spot;
  /** What it is read as; undefined for a member that is read as if it were not there. */
  readonly value: unknown;
}

/** A source position. */
export interface Place {
  /** Path relative to the working directory, or URL. */
  readonly uri: string;
  /** Counted from 1. */
  readonly line: number;
  /** In UTF-16 code units, counted from 1. */
  readonly column: number;
}

/** The source position of a member's key, or of an item. */
export function placeOf(spot: Spot): Place {
  return spot.file.positionOf(spot.path);
}

/** A source position as text: `spec/openapi.yaml:41`. */
export function showPlace(place: Place): string {
  return `${place.uri}:${place.line}`;
}

/** The member or item as it is written, a `$ref` not followed; undefined if there is none. */
export function rawChild(spot: Spot, key: string): Spot | undefined {
  const { value } = spot;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return { ...spot, path: [...spot.path, key], value: (value as Record<string, unknown>)[key] };
}

/** All members or items as they are written. */
export function rawChildren(spot: Spot | undefined): [string, Spot][] {
  if (typeof spot?.value !== 'object' || spot.value === null) return [];
  return Object.keys(spot.value).map((key) => [key, rawChild(spot, key) as Spot]);
}

/** The member, dereferenced. */
export function child(spot: Spot, key: string): Spot | undefined {
  const member = rawChild(spot, key);
  return member && dereference(member);
}

/** All members or items, dereferenced, without those whose reference does not resolve. */
export function children(spot: Spot | undefined): [string, Spot][] {
  return rawChildren(spot).flatMap(([key, member]): [string, Spot][] => {
    const target = dereference(member);
    return target ? [[key, target]] : [];
  });
}

/** The target of a Reference Object, through any number of further ones; any other value is itself. */
export function dereference(spot: Spot): Spot | undefined {
  // Most values are no references.
  if (!isReference(spot.value)) return spot;
  const seen = new Set<unknown>();
  let here: Spot | undefined = spot;
  while (here && isReference(here.value)) {
    if (seen.has(here.value)) return undefined;
    seen.add(here.value);
    here = here.document.resolve(here);
  }
  return here;
}

export function isReference(value: unknown): value is { $ref: string } {
  return isRecord(value) && typeof value.$ref === 'string';
}

/** OpenAPI 3.0 ignores the siblings of a `$ref`; in 3.1 (JSON Schema 2020-12) they count. */
export function siblingsIgnored(reference: Spot): boolean {
  return isVersion30(reference) || Object.keys(reference.value as object).length === 1;
}

/** Whether the document is OpenAPI 3.0, whose Schema Object is not JSON Schema 2020-12. */
export function isVersion30(spot: Spot): boolean {
  return isVersion(spot, '3.0');
}

/** @param version major and minor, such as `3.2` */
export function isVersion({ document }: Spot, version: string): boolean {
  const root = document.root.value;
  return isRecord(root) && String(root.openapi).startsWith(version);
}

/** Dereferenced members that must have a type; one of another type is ignored, with a warning. */
export function textAt(spot: Spot, key: string): string | undefined {
  return typed(spot, key, 'a string', (value) => typeof value === 'string')?.value as string | undefined;
}

/** False if absent. */
export function flagAt(spot: Spot, key: string): boolean {
  return typed(spot, key, 'true or false', (value) => typeof value === 'boolean')?.value === true;
}

export function recordAt(spot: Spot, key: string): Spot | undefined {
  return typed(spot, key, 'an object', isRecord);
}

/** The items; none if absent. */
export function listAt(spot: Spot, key: string): Spot[] {
  return children(typed(spot, key, 'a list', Array.isArray)).map(([, item]) => item);
}

/** The items of a list of texts; none if absent. Other items are ignored. */
export function textsAt(spot: Spot, key: string): string[] {
  return listAt(spot, key).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}

function typed(spot: Spot, key: string, type: string, fits: (value: unknown) => boolean): Spot | undefined {
  const member = child(spot, key);
  if (!member || member.value === undefined || fits(member.value)) return member;
  return addWarning(member, `"${key}" must be ${type}, not ${describeValue(member.value)}; it is ignored`);
}

/** A value for a message, cut where it is long. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isRecord(value)) return 'an object';
  if (typeof value !== 'string') return String(value);
  return `"${inBrief(value, 60)}"`;
}

/** Compiling goes on after a problem, so that all of them are shown at once. */
export function addProblem(spot: Spot, message: string): undefined {
  spot.document.problems.push(spot.file.problemAt(spot.path, message));
}

/** Says what is against the specification, and how it is read all the same. */
export function addWarning(spot: Spot, message: string): undefined {
  spot.document.warnings.push(spot.file.problemAt(spot.path, message));
}
