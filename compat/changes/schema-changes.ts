import { isEqual, type JsonType, Shape, type Spot } from '#spec';
import { areSame } from '../same-schema.ts';
import {
  allowsNull,
  byType,
  covers,
  type Form,
  formOf,
  isNever,
  keyOfForm,
  mixes,
  typesOf,
  typeText,
  variantsOf,
} from './forms.ts';
import { enumChanges, limitChanges, remarkChanges, wholeChanges } from './keyword-changes.ts';
import { createMemberComparison } from './member-changes.ts';
import { type Direction, RULES, type RuleName } from './rules.ts';
import { brief, changeOf, type SchemaChange } from './schema-change.ts';
import { type ItemNames, itemNamesOf, nodeChanges, rootChanges, rootNames } from './xml-changes.ts';

/** The differences between the schemas of a value, at the value and below. */
export interface Level {
  readonly old: Form;
  readonly new: Form;
  readonly written: Written;
  readonly changes: SchemaChange[];
  readonly below: { readonly step: string; readonly level: Level }[];
}

export type CompareSchemas = (old: Spot, next: Spot, wire: Wire) => Level;

/**
 * How values are encoded. In `text`, such as a query, any value is a string, and there is no null; in `xml`, texts are in
 * named elements; the members of a `form` are texts, and nested objects JSON.
 */
export type Wire = 'json' | 'text' | 'form' | 'xml';

/** The encoding at a place. */
interface Written {
  readonly wire: Wire;
  /** For XML, the element names of a list's items. */
  readonly names?: ItemNames;
}

/** People write no deeper schemas. */
const MAX_DEPTH = 80;

