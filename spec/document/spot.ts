import { inBrief } from '../json/in-brief.ts';
import { isRecord } from '../json/json-value.ts';
import type { Problem, SourceFile } from './source-file.ts';

/** An OpenAPI document with all files that it refers to. */
export interface Document {
  readonly root: Spot;
  /** By absolute URL (`file:` or `http(s):`). */
  readonly files: ReadonlyMap<string, SourceFile>;
  /** Errors that refuse the document, collected while it is compiled. */
  readonly problems: Problem[];
  /** Violations of the specification that leave the rest of the document usable, collected likewise. */
  readonly warnings: Problem[];
  /** Changes that make the document usable. */
  readonly repairs: Repair[];
  /** The objects and lists that contain a repair at any depth. */
  readonly rebuilt: ReadonlySet<unknown>;
  /** A new document with these files replaced, and no problems collected yet. */
  withFiles(changed: ReadonlyMap<SourceFile, SourceFile>, rebuilt?: ReadonlySet<unknown>): Document;
  /** The base URI of references at a place: that of the file, or of an `$id` or `$self`. */
  baseOf(place: Pick<Spot, 'file' | 'path'>): string;
  /** The target of the Reference Object at this spot, or the reason why it has none. */
  follow(reference: Spot): Spot | string;
  /**
   * The content that the `externalValue` at this spot, of an Example Object, refers to: text, or bytes that are not
   * UTF-8. Undefined: it was not read.
   */
  external(value: Spot): string | Uint8Array | undefined;
  /** The target of a reference; undefined if it has none: the contract then omits what needs it. */
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

/** A replacement for a part of a document, made while reading it. */
export interface Repair {
  readonly spot: Spot;
  /** The replacing value; undefined removes the member. */
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

/** The source position of an item, or of a member's key. */
export function placeOf(spot: Spot): Place {
  return spot.file.positionOf(spot.path);
}

/** A source position as text, for example `spec/openapi.yaml:41`. */
export function showPlace(place: Place): string {
  return `${place.uri}:${place.line}`;
}

/** The member or item, without following a `$ref`; undefined if there is none. */
export function rawChild(spot: Spot, key: string): Spot | undefined {
  const { value } = spot;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return { ...spot, path: [...spot.path, key], value: (value as Record<string, unknown>)[key] };
}

/** All members or items, without following a `$ref`. */
export function rawChildren(spot: Spot | undefined): [string, Spot][] {
  if (typeof spot?.value !== 'object' || spot.value === null) return [];
  return Object.keys(spot.value).map((key) => [key, rawChild(spot, key) as Spot]);
}

/** The member, dereferenced. */
export function child(spot: Spot, key: string): Spot | undefined {
  const member = rawChild(spot, key);
  return member && dereference(member);
}

/** All members or items, dereferenced, without those whose reference has no target. */
export function children(spot: Spot | undefined): [string, Spot][] {
  return rawChildren(spot).flatMap(([key, member]): [string, Spot][] => {
    const target = dereference(member);
    return target ? [[key, target]] : [];
  });
}

/** The target of a Reference Object, after any number of further ones; any other value stays. */
export function dereference(spot: Spot): Spot | undefined {
  // Shortcut: most values are no references.
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

/** Whether siblings of a `$ref` are ignored, as in OpenAPI 3.0; in 3.1 (JSON Schema 2020-12) they apply. */
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

/** The dereferenced member if it is a text. These functions warn of a member of another type, and ignore it. */
export function textAt(spot: Spot, key: string): string | undefined {
  return typed(spot, key, 'a string', (value) => typeof value === 'string')?.value as string | undefined;
}

/** False if the member is missing. */
export function flagAt(spot: Spot, key: string): boolean {
  return typed(spot, key, 'true or false', (value) => typeof value === 'boolean')?.value === true;
}

export function recordAt(spot: Spot, key: string): Spot | undefined {
  return typed(spot, key, 'an object', isRecord);
}

/** The items of a list; none if it is missing. */
export function listAt(spot: Spot, key: string): Spot[] {
  return children(typed(spot, key, 'a list', Array.isArray)).map(([, item]) => item);
}

/** The items of a list of texts; none if it is missing. Other items are ignored. */
export function textsAt(spot: Spot, key: string): string[] {
  return listAt(spot, key).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}

function typed(spot: Spot, key: string, type: string, fits: (value: unknown) => boolean): Spot | undefined {
  const member = child(spot, key);
  if (!member || member.value === undefined || fits(member.value)) return member;
  return addWarning(member, `"${key}" must be ${type}, not ${describeValue(member.value)}; it is ignored`);
}

/** A value for a message, shortened if needed. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isRecord(value)) return 'an object';
  if (typeof value !== 'string') return String(value);
  return `"${inBrief(value, 60)}"`;
}

/** Adds an error. Compiling continues, so that all errors are reported at once. */
export function addProblem(spot: Spot, message: string): undefined {
  spot.document.problems.push(spot.file.problemAt(spot.path, message));
}

/** Reports a violation of the specification, and how the document is read despite it. */
export function addWarning(spot: Spot, message: string): undefined {
  spot.document.warnings.push(spot.file.problemAt(spot.path, message));
}
