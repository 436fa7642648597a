import {
  type Contract,
  hasType,
  isRecord,
  type Operation,
  oncePer,
  parseFragment,
  placeOf,
  rawChild,
  rawChildren,
  Shape,
  type Spot,
} from '#spec';
import { impliedTypes } from './changes/forms.ts';

/** The members that the schemas of a value describe, in all of their branches. */
export interface Members {
  /** The schemas of each named member. */
  readonly named: ReadonlyMap<string, readonly Spot[]>;
  /** The schemas of all other members and items. */
  readonly others: readonly Spot[];
  /** The required members. */
  readonly required: ReadonlySet<unknown>;
  /** Whether unnamed members are documented, too. */
  readonly isOpen: boolean;
  /** Whether some or all unnamed members are rejected. */
  readonly isClosed: boolean;
}

const BRANCHES = ['oneOf', 'anyOf', 'allOf'];
const CONDITIONS = ['if', 'then', 'else', 'not'];
/** What they allow is documented; their absence documents nothing. */
const OPEN = new Set(['additionalProperties', 'unevaluatedProperties']);
const OTHERS = ['additionalProperties', 'items', 'unevaluatedProperties', 'unevaluatedItems', 'contains'];

/** For members without a description: always the same list, so that recursion ends. */
const NONE: readonly Spot[] = [];

/** Caches members by Schema Objects, so that recursive schemas have the same lists and recursion ends. */
const alikeBy = oncePer(
  (_: object): { readonly schemas: readonly Spot[]; readonly members: Members }[] => [],
);

/**
 * Cached, as each tried value needs it.
 * @param schemas of the same value
 */
export const membersOf = oncePer((schemas: readonly Spot[]): Members => {
  const first = schemas[0]?.value;
  if (typeof first !== 'object' || first === null) return readMembers(schemas);
  const alike = alikeBy(first);
  const entry = alike.find(
    (one) =>
      one.schemas.length === schemas.length &&
      one.schemas.every(({ value }, index) => value === schemas[index]?.value),
  );
  if (entry) return entry.members;
  const members = readMembers(schemas);
  alike.push({ schemas, members });
  return members;
});

function readMembers(schemas: readonly Spot[]): Members {
  const named = new Map<string, Spot[]>();
  const others: Spot[] = [];
  const required = new Set<unknown>();
  const seen = new Set<unknown>();
  let [isOpen, isClosed] = [false, false];

  function visit(schema: Spot): void {
    for (const part of new Shape([schema]).parts) {
      if (seen.has(part.value) || !isRecord(part.value)) continue;
      seen.add(part.value);
      for (const [name, spot] of rawChildren(rawChild(part, 'properties')))
        named.set(name, [...(named.get(name) ?? []), spot]);
      for (const [, { value }] of rawChildren(rawChild(part, 'required'))) required.add(value);
      for (const keyword of OTHERS) {
        const other = rawChild(part, keyword);
        if (isRecord(other?.value)) others.push(other);
        if (OPEN.has(keyword) && (other?.value === true || isRecord(other?.value))) isOpen = true;
        if (OPEN.has(keyword) && other && other.value !== true) isClosed = true;
      }
      for (const [, spot] of rawChildren(rawChild(part, 'prefixItems'))) others.push(spot);
      for (const [, spot] of rawChildren(rawChild(part, 'patternProperties'))) others.push(spot);
      if (rawChild(part, 'patternProperties') || rawChild(part, 'propertyNames')) isOpen = true;
      if (rawChild(part, 'propertyNames')) isClosed = true;
      for (const keyword of BRANCHES)
        for (const [, spot] of rawChildren(rawChild(part, keyword))) visit(spot);
      for (const [, spot] of rawChildren(rawChild(part, 'dependentSchemas'))) visit(spot);
      for (const keyword of CONDITIONS) {
        const spot = rawChild(part, keyword);
        if (spot) visit(spot);
      }
    }
  }

  for (const schema of schemas) visit(schema);
  // An object without any description may have any member.
  const rest = others.length > 0 ? others : NONE;
  return { named, others: rest, required, isOpen: isOpen || named.size === 0, isClosed };
}

/** The schemas of a member or an item. */
export function schemasAt(schemas: readonly Spot[], step: string): readonly Spot[] {
  const { named, others } = membersOf(schemas);
  return named.get(step) ?? others;
}

/** The schemas of the value at a JSON Pointer's steps, or of the last described ancestor. */
export function schemasAlong(schemas: readonly Spot[], steps: readonly string[]): readonly Spot[] {
  let here = schemas;
  for (const step of steps) {
    const next = schemasAt(here, step);
    if (next.length === 0) return here;
    here = next;
  }
  return here;
}

export function stepsOf(pointer: string): readonly string[] {
  return parseFragment(pointer) ?? [];
}

