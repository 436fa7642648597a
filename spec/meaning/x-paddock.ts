import { isHttp } from '../document/source-file.ts';
import { addProblem, placeOf, rawChild, rawChildren, type Spot, showPlace } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import type { Shape } from '../schema/shape.ts';
import { type Form, nameless, object } from './forms.ts';
import { DOES, type Does, OPERATION, RECORD, roleKeys } from './keys.ts';
import type { CollectionMeaning, OperationMeaning, UniqueMeaning } from './meaning.ts';

/** The key of facts in a document or an overlay that are said. */
export const SAID = 'x-paddock';
/** The key of inferred facts, which are written for people and never read. */
export const GUESSED = 'x-paddock-guess';

/** The form of `x-paddock` at an operation or a path, and at the schema of a record. */
export const SAID_FORMS = {
  // Keys of records at an operation count for the operation's collection only.
  operation: object({ ...roleKeys(), ...OPERATION, ...RECORD }),
  record: object(RECORD),
} as const satisfies Record<string, Form<unknown>>;

/** The facts that `x-paddock` says, and where. */
export interface Said<Facts> {
  readonly facts: Facts;
  /** Undefined: it says nothing. */
  readonly spot: Spot | undefined;
  /** All places that say facts, the last one first. */
  readonly spots: readonly Spot[];
  /** The place of a fact. */
  readonly at: (...path: readonly string[]) => Spot | undefined;
  /** The role that a later overlay replaces, and its place: `list, openapi.yaml:12`. */
  readonly insteadOf?: string;
}

export type SaidOfOperation = Said<Partial<OperationMeaning & Pick<CollectionMeaning, 'unique'>>>;
export type SaidOfRecord = Said<Partial<CollectionMeaning>>;

export const NOTHING_SAID: Said<Record<string, never>> = {
  facts: {},
  spot: undefined,
  spots: [],
  at: () => undefined,
};

/** What `x-paddock` says of an operation; at a Path Item Object it counts for all operations there. */
export function saidOfOperation(item: Spot, operation: Spot): SaidOfOperation {
  for (const spot of [item, operation]) refuseOldKeys(spot);
  const spots = [operation, item].flatMap((spot) => read(spot, 'operation') ?? []);
  const roles = new Map(spots.map((spot) => [spot, roleOf(spot)]));
  const said = gather(spots, (spot) => operationFacts(spot.value as RawFacts, roles.get(spot)?.does));
  const insteadOf = [...roles.values()].find((role) => role?.insteadOf)?.insteadOf;
  return { ...said, facts: withoutForeignSafe(said), ...(insteadOf !== undefined && { insteadOf }) };
}

/** What `x-paddock` says of a record at its schema. */
export const saidOfRecord = (shape: Shape): SaidOfRecord => saidAt(shape.spot.value as object, shape);

const saidAt = oncePer((_: object, shape: Shape): SaidOfRecord => {
  refuseOldMarks(shape);
  const spots = shape.parts.flatMap((part) => read(part, 'record') ?? []);
  return gather(spots, ({ value }) => recordFacts(value as RawFacts));
});

/** What `x-paddock` says of records: at operations, which counts for their collection only, or at the schema. */
export function saidOfCollection({ shape, actions }: Collection): SaidOfRecord {
  const record = saidOfRecord(shape);
  const facts = Object.values(actions).flatMap((operation) => {
    const { said = NOTHING_SAID } = operation ?? {};
    return Object.entries(said.facts).flatMap(([key, fact]) => (key in RECORD ? [{ key, fact, said }] : []));
  });
  const saying = (key: string | undefined) => facts.find((fact) => fact.key === key)?.said ?? record;
  return facts.length === 0
    ? record
    : {
        ...record,
        facts: { ...record.facts, ...Object.fromEntries(facts.map(({ key, fact }) => [key, fact])) },
        at: (...path) => saying(path[0]).at(...path),
      };
}

interface Collection {
  readonly shape: Shape;
  readonly actions: Readonly<Partial<Record<string, { readonly said: SaidOfOperation }>>>;
}

type RawFacts = Readonly<Record<string, unknown>>;

/** @param spots the first one wins */
function gather<Facts extends object>(spots: readonly Spot[], factsIn: (spot: Spot) => Facts): Said<Facts> {
  const [spot] = spots;
  if (!spot) return NOTHING_SAID as Said<never>;
  return {
    spot,
    spots,
    facts: Object.assign({}, ...spots.toReversed().map(factsIn)),
    at: (...path) => spots.flatMap((one) => spotAt(one, path) ?? [])[0] ?? spot,
  };
}

