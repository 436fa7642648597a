import { parseJson, type Validators } from '#spec';
import type { RecordCollection } from '../../records/collection.ts';
import type { Condition, Contents, Entry, Id, Scalar } from '../../store/port.ts';

/** A collection and its initial records. */
export interface Seeded {
  readonly collection: RecordCollection;
  readonly seeds: Contents;
}

/** A record that does not fit the new document. */
export interface LostRecord {
  /** The path of its collection. */
  readonly path: string;
  readonly id: Id;
  readonly reason: string;
}

export interface CarriedOver {
  /** Undefined: the collection is seeded again, since no client changed it. */
  readonly contents: Contents | undefined;
  readonly lost: readonly LostRecord[];
}

/**
 * Compiles the move of a collection's records to a changed document: seeded ones follow the document, those that
 * clients created or changed stay if they fit it, and those that clients removed stay removed.
 */
export function compileCarryOver(before: Seeded, after: Seeded | undefined, validators: Validators) {
  const { name: path } = before.collection;
  const seedText = new Map(before.seeds.entries.map(({ id, text }) => [id, text]));
  const nextSeed = new Map(after?.seeds.entries.map((entry) => [entry.id, entry]));
  const renew = after
    ? compileRenewal(before.collection, after.collection, validators)
    : () => 'there is no such collection';

  return (contents: Contents): CarriedOver => {
    if (isSame(contents, before.seeds)) return { contents: undefined, lost: [] };
    const lost: LostRecord[] = [];
    const kept = contents.entries.flatMap((entry) => {
      if (seedText.get(entry.id) === entry.text) return nextSeed.get(entry.id) ?? [];
      const next = renew(entry);
      if (typeof next !== 'string') return next;
      lost.push({ path, id: entry.id, reason: next });
      return [];
    });
    const known = new Set([...seedText.keys(), ...kept.map(({ id }) => id)]);
    const fresh = [...nextSeed.values()].filter(({ id }) => !known.has(id));
    const numbered = Math.max(contents.numbered, after?.seeds.numbered ?? 0);
    return { contents: { entries: [...fresh, ...kept], numbered }, lost };
  };
}

function isSame(left: Contents, right: Contents): boolean {
  return (
    left.numbered === right.numbered &&
    left.entries.length === right.entries.length &&
    left.entries.every(({ id, text }, at) => id === right.entries[at]?.id && text === right.entries[at]?.text)
  );
}

/** The record under the new document, or why it does not fit. */
function compileRenewal(before: RecordCollection, after: RecordCollection, validators: Validators) {
  const checks = after.resource.shape.parts.map((part) => validators.compile(part, 'response'));
  const scopeKeys = after.scopeFrom({}).map(({ key }) => key);

  return (entry: Entry): Entry | string => {
    const members = parseJson(entry.text) as Record<string, unknown>;
    const [violation] = checks.flatMap((check) => check(members));
    if (violation) {
      const name = violation.pointer.slice(1).replaceAll('/', '.');
      return `${name || 'the record'} ${violation.expected}`;
    }
    const scope: Condition[] = scopeKeys.map((key) => ({
      key,
      anyOf: [entry.keys[before.keys.indexOf(key)] as Scalar],
    }));
    return after.complete(entry.id, { id: entry.id, members, scope });
  };
}