/**
 * Whether a sender that follows its schema sends such a value: with documented members only, and none that only the other
 * side sends. Clients do not rely on what a schema merely does not forbid.
 * @param sender schemas of the sender
 * @param other schemas of the receiver: a member that only these document is new
 * @param hidden `readOnly` for requests, `writeOnly` for responses
 */
export function isDocumented(
  sender: readonly Spot[],
  other: readonly Spot[],
  value: unknown,
  hidden: 'readOnly' | 'writeOnly',
): boolean {
  if (!impliesType(sender, value)) return false;
  if (Array.isArray(value)) {
    const [items, theirs] = [schemasAt(sender, '0'), schemasAt(other, '0')];
    return value.every((item) => isDocumented(items, theirs, item, hidden));
  }
  if (!isRecord(value)) return true;
  const [mine, theirs] = [membersOf(sender), membersOf(other)];
  return Object.entries(value).every(([name, member]) => {
    const schemas = mine.named.get(name);
    // A request that NEW closes may have had any member.
    if (!schemas) {
      if (mine.required.has(name)) return true;
      return (mine.isOpen || (hidden === 'readOnly' && theirs.isClosed)) && !theirs.named.has(name);
    }
    if (schemas.some((schema) => Shape.of([schema])[hidden])) return false;
    return isDocumented(schemas, theirs.named.get(name) ?? theirs.others, member, hidden);
  });
}

const impliedOf = oncePer((schemas: readonly Spot[]) =>
  schemas.map((schema) => impliedTypes(Shape.of([schema]))),
);

/** A schema with `properties` and without `type` implies an object, though the specification allows any other value. */
function impliesType(schemas: readonly Spot[], value: unknown): boolean {
  const implied = impliedOf(schemas);
  return (
    implied.length === 0 || implied.some((types) => !types || [...types].some((type) => hasType(value, type)))
  );
}

/** Keywords that Paddock may ignore or weaken with a warning. */
const KEYWORDS = [
  '$dynamicRef',
  '$recursiveRef',
  '$ref',
  '$id',
  'type',
  'format',
  'pattern',
  'enum',
  'const',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'discriminator',
  'minimum',
  'maximum',
  'multipleOf',
];

/**
 * Whether all schemas on the way to a value were read completely: where something was ignored, a value that seems valid
 * proves nothing.
 */
export function wasReadWhole(
  contract: Contract,
  schemas: readonly Spot[],
  steps: readonly string[],
): boolean {
  return [...steps.keys(), steps.length].every((count) =>
    isRead(contract, schemasAlong(schemas, steps.slice(0, count))),
  );
}

/** Whether the schemas of all values below were read completely. */
export function wasReadToTheEnd(contract: Contract, schemas: readonly Spot[]): boolean {
  const [waiting, seen] = [[schemas], new Set<unknown>()];
  for (let here = waiting.pop(); here; here = waiting.pop()) {
    // By value, since each path to a schema has its own lists.
    const unseen = here.filter(({ value }) => !seen.has(value));
    if (unseen.length === 0) continue;
    for (const { value } of unseen) seen.add(value);
    if (!isRead(contract, unseen)) return false;
    const { named, others } = membersOf(unseen);
    waiting.push(...named.values(), others);
  }
  return true;
}

function isRead(contract: Contract, schemas: readonly Spot[]): boolean {
  if (contract.warnings.length === 0) return true;
  const odd = oddPlaces(contract);
  if (odd.size === 0) return true;
  const isOdd = (spot: Spot) => {
    const { uri, line, column } = placeOf(spot);
    return odd.has(`${uri}:${line}:${column}`);
  };
  return !new Shape(schemas).parts.some((part) =>
    KEYWORDS.some((keyword) => isOdd({ ...part, path: [...part.path, keyword], value: undefined })),
  );
}

/** The positions of warnings, except that of the whole document, which stands for everything that is missing. */
const oddPlaces = oncePer((contract: Contract): ReadonlySet<string> => {
  const textOf = ({ uri, line, column }: { uri: string; line: number; column: number }) =>
    `${uri}:${line}:${column}`;
  const { root } = contract.document;
  const whole = new Set([root, { ...root, path: ['openapi'] }].map((spot) => textOf(placeOf(spot))));
  return new Set(contract.warnings.map(textOf).filter((place) => !whole.has(place)));
});

/** Whether a record cannot contain what a valid request sends: no service can keep both promises. */
export function isUnstorable(contract: Contract, operation: Operation, body: unknown): boolean {
  const { resources, validators } = contract;
  const record = resources.find(({ actions: { create, replace, update } }) =>
    [create, replace, update].includes(operation),
  )?.shape;
  if (!record || !isRecord(body)) return false;
  return Object.entries(body).some(([name, value]) => {
    const member = record.properties.get(name);
    // A service may add what is missing in a value.
    const isRefused = (part: Spot) =>
      validators
        .compile(
          part,
          'response',
        )(value)
        .some(({ keyword }) => keyword !== 'required');
    return member && !member.readOnly && member.parts.some(isRefused);
  });
}