/** Compares schemas in one direction. Each pair of schemas is compared once, however many lead to it. */
export function createSchemaComparison(direction: Direction, deprecationDays = 0): CompareSchemas {
  const levels = new Map<string, Level>();
  const compareMembers = createMemberComparison(direction, descend);
  let depth = 0;

  /** Whether a change here or below is breaking. */
  function isBreaking(level: Level, seen = new Set<Level>()): boolean {
    if (seen.has(level)) return false;
    seen.add(level);
    return (
      level.changes.some((change) => RULES[change.rule][direction] === 'breaking') ||
      level.below.some(({ level: inner }) => isBreaking(inner, seen))
    );
  }

  function compare(old: Form, next: Form, written: Written): Level {
    const key = [keyOfForm(old), keyOfForm(next), written.wire, ...(written.names ?? [])].join(' ');
    const before = levels.get(key);
    if (before) return before;
    const level: Level = { old, new: next, written, changes: [], below: [] };
    levels.set(key, level);
    if (depth > MAX_DEPTH) return level;
    if (old.nullable === next.nullable && areSameForms(old, next)) return level;
    depth += 1;
    let [mine, theirs] = [variantsOf(old), variantsOf(next)];
    if (mine.length !== theirs.length)
      [mine, theirs] = [
        mine.length === 1 ? mine.flatMap(byType) : mine,
        theirs.length === 1 ? theirs.flatMap(byType) : theirs,
      ];
    const [one, other] = [mine[0], theirs[0]];
    if (mine.length > 1 || theirs.length > 1) compareVariants(level, mine, theirs);
    else if (one && other && (one !== old || other !== next)) addLevel(level, compare(one, other, written));
    else compareValues(level);
    depth -= 1;
    return level;
  }

  /** A variant belongs to the same value. */
  function addLevel(level: Level, inner: Level): void {
    level.below.push({ step: '', level: inner });
  }

  function compareVariants(level: Level, mine: readonly Form[], theirs: readonly Form[]): void {
    level.changes.push(...wholeChanges(level.old, level.new, [['discriminator', 'discriminator']]));
    const [open, free] = [new Set(mine), new Set(theirs)];
    const pairs: [Form, Form][] = [];
    const take = (one: Form, other: Form) => {
      pairs.push([one, other]);
      open.delete(one);
      free.delete(other);
    };
    const fits = (one: Form, other: Form) => !isBreaking(compare(one, other, level.written));
    for (const isTwin of [
      (one: Form, other: Form) => one.names.length > 0 && one.names.join(' ') === other.names.join(' '),
      (one: Form, other: Form) => one.names.some((name) => other.names.includes(name)),
      areSameForms,
      fits,
    ])
      for (const form of [...open]) {
        const other = [...free].find((candidate) => isTwin(form, candidate));
        if (other) take(form, other);
      }
    // If one variant remains on each side, it may be written differently.
    const [left, right] = [[...open], [...free]];
    if (
      left.length > 0 &&
      right.length > 0 &&
      (left.length === right.length || mine.length === 1 || theirs.length === 1)
    )
      for (const [index, form] of left.entries()) {
        const other = right[index];
        if (other && shareTypes(form, other)) take(form, other);
      }
    for (const [one, other] of pairs) {
      const inner = compare(one, other, level.written);
      if (!isBreaking(inner) || !isCovered(one, other)) addLevel(level, inner);
    }
    const say = (form: Form) => form.names[0] ?? typeText(form);
    for (const form of open)
      if (direction === 'response' || !theirs.some((other) => fits(form, other)))
        level.changes.push({
          rule: 'variant-removed',
          from: say(form),
          to: '',
          old: form.shape.spot,
          new: level.new.shape.spot,
        });
    for (const form of free)
      if (direction === 'request' || !mine.some((one) => fits(one, form)))
        level.changes.push({
          rule: 'variant-added',
          from: '',
          to: say(form),
          old: level.old.shape.spot,
          new: form.shape.spot,
        });

    /** Another variant may accept what one no longer does, such as a variant for any value. */
    function isCovered(one: Form, other: Form): boolean {
      return direction === 'request'
        ? theirs.some((another) => another !== other && fits(one, another))
        : mine.some((another) => another !== one && fits(another, other));
    }
  }

  function shareTypes(one: Form, other: Form): boolean {
    const [mine, theirs] = [typesOf(one), typesOf(other)];
    return !mine || !theirs || [...mine].some((type) => theirs.has(type));
  }

  function compareValues(level: Level): void {
    const { old, new: next, written } = level;
    const isText = written.wire === 'text' || written.wire === 'xml';
    const say = (rule: RuleName) => {
      const [from, to] = [old, next].map((form) => (isNever(form) ? 'nothing' : typeText(form)));
      level.changes.push(changeOf(rule, level, 'type', from, to));
    };
    if (isNever(old) !== isNever(next)) {
      say(isNever(next) ? 'type-narrowed' : 'type-widened');
      return;
    }
    const [mine, theirs] = [typesOf(old), typesOf(next)].map((types) => (isText ? asTexts(types) : types));
    const [keeps, adds] = [covers(theirs, mine), covers(mine, theirs)];
    if (!keeps || !adds) say(keeps ? 'type-widened' : adds ? 'type-narrowed' : 'type-changed');
    else if (written.wire !== 'text' && allowsNull(old) !== allowsNull(next) && mine && theirs)
      say(allowsNull(next) ? 'became-nullable' : 'became-not-nullable');
    // Keywords for texts apply to everything that is sent as text.
    const isOfTexts = isText && (mine?.has('string') || theirs?.has('string'));
    const shared = (type: JsonType) =>
      (isOfTexts && type === 'string') || ((!mine || mine.has(type)) && (!theirs || theirs.has(type)));
    if (!keeps && !adds && mine && theirs && ![...mine].some((type) => theirs.has(type))) return;
    level.changes.push(
      ...enumChanges(old, next),
      ...limitChanges(
        old,
        next,
        (type) => shared(type) || (type === 'number' && (shared('integer') || mixes(mine, theirs))),
      ),
      ...wholeChanges(old, next),
    );
    if (shared('object')) compareMembers(level);
    if (shared('array')) compareItems(level);
    level.changes.push(...remarkChanges(old, next, deprecationDays));
  }

  function compareItems(level: Level): void {
    const { old, new: next } = level;
    const [before, after] = [itemsOf(old), itemsOf(next)];
    if (before.rest && after.rest) {
      if (before.rest.value !== false || after.rest.value !== false)
        descend(level, '[]', Shape.of(before.all), Shape.of(after.all));
    } else if (before.rest || after.rest)
      level.changes.push(
        changeOf(
          after.rest ? 'items-added' : 'items-removed',
          level,
          'items',
          before.rest && brief(before.rest.value),
          after.rest && brief(after.rest.value),
        ),
      );
    const [mine, theirs] = [old.shape.prefixItems, next.shape.prefixItems];
    const isClosed = before.rest?.value === false && after.rest?.value === false;
    for (let index = 0; index < Math.max(mine.length, theirs.length); index++) {
      const [one, other] = [mine[index], theirs[index]];
      if (one && other) descend(level, `[${index}]`, one, other);
      else
        level.changes.push(
          changeOf(
            // Without further items, an additional one is newly allowed.
            Boolean(other) !== isClosed ? 'prefix-items-added' : 'prefix-items-removed',
            level,
            'prefixItems',
            String(mine.length),
            String(theirs.length),
          ),
        );
    }
  }

  function descend(level: Level, step: string, old: Shape, next: Shape): void {
    level.below.push({ step, level: compare(formOf(old), formOf(next), below(level, step, old, next)) });
  }

  /** The encoding of a member or item. */
  function below({ written, changes }: Level, step: string, old: Shape, next: Shape): Written {
    if (written.wire === 'form') return { wire: isNested(old) || isNested(next) ? 'json' : 'text' };
    if (written.wire !== 'xml') return written;
    const names: ItemNames = step.startsWith('[') && written.names ? written.names : [step, step];
    changes.push(...nodeChanges(old, next, step, names));
    return { wire: 'xml', names: itemNamesOf(old, next, names) };
  }

  return (old, next, wire) => {
    const [one, other] = [Shape.of([old]), Shape.of([next])];
    if (wire !== 'xml') return compare(formOf(one), formOf(other), { wire });
    const level = compare(formOf(one), formOf(other), { wire, names: rootNames(one, other) });
    const changes = rootChanges(one, other);
    return changes.length === 0 ? level : { ...level, changes: [...changes, ...level.changes] };
  };
}

/** In a text encoding, a string may be any scalar. */
function asTexts(types: ReadonlySet<JsonType> | undefined): ReadonlySet<JsonType> | undefined {
  return types?.has('string') ? new Set<JsonType>([...types, 'boolean', 'integer', 'number']) : types;
}

/** In a form, nested values are JSON. */
function isNested({ mainType, items }: Shape): boolean {
  return mainType === 'object' || items?.mainType === 'object' || items?.mainType === 'array';
}

function areSameForms(one: Form, other: Form): boolean {
  return isEqual(one.only, other.only) && areSame(one.shape.parts, other.shape.parts);
}

function itemsOf({ shape }: Form): { rest: Spot | undefined; all: readonly Spot[] } {
  const all = shape.all('items').map(({ spot }) => spot);
  return { rest: all[0], all };
}