/** `{ list: /pets }` is short for `{ does: list, of: /pets }`. */
function operationFacts(raw: RawFacts, does: Does | undefined): Partial<OperationMeaning> {
  const others = Object.entries(recordFacts(raw)).filter(
    ([key]) => !(DOES as readonly string[]).includes(key),
  );
  const of = does === undefined || raw[does] === true ? raw.of : raw[does];
  return Object.fromEntries([
    ...others,
    ...(does === undefined ? [] : [['does', does]]),
    ...(typeof of === 'string' ? [['of', asPath(of)]] : []),
  ]);
}

/** The path of a collection, also if it is written without the first slash. */
export const asPath = (name: string) => (name.startsWith('/') ? name : `/${name}`);

function recordFacts(raw: RawFacts): Partial<CollectionMeaning> {
  const { unique, ...others } = raw;
  if (!Array.isArray(unique)) return others;
  const keys = unique.map(
    (one): UniqueMeaning => (isRecord(one) ? (one as never) : { members: [one].flat() }),
  );
  return { ...others, unique: keys };
}

/** Whether a remote document says what an operation works on: it never widens what may be sent. */
export function isSaidElsewhere({ facts, at }: SaidOfOperation): boolean {
  return (['does', 'of', 'path'] as const).some((key) => {
    const spot = facts[key] === undefined ? undefined : at(key === 'does' ? (facts.does ?? key) : key);
    return spot !== undefined && isElsewhere(spot);
  });
}

const isElsewhere = (spot: Spot) => isHttp(placeOf(spot).uri);

/** The facts without `safe` where a remote document says it: that never widens what may be sent. */
function withoutForeignSafe({ facts, at }: SaidOfOperation): Partial<OperationMeaning> {
  const spot = at('safe');
  if (facts.safe !== true || !spot || !isElsewhere(spot)) return facts;
  const { safe: _, ...others } = facts;
  return others;
}

/** The facts that were read as `x-paddock`. */
const READ = new WeakSet<object>();

export const isReadFact = (value: object): boolean => READ.has(value);

/** The value of `x-paddock` if it has the right form; else its faults are added to the document's problems. */
function read(spot: Spot, kind: keyof typeof SAID_FORMS): Spot | undefined {
  const said = rawChild(spot, SAID);
  if (!said) return undefined;
  if (isRecord(said.value)) READ.add(said.value);
  let isRight = true;
  const wrong = (at: Spot, message: string) => {
    isRight = false;
    const name = at.path.slice(at.path.lastIndexOf(SAID)).join('.');
    addProblem(at, `"${name}" ${message}`);
  };
  SAID_FORMS[kind].read(said, { ...nameless, wrong });
  const roles = kind === 'operation' ? rolesIn(said).filter(({ age }, _, [last]) => age === last?.age) : [];
  if (roles.length > 1)
    wrong(said, `says two things at once: ${roles.map(({ does }) => does).join(' and ')}; leave one`);
  return isRight ? said : undefined;
}

/** The roles that are said, the latest overlay's first; `age`: the number of later files. */
function rolesIn(said: Spot): { does: Does; age: number; spot: Spot }[] {
  const files = [...(said.file.overlays ?? [])].reverse().map(({ uri }) => uri);
  return DOES.flatMap((does) => {
    const spot = rawChild(said, does);
    const index = spot ? files.indexOf(placeOf(spot).uri) : 0;
    return spot ? [{ does, spot, age: index < 0 ? files.length : index }] : [];
  }).sort((a, b) => a.age - b.age);
}

/** The role that counts: an overlay overrides the document, and a later overlay an earlier one. */
function roleOf(said: Spot): { does: Does; insteadOf: string | undefined } | undefined {
  const [last, before] = rolesIn(said);
  const insteadOf = before && `${before.does}, ${showPlace(placeOf(before.spot))}`;
  return last && { does: last.does, insteadOf };
}

function spotAt(spot: Spot, path: readonly string[]): Spot | undefined {
  return path.reduce<Spot | undefined>((here, key) => here && rawChild(here, key), spot);
}

/** Keys of earlier versions, and what replaces them. */
const OLD_KEYS: Readonly<Record<string, string>> = {
  'x-paddock-resource': '{ of: /pets }, or { none: true } in place of false',
  'x-paddock-action': 'the role as a key, such as { view: /pets }',
  'x-paddock-sets': '{ sets: { status: sold } }',
  'x-paddock-safe': '{ safe: true }',
};

function refuseOldKeys(spot: Spot): void {
  for (const [key, member] of rawChildren(spot)) {
    const now = key.startsWith('x-paddock-') ? OLD_KEYS[key] : undefined;
    if (now !== undefined) addProblem(member, `"${key}" is no longer read; write "${SAID}": ${now}`);
  }
}

/** @param shape the schema of a record */
function refuseOldMarks(shape: Shape): void {
  for (const [name, member] of shape.properties) {
    const mark = member.find('x-unique');
    if (mark)
      addProblem(
        mark.spot,
        `"x-unique" is no longer read; write "${SAID}": { unique: [${name}] } at the schema of the record`,
      );
  }
}
