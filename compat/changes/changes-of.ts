import { findLeftOut, type Operation, rawChild, rawChildren, type Spot } from '#spec';
import type { Contracts, Pair } from '../pair.ts';
import { isSame } from '../same-schema.ts';
import type { Change, Occurrence } from './change.ts';
import type { SchemaComparisons } from './occurrences.ts';
import { operationChanges } from './operation-changes.ts';
import { type ChangeClass, type Direction, RULES, type RuleName } from './rules.ts';
import { type CompareSchemas, createSchemaComparison } from './schema-changes.ts';
import { securityChanges } from './security-changes.ts';
import { serverChanges } from './server-changes.ts';

/** Classes that a user gives to rules in place of those of the table. */
export interface Severity {
  readonly rules: Readonly<Record<string, ChangeClass>>;
  readonly classes: Readonly<Record<string, ChangeClass>>;
}

/** Every rule has the class of the table. */
export const USUAL: Severity = { rules: {}, classes: {} };

export interface ChangeOptions {
  /** How many days what is deprecated must stay; 0: any number. */
  readonly deprecationDays: number;
  readonly severity: Severity;
}

/** Every change between two documents, each once, with all operations that it concerns; those that break first. */
export function changesOf(
  contracts: Contracts,
  pairs: readonly Pair[],
  { deprecationDays, severity }: ChangeOptions,
): Change[] {
  const comparisons = comparisonsFor(deprecationDays);
  const found = [
    ...pairs.flatMap((pair) => pairChanges(pair, contracts, comparisons)),
    ...addedOperations(contracts, pairs),
    ...serverChanges(contracts, pairs),
    ...documentChanges(contracts),
  ];
  const groups = Map.groupBy(found, identityOf);
  const changes = [...groups.values()].map((group) => merged(group as [Occurrence], severity));
  return breakingFirst(changes);
}

const ORDER: readonly ChangeClass[] = ['breaking', 'warning', 'safe', 'note'];

export function breakingFirst<T extends { readonly class: ChangeClass }>(changes: readonly T[]): T[] {
  return changes.toSorted((one, other) => ORDER.indexOf(one.class) - ORDER.indexOf(other.class));
}

function comparisonsFor(deprecationDays: number): SchemaComparisons {
  const made = new Map<string, CompareSchemas>();
  return {
    deprecationDays,
    of(direction, isText) {
      const key = `${direction} ${isText}`;
      const comparison = made.get(key) ?? createSchemaComparison(direction, isText, deprecationDays);
      made.set(key, comparison);
      return comparison;
    },
  };
}

function pairChanges(pair: Pair, { new: next }: Contracts, comparisons: SchemaComparisons): Occurrence[] {
  const { new: twin } = pair;
  if (twin && pair.isChanged) return operationChanges(pair.old, twin, comparisons);
  // What stands outside of the operation.
  if (twin) return securityChanges(pair.old, twin).map((found) => ({ ...found, operation: pair.old }));
  const paths = rawChild(next.document.root, 'paths') ?? next.document.root;
  const { old } = pair;
  const after = rawChild(paths, old.path) ?? paths;
  const rule = pair.isOver ? 'operation-removed-as-announced' : 'operation-removed';
  const from = pair.isOver
    ? `${old.method} ${old.path}, announced for ${old.sunset}`
    : `${old.method} ${old.path}`;
  return [bare(rule, old, old.spot, after, { from })];
}

function addedOperations({ old, new: next }: Contracts, pairs: readonly Pair[]): Occurrence[] {
  const known = new Set(pairs.map((pair) => pair.new));
  const before = rawChild(old.document.root, 'paths') ?? old.document.root;
  const findUnread = findLeftOut(old);
  return next.operations
    .filter((operation) => !known.has(operation) && !findUnread(operation))
    .map((operation) =>
      bare('operation-added', operation, before, operation.spot, {
        to: `${operation.method} ${operation.path}`,
      }),
    );
}

