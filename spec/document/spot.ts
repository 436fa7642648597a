import type { Document } from './document.ts';
import type { SourceFile } from './source-file.ts';

/** A value of the document, and where it stands. */
export interface Spot {
  readonly document: Document;
  readonly file: SourceFile;
  /** The members and indices that lead to it from the file's root (the tokens of RFC 6901). */
  readonly path: readonly string[];
  readonly value: unknown;
}

/** A place to show to people: file (or URL) and line, counted from 1. */
export interface Place {
  readonly uri: string;
  readonly line: number;
  readonly column: number;
}

export function placeOf(spot: Spot): Place {
  return { uri: spot.file.uri, ...spot.file.positionOf(spot.path) };
}

/** `spec/openapi.yaml:41` */
export function showPlace(place: Place): string {
  return `${place.uri}:${place.line}`;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member as it is written, a `$ref` not followed. */
export function rawChild(spot: Spot, key: string): Spot | undefined {
  if (typeof spot.value !== 'object' || spot.value === null || !Object.hasOwn(spot.value, key))
    return undefined;
  return { ...spot, path: [...spot.path, key], value: (spot.value as Record<string, unknown>)[key] };
}

/** The member, with Reference Objects followed to what they name. */
export function child(spot: Spot, key: string): Spot | undefined {
  const found = rawChild(spot, key);
  return found && follow(found);
}

export function childAt(spot: Spot, ...path: string[]): Spot | undefined {
  let found: Spot | undefined = spot;
  for (const key of path) found = found && child(found, key);
  return found;
}

/** Members of a record or items of a list, references followed. What cannot be resolved is left out: a problem says so. */
export function children(spot: Spot): [string, Spot][] {
  if (typeof spot.value !== 'object' || spot.value === null) return [];
  return Object.keys(spot.value).flatMap((key): [string, Spot][] => {
    const found = child(spot, key);
    return found ? [[key, found]] : [];
  });
}

/** What a Reference Object names, through any number of files; anything else is itself. */
export function follow(spot: Spot): Spot | undefined {
  const seen = new Set<unknown>();
  let here: Spot | undefined = spot;
  while (here && isReference(here.value)) {
    if (seen.has(here.value)) return complain(spot, `the $ref "${here.value.$ref}" leads back to itself`);
    seen.add(here.value);
    here = here.document.resolve(here);
  }
  return here;
}

export function isReference(value: unknown): value is { $ref: string } {
  return isRecord(value) && typeof value.$ref === 'string';
}

/** Notes a problem of the document; compiling goes on, so that all of them are shown at once. */
export function complain(spot: Spot, message: string): undefined {
  spot.document.problems.push(spot.file.problemAt(spot.path, message));
}

/** The member's text, number or flag; a member of another type is a problem. */
export function textAt(spot: Spot, key: string): string | undefined {
  return typed(spot, key, 'a string', (value) => typeof value === 'string') as string | undefined;
}

export function flagAt(spot: Spot, key: string): boolean {
  return (
    (typed(spot, key, 'true or false', (value) => typeof value === 'boolean') as boolean | undefined) ?? false
  );
}

export function recordAt(spot: Spot, key: string): Spot | undefined {
  const found = child(spot, key);
  if (found && !isRecord(found.value))
    return complain(found, `"${key}" must be an object, not ${named(found.value)}`);
  return found;
}

export function listAt(spot: Spot, key: string): Spot[] {
  const found = child(spot, key);
  if (!found) return [];
  if (!Array.isArray(found.value)) {
    complain(found, `"${key}" must be a list, not ${named(found.value)}`);
    return [];
  }
  return children(found).map(([, item]) => item);
}

function typed(spot: Spot, key: string, wanted: string, fits: (value: unknown) => boolean): unknown {
  const found = child(spot, key);
  if (!found || found.value === undefined) return undefined;
  return fits(found.value)
    ? found.value
    : complain(found, `"${key}" must be ${wanted}, not ${named(found.value)}`);
}

export function named(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string'
    ? `"${value.slice(0, SHOWN)}${value.length > SHOWN ? '…' : ''}"`
    : String(value);
}

/** So much of a text is enough to know it again. */
const SHOWN = 60;
