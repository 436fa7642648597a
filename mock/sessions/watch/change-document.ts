import {
  type Contract,
  type Operation,
  once,
  type Problem,
  parseJson,
  placeOf,
  type Resource,
  showPlace,
  stringifyJson,
  violationsOf,
} from '#spec';
import { bundle, compareContracts } from '#whole-document';
import { INTERNAL, type RecordCollection } from '../../records/collection.ts';
import type { Collection, Condition, Contents, Entry, Id, Scalar, Store } from '../../store/port.ts';
import type { ChangedOperation, DroppedRecord, NewChange } from '../document-changes.ts';
import type { Session } from '../session.ts';

/** The collections of a document, and the store of their records. */
export interface StoredService {
  readonly contract: Contract;
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  readonly store: Store;
}

/** Moves all sessions into the store of a new document. Returns the records that no longer fit. */
export async function moveSessions(
  before: StoredService,
  after: StoredService,
  sessions: readonly Session[],
): Promise<DroppedRecord[]> {
  const plans = planMoves(before, after);
  const dropped: DroppedRecord[] = [];
  for (const session of sessions) {
    const target = session.name === '' ? after.store : after.store.fork(session.name);
    dropped.push(...(await moveRecords(plans, session.name, session.store, target)).flat());
    session.store.switchTo(target);
  }
  return dropped;
}

/** Does the same for the main session in an earlier mock's store. Records of removed collections stay in it. */
export async function moveStored(before: StoredService, after: StoredService) {
  const plans = planMoves(before, after);
  const [dropped = [], unserved = []] = await moveRecords(plans, '', before.store, after.store);
  return { dropped, unserved };
}

/** Returns the records that do not fit, and those of removed collections. */
async function moveRecords(
  plans: ReturnType<typeof planMoves>,
  session: string,
  source: Store,
  target: Store,
): Promise<readonly [DroppedRecord[], DroppedRecord[]]> {
  const moved = new Map<Collection, Contents>();
  const lists: [DroppedRecord[], DroppedRecord[]] = [[], []];
  for (const { from, into, carryOver } of plans) {
    if (source.isUnchanged?.(from)) continue;
    const { contents, lost } = (await carryOver())(await source.contents(from));
    if (contents && into) moved.set(into, contents);
    for (const record of lost) lists[into ? 0 : 1].push({ session, ...record });
  }
  for (const internalCollection of INTERNAL)
    moved.set(internalCollection, await source.contents(internalCollection));
  await target.restore(moved);
  const settings = source.settings.get(session);
  if (settings !== undefined) await target.settings.update(session, () => settings);
  return lists;
}

/** The document as JSON text, including everything that it refers to. */
export const asOneFile = ({ document }: Contract): string => stringifyJson(bundle(document));

/** The most records to log: thousands of lines would hide what follows. */
const MOST_NAMED = 200;

/** A line for each record, and one for the number of others. */
export function lostMessages(lost: readonly DroppedRecord[], became = 'was removed'): string[] {
  const lines = lost.slice(0, MOST_NAMED).map(({ session, path, id, reason }) => {
    // Escaped, since clients choose the text and it must not control a terminal.
    const idText = typeof id === 'string' ? JSON.stringify(id) : id;
    return `${session === '' ? '' : `session "${session}": `}${path} ${idText} no longer fits and ${became}: ${reason}`;
  });
  const more = lost.length - lines.length;
  return more > 0 ? [...lines, `${more} further records no longer fit and ${became}`] : lines;
}

/** Seeds are only generated for collections that have records to move, as a large document has thousands. */
function planMoves(before: StoredService, after: StoredService) {
  const next = new Map([...after.collections.values()].map((collection) => [collection.name, collection]));
  return [...before.collections.values()].map((from) => {
    const into = next.get(from.name);
    const carryOver = once(async () => {
      const old = { collection: from, seeds: await seedsOf(before.store, from) };
      const fresh = into && { collection: into, seeds: await seedsOf(after.store, into) };
      return compileCarryOver(old, fresh);
    });
    return { from, into, carryOver };
  });
}

/** A name that no client's session can have. */
const UNUSED_NAME = '?';

async function seedsOf(store: Store, collection: Collection): Promise<Contents> {
  const untouched = store.fork(UNUSED_NAME);
  const contents = await untouched.contents(collection);
  await untouched.close();
  return contents;
}

interface Seeded {
  readonly collection: RecordCollection;
  readonly seeds: Contents;
}

interface LostRecord {
  readonly path: string;
  readonly id: Id;
  readonly reason: string;
}

interface CarriedOver {
  /** Undefined: the collection is seeded again, since no client has changed it. */
  readonly contents: Contents | undefined;
  readonly lost: readonly LostRecord[];
}

/**
 * Compiles the move of a collection's records to a changed document: seeded ones follow the document, those that
 * clients created or changed stay if they fit it, and those that clients removed stay removed.
 */
function compileCarryOver(before: Seeded, after: Seeded | undefined) {
  const { name: path } = before.collection;
  const seedText = new Map(before.seeds.entries.map(({ id, text }) => [id, text]));
  const nextSeed = new Map(after?.seeds.entries.map((entry) => [entry.id, entry]));
  const renew = after
    ? compileRenewal(before.collection, after.collection)
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
    const ids = new Set([...seedText.keys(), ...kept.map(({ id }) => id)]);
    const fresh = [...nextSeed.values()].filter(({ id }) => !ids.has(id));
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
function compileRenewal(before: RecordCollection, after: RecordCollection) {
  const scopeKeys = after.scopeFrom({}).map(({ key }) => key);

  return (entry: Entry): Entry | string => {
    const members = parseJson(entry.text) as Record<string, unknown>;
    const [violation] = violationsOf(after.resource.shape, members);
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

/** The notification of sessions when another document is served. */
export function describeChange(before: Contract, after: Contract): NewChange {
  const { added, removed, changed } = compareContracts(before, after);
  return {
    ...unchanged('changed', after),
    added: added.map((operation) => describe(operation)),
    removed: removed.map((operation) => describe(operation)),
    changed: changed.map(({ operation, parts }) => describe(operation, parts)),
  };
}

/** A refused document, or one that equals the served one again. */
export function describeRefusal(served: Contract, problems: readonly Problem[]): NewChange {
  const kind = problems.length > 0 ? 'refused' : 'restored';
  return { ...unchanged(kind, served), problems: problems.map(withoutLongSource) };
}

/** A minified document has one line. */
const LONGEST_SOURCE = 300;

function withoutLongSource({ source = '', ...problem }: Problem): Problem {
  return source.length > LONGEST_SOURCE ? problem : { ...problem, source };
}

function unchanged(kind: NewChange['kind'], { title, version }: Contract): NewChange {
  return { kind, title, version, added: [], removed: [], changed: [], problems: [] };
}

function describe({ id, method, path, spot }: Operation, parts: readonly string[] = []): ChangedOperation {
  return { id, method, path, at: showPlace(placeOf(spot)), parts };
}