function documentChanges({ old, new: next }: Contracts): Occurrence[] {
  const found: Occurrence[] = [];
  const [mine, theirs] = [old.document.root, next.document.root];
  for (const name of new Set([...old.securitySchemes, ...next.securitySchemes])) {
    const [one, other] = [mine, theirs].map((root) => schemeAt(root, name));
    if (!isSame(one, other))
      found.push(
        bare('security-scheme-changed', undefined, one ?? mine, other ?? theirs, {
          from: one ? name : '',
          to: other ? name : '',
        }),
      );
  }
  const [before, after] = [webhooksOf(mine), webhooksOf(theirs)];
  for (const [name, spot] of before)
    if (!after.has(name))
      found.push(bare('webhook-removed', undefined, spot, at(theirs, 'webhooks'), { from: name }));
  for (const [name, spot] of after)
    if (!before.has(name))
      found.push(bare('webhook-added', undefined, at(mine, 'webhooks'), spot, { to: name }));
  return found;
}

function at(root: Spot, key: string): Spot {
  return rawChild(root, key) ?? root;
}

function schemeAt(root: Spot, name: string): Spot | undefined {
  return ['components', 'securitySchemes', name].reduce<Spot | undefined>(
    (spot, step) => spot && rawChild(spot, step),
    root,
  );
}

function webhooksOf(root: Spot): Map<string, Spot> {
  return new Map(rawChildren(rawChild(root, 'webhooks')));
}

function bare(
  rule: RuleName,
  operation: Operation | undefined,
  old: Spot,
  next: Spot,
  texts: { from?: string; to?: string },
): Occurrence {
  const nothing = { within: '', steps: [], from: '', to: '' };
  return { ...nothing, rule, direction: 'request', operation, old, new: next, ...texts };
}

/** The same rule at the same places of both documents is one change, whatever leads there. */
function identityOf({ rule, direction, old, new: next, steps, from, to }: Occurrence): string {
  const place = ({ file, path }: Spot) => `${file.uri}#${path.join('/')}`;
  return [rule, direction, place(old), place(next), steps.at(-1), from, to].join('\n');
}

/** The class that a rule has in a direction, unless the user gives it another one. */
function classOf(rule: RuleName, direction: Direction, { rules, classes }: Severity): ChangeClass {
  const usual = RULES[rule][direction];
  return rules[rule] ?? classes[usual] ?? usual;
}

function merged(group: readonly [Occurrence, ...Occurrence[]], severity: Severity): Change {
  const [first] = group.toSorted((one, other) => one.steps.length - other.steps.length) as [Occurrence];
  const { rule, direction, from, to, old, new: next, level, isText = false } = first;
  const operations = [...new Set(group.flatMap(({ operation }) => operation ?? []))];
  return {
    rule,
    class: classOf(rule, direction, severity),
    direction,
    subject: subjectOf(first, group, operations),
    from,
    to,
    operations,
    old,
    new: next,
    reason: RULES[rule].reason,
    sites: group.map(({ operation, within, steps, status }) => ({
      operation,
      within,
      steps,
      ...(status !== undefined && { status }),
    })),
    level,
    isText,
  };
}

const MOST_NAMED = 3;

/** `pages` in the request of addBook and replaceBook. */
function subjectOf(
  first: Occurrence,
  group: readonly Occurrence[],
  operations: readonly Operation[],
): string {
  const names = operations.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = operations.length - names.length;
  const all = more > 0 ? [...names, `${more} more`] : names;
  const named = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : (all[0] ?? '');
  const places = [...new Set(group.map(({ within }) => within))];
  const within =
    places.length > 1 && places.every((one) => /^the [\dd]/.test(one)) ? 'responses' : first.within;
  const what = first.steps.length === 0 ? '' : `\`${pathText(first.steps)}\` in `;
  if (within === '') return named || 'the document';
  return `${what}${within} of ${named}`;
}

/** `items[].pages` */
function pathText(steps: readonly string[]): string {
  return steps.reduce(
    (path, step) => (path === '' || step.startsWith('[') ? path + step : `${path}.${step}`),
    '',
  );
}
