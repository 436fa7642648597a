import { isEqual, isRecord, type JsonType, rawChildren, Shape, type Spot, stringifyJson } from '#spec';
import { areSame } from '../same-schema.ts';
import { extensionsOf } from './extensions.ts';
import {
  allowsNull,
  byType,
  type Form,
  formOf,
  isNever,
  isOfTag,
  keyOfForm,
  typesOf,
  valuesOf,
  variantsOf,
} from './forms.ts';
import { type Lifecycle, lifecycleChanges } from './lifecycle.ts';
import { limitChanges } from './limits.ts';
import { type Direction, RULES, type RuleName } from './rules.ts';
import { brief, type SchemaChange } from './schema-change.ts';

/** How the schemas of one value differ: in what they say of it, and of the values below. */
export interface Level {
  readonly old: Form;
  readonly new: Form;
  readonly changes: SchemaChange[];
  readonly below: { readonly step: string; readonly level: Level }[];
}

export type CompareSchemas = (old: Spot, next: Spot) => Level;

/** Deeper ones are not written by people. */
const MAX_DEPTH = 80;
const HIDDEN = { request: 'readOnly', response: 'writeOnly' } as const;

/**
 * Compares schemas of values that go in one direction. Each pair of schemas is compared once, however many lead to it.
 * @param isText the values are written as texts, as in a query: a string is any of them, and there is no null
 */
export function createSchemaComparison(
  direction: Direction,
  isText: boolean,
  deprecationDays = 0,
): CompareSchemas {
  const known = new Map<string, Level>();
  const hidden = HIDDEN[direction];
  let depth = 0;

  /** Whether clients notice: something here or below is breaking. */
  function isBreaking(level: Level, seen = new Set<Level>()): boolean {
    if (seen.has(level)) return false;
    seen.add(level);
    return (
      level.changes.some((change) => RULES[change.rule][direction] === 'breaking') ||
      level.below.some(({ level: inner }) => isBreaking(inner, seen))
    );
  }

  function compare(old: Form, next: Form): Level {
    const key = `${keyOfForm(old)} ${keyOfForm(next)}`;
    const before = known.get(key);
    if (before) return before;
    const level: Level = { old, new: next, changes: [], below: [] };
    known.set(key, level);
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
    else if (one && other && (one !== old || other !== next)) addLevel(level, compare(one, other));
    else compareValues(level);
    depth -= 1;
    return level;
  }

  /** What stands in a variant, stands in the value. */
  function addLevel(level: Level, inner: Level): void {
    level.below.push({ step: '', level: inner });
  }

  function compareVariants(level: Level, mine: readonly Form[], theirs: readonly Form[]): void {
    compareWhole(level, [['discriminator', 'discriminator']]);
    const [open, free] = [new Set(mine), new Set(theirs)];
    const pairs: [Form, Form][] = [];
    const take = (one: Form, other: Form) => {
      pairs.push([one, other]);
      open.delete(one);
      free.delete(other);
    };
    const fits = (one: Form, other: Form) => !isBreaking(compare(one, other));
    for (const isTwin of [
      (one: Form, other: Form) => one.names.length > 0 && one.names.join(' ') === other.names.join(' '),
      (one: Form, other: Form) => one.names.some((name) => other.names.includes(name)),
      areSameForms,
      fits,
    ])
      for (const one of [...open]) {
        const other = [...free].find((candidate) => isTwin(one, candidate));
        if (other) take(one, other);
      }
    // A variant may be written in another way, where one of each is left.
    const [left, right] = [[...open], [...free]];
    if (
      left.length > 0 &&
      right.length > 0 &&
      (left.length === right.length || mine.length === 1 || theirs.length === 1)
    )
      for (const [index, one] of left.entries()) {
        const other = right[index];
        if (other && shareTypes(one, other)) take(one, other);
      }
    for (const [one, other] of pairs) {
      const inner = compare(one, other);
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

    /** What one variant no longer takes, another one does: such as one that accepts anything. */
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
    const { old, new: next } = level;
    const say = (rule: RuleName, keyword: string, from: string, to: string) =>
      void level.changes.push({ rule, from, to, old: spotOf(old, keyword), new: spotOf(next, keyword) });
    if (isNever(old) !== isNever(next)) {
      say(
        isNever(next) ? 'type-narrowed' : 'type-widened',
        'type',
        isNever(old) ? 'nothing' : typeText(old),
        isNever(next) ? 'nothing' : typeText(next),
      );
      return;
    }
    const [mine, theirs] = [asWritten(typesOf(old)), asWritten(typesOf(next))];
    const [keeps, adds] = [covers(theirs, mine), covers(mine, theirs)];
    if (!keeps || !adds)
      say(
        keeps ? 'type-widened' : adds ? 'type-narrowed' : 'type-changed',
        'type',
        typeText(old),
        typeText(next),
      );
    else if (!isText && allowsNull(old) !== allowsNull(next) && mine && theirs)
      say(
        allowsNull(next) ? 'became-nullable' : 'became-not-nullable',
        'type',
        typeText(old),
        typeText(next),
      );
    const shared = (type: JsonType) => (!mine || mine.has(type)) && (!theirs || theirs.has(type));
    if (!keeps && !adds && mine && theirs && ![...mine].some((type) => theirs.has(type))) return;
    compareEnums(level);
    level.changes.push(
      ...limitChanges(
        old,
        next,
        (type) => shared(type) || (type === 'number' && (shared('integer') || mixes(mine, theirs))),
      ),
    );
    compareKeywords(level);
    if (shared('object')) compareMembers(level);
    if (shared('array')) compareItems(level);
    compareRemarks(level);
  }

  const asWritten = (types: ReadonlySet<JsonType> | undefined) => {
    if (!isText || !types) return types;
    // A text is a string, whatever else it is.
    return types.has('string') ? new Set<JsonType>([...types, 'boolean', 'integer', 'number']) : types;
  };

  function compareEnums(level: Level): void {
    const [mine, theirs] = [valuesOf(level.old), valuesOf(level.new)];
    const isNamed = [level.old, level.new].some(({ shape }) => shape.parts.some(isOfTag));
    const keyword = ({ shape }: Form) => (shape.find('enum') ? 'enum' : 'const');
    const say = (rule: RuleName, from: string, to: string) =>
      void level.changes.push({
        rule,
        from,
        to,
        old: spotOf(level.old, keyword(level.old)),
        new: spotOf(level.new, keyword(level.new)),
      });
    if (mine && theirs) {
      const lacks = (all: readonly unknown[], value: unknown) => !all.some((one) => isEqual(one, value));
      const [gone, come] = [
        mine.filter((one) => lacks(theirs, one)),
        theirs.filter((one) => lacks(mine, one)),
      ];
      const isConstant = mine.length === 1 && theirs.length === 1 && gone.length === 1 && !isNamed;
      if (isConstant) say('const-changed', listed(gone), listed(come));
      else {
        if (gone.length > 0)
          say(isNamed ? 'discriminator-value-removed' : 'enum-value-removed', listed(gone), '');
        if (come.length > 0)
          say(isNamed ? 'discriminator-value-added' : 'enum-value-added', '', listed(come));
      }
    } else if (isNamed && (mine || theirs))
      say('discriminator-changed', listed(mine ?? []), listed(theirs ?? []));
    else if (theirs) say('enum-added', '', listed(theirs));
    else if (mine) say('enum-removed', listed(mine), '');
  }

  function compareKeywords(level: Level): void {
    compareWhole(level, WHOLE);
  }

  /** What is the same, or is not. */
  function compareWhole(level: Level, keywords: typeof WHOLE): void {
    for (const [keyword, rule] of keywords) {
      const [mine, theirs] = [level.old, level.new].map(({ shape }) =>
        shape.all(keyword).map(({ spot }) => spot),
      );
      if (!mine || !theirs || areSame(mine, theirs)) continue;
      const how = mine.length === 0 ? 'added' : theirs.length === 0 ? 'removed' : 'changed';
      level.changes.push({
        rule: `${rule}-${how}` as RuleName,
        from: mine[0] ? brief(mine[0].value) : '',
        to: theirs[0] ? brief(theirs[0].value) : '',
        old: spotOf(level.old, keyword),
        new: spotOf(level.new, keyword),
      });
    }
  }

  function compareMembers(level: Level): void {
    const { old, new: next } = level;
    const [mine, theirs] = [old.shape.properties, next.shape.properties];
    const [before, after] = [othersOf(old), othersOf(next)];
    const needs = (form: Form, name: string) => {
      const isNamed = form.shape
        .all('required')
        .some(({ value, spot }) => !isOfTag(spot) && Array.isArray(value) && value.includes(name));
      return isNamed && !form.shape.properties.get(name)?.[hidden];
    };
    const say = (rule: RuleName, member: string, from = '', to = '') =>
      void level.changes.push({
        rule,
        member,
        from,
        to,
        old: mine.get(member)?.spot ?? spotOf(old, 'required'),
        new: theirs.get(member)?.spot ?? spotOf(next, 'properties'),
      });
    const names = new Set([
      ...mine.keys(),
      ...theirs.keys(),
      ...old.shape.required.keys(),
      ...next.shape.required.keys(),
    ]);
    for (const name of names) {
      const [one, other] = [mine.get(name), theirs.get(name)];
      // What a discriminator alone says of a member, no schema has.
      if (Boolean(one?.parts.every(isOfTag)) !== Boolean(other?.parts.every(isOfTag)) && !(one && other))
        continue;
      const [needed, needs2] = [needs(old, name), needs(next, name)];
      if (one && other) {
        if (one[hidden] && other[hidden]) continue;
        if (!one[hidden] && other[hidden]) {
          if (direction === 'response' && needed) say('required-property-removed', name);
          else
            say(direction === 'request' ? 'property-became-read-only' : 'property-became-write-only', name);
          continue;
        }
        if (one[hidden]) {
          say(direction === 'request' ? 'property-not-read-only' : 'property-not-write-only', name);
          if (needs2) say('property-became-required', name, 'not sent', 'required');
          continue;
        }
        for (const [flag, became, not] of FLAGS)
          if (flag !== hidden && one[flag] !== other[flag]) say(other[flag] ? became : not, name);
        if (needed !== needs2)
          say(needs2 ? 'property-became-required' : 'property-became-optional', name, ...optionality(needs2));
        descend(level, name, one, other);
      } else if (one) {
        if (one[hidden]) continue;
        const described = after.schema ?? patternFor(next, name);
        if (described) {
          if (needed && direction === 'response')
            say('property-became-optional', name, ...optionality(false));
          descend(level, name, one, described);
        } else if (direction === 'request' && after.isClosed) say('property-removed-from-closed', name);
        else if (direction === 'response' && needed && !needs2) say('required-property-removed', name);
        else if (theirs.size > 0 || after.isClosed) say('property-removed', name);
        if (!needed && needs2) say('property-became-required', name, ...optionality(true));
      } else if (other) {
        if (other[hidden]) continue;
        if (direction === 'request')
          say(needs2 ? (needed ? 'property-added' : 'required-property-added') : 'property-added', name);
        else if (before.isClosed) say('property-added-to-closed', name);
        else {
          if (needed && !needs2) say('property-became-optional', name, ...optionality(false));
          say(needs2 ? 'required-property-added' : 'property-added', name);
          const described = before.schema ?? patternFor(old, name);
          if (described) descend(level, name, described, other);
        }
      } else if (needed !== needs2)
        say(needs2 ? 'property-became-required' : 'property-became-optional', name, ...optionality(needs2));
    }
    compareOthers(level, before, after);
    comparePatterns(level);
  }

  function compareOthers(level: Level, before: Others, after: Others): void {
    if (before.schema && after.schema) descend(level, '*', before.schema, after.schema);
    if (before.kind === after.kind) return;
    const say = (rule: RuleName) =>
      void level.changes.push({ rule, from: before.kind, to: after.kind, old: before.spot, new: after.spot });
    if (after.isClosed)
      say(before.isOpen || before.schema ? 'additional-properties-narrowed' : 'additional-properties-closed');
    else if (before.isClosed)
      say(after.isOpen || after.schema ? 'additional-properties-widened' : 'additional-properties-closed');
    else if (before.isOpen && after.schema) say('additional-properties-narrowed');
    else if (before.schema && after.isOpen) say('additional-properties-widened');
    else say('additional-properties-closed');
  }

  function comparePatterns(level: Level): void {
    const [mine, theirs] = [level.old, level.new].map(
      ({ shape }) => new Map(shape.all('patternProperties').flatMap(({ spot }) => rawChildren(spot))),
    );
    for (const pattern of new Set([...(mine?.keys() ?? []), ...(theirs?.keys() ?? [])])) {
      const [one, other] = [mine?.get(pattern), theirs?.get(pattern)];
      if (one && other) descend(level, `/${pattern}/`, Shape.of([one]), Shape.of([other]));
      else
        level.changes.push({
          rule: other ? 'pattern-properties-added' : 'pattern-properties-removed',
          from: one ? pattern : '',
          to: other ? pattern : '',
          old: one ?? spotOf(level.old, 'patternProperties'),
          new: other ?? spotOf(level.new, 'patternProperties'),
        });
    }
  }

  function compareItems(level: Level): void {
    const { old, new: next } = level;
    const [before, after] = [itemsOf(old), itemsOf(next)];
    if (before.rest && after.rest) {
      if (before.rest.value !== false || after.rest.value !== false)
        descend(level, '[]', Shape.of(before.all), Shape.of(after.all));
    } else if (before.rest || after.rest)
      level.changes.push({
        rule: after.rest ? 'items-added' : 'items-removed',
        from: before.rest ? brief(before.rest.value) : '',
        to: after.rest ? brief(after.rest.value) : '',
        old: spotOf(old, 'items'),
        new: spotOf(next, 'items'),
      });
    const [mine, theirs] = [old.shape.prefixItems, next.shape.prefixItems];
    const isClosed = before.rest?.value === false && after.rest?.value === false;
    for (let index = 0; index < Math.max(mine.length, theirs.length); index++) {
      const [one, other] = [mine[index], theirs[index]];
      if (one && other) descend(level, `[${index}]`, one, other);
      else
        level.changes.push({
          // Without further items, one more is one more that is allowed.
          rule: Boolean(other) !== isClosed ? 'prefix-items-added' : 'prefix-items-removed',
          from: String(mine.length),
          to: String(theirs.length),
          old: spotOf(old, 'prefixItems'),
          new: spotOf(next, 'prefixItems'),
        });
    }
  }

  /** What no validator judges. */
  function compareRemarks(level: Level): void {
    const { old, new: next } = level;
    const text = (form: Form, keyword: string) => {
      const found = form.shape.find(keyword);
      return found ? brief(found.value) : '';
    };
    const say = (rule: RuleName, keyword: string) =>
      void level.changes.push({
        rule,
        from: text(old, keyword),
        to: text(next, keyword),
        old: spotOf(old, keyword),
        new: spotOf(next, keyword),
      });
    const differs = (keyword: string) => text(old, keyword) !== text(next, keyword);
    for (const keyword of ['contentMediaType', 'contentEncoding', 'contentSchema'])
      if (differs(keyword))
        say(
          `content-${text(old, keyword) === '' ? 'added' : text(next, keyword) === '' ? 'removed' : 'changed'}`,
          keyword,
        );
    if (differs('default')) say('default-changed', 'default');
    const [mine, theirs] = [old, next].map(({ shape }) => ({
      deprecated: shape.has('deprecated'),
      sunset: shape.find('x-sunset')?.value as string | undefined,
    })) as [Lifecycle, Lifecycle];
    for (const { rule, keyword, from, to } of lifecycleChanges('property', mine, theirs, deprecationDays))
      level.changes.push({ rule, from, to, old: spotOf(old, keyword), new: spotOf(next, keyword) });
    const [known, still] = [old, next].map(({ shape }) => shape.find('x-extensible-enum')?.value);
    if (Array.isArray(known) && Array.isArray(still) && known.some((value) => !still.includes(value)))
      say('extensible-enum-value-removed', 'x-extensible-enum');
    compareStability(level);
    for (const keyword of extensionsOf(old.shape.parts, next.shape.parts)) say('extension-changed', keyword);
  }

  function compareStability(level: Level): void {
    const rank = ({ shape }: Form) => {
      const found = shape.find('x-stability-level') ?? shape.find('x-stability');
      return found ? STABILITIES.indexOf(String(found.value)) : STABILITIES.length - 1;
    };
    const [mine, theirs] = [rank(level.old), rank(level.new)];
    if (mine < 0 || theirs < 0 || mine === theirs) return;
    const keyword = level.new.shape.find('x-stability-level') ? 'x-stability-level' : 'x-stability';
    level.changes.push({
      rule: theirs < mine ? 'stability-decreased' : 'stability-increased',
      from: STABILITIES[mine] ?? '',
      to: STABILITIES[theirs] ?? '',
      old: spotOf(level.old, keyword),
      new: spotOf(level.new, keyword),
    });
  }

  function descend(level: Level, step: string, old: Shape, next: Shape): void {
    level.below.push({ step, level: compare(formOf(old), formOf(next)) });
  }

  return (old, next) => compare(formOf(Shape.of([old])), formOf(Shape.of([next])));
}

function areSameForms(one: Form, other: Form): boolean {
  return isEqual(one.only, other.only) && areSame(one.shape.parts, other.shape.parts);
}

const FLAGS = [
  ['readOnly', 'property-became-read-only', 'property-not-read-only'],
  ['writeOnly', 'property-became-write-only', 'property-not-write-only'],
] as const;

export const STABILITIES = ['draft', 'experimental', 'alpha', 'beta', 'stable'];

/** Keywords that are the same, or are not. */
const WHOLE: readonly (readonly [keyword: string, rule: string])[] = [
  ['not', 'not'],
  ['contains', 'contains'],
  ['propertyNames', 'property-names'],
  ['dependentRequired', 'dependent-required'],
  ['dependentSchemas', 'dependent-schemas'],
  ['if', 'condition'],
  ['then', 'condition'],
  ['else', 'condition'],
  ['unevaluatedItems', 'unevaluated-items'],
];

function spotOf({ shape }: Form, keyword: string): Spot {
  return shape.find(keyword)?.spot ?? shape.spot;
}

function covers(wide: ReadonlySet<JsonType> | undefined, narrow: ReadonlySet<JsonType> | undefined): boolean {
  if (!wide) return true;
  if (!narrow) return ALL.every((type) => wide.has(type));
  return [...narrow].every((type) => wide.has(type) || (type === 'integer' && wide.has('number')));
}

const ALL: readonly JsonType[] = ['boolean', 'number', 'string', 'array', 'object'];

function mixes(mine: ReadonlySet<JsonType> | undefined, theirs: ReadonlySet<JsonType> | undefined): boolean {
  const counts = (types: ReadonlySet<JsonType> | undefined) =>
    !types || types.has('number') || types.has('integer');
  return counts(mine) && counts(theirs);
}

function typeText(form: Form): string {
  const types = typesOf(form);
  const names = types ? [...types] : ['any type'];
  return [...names, ...(types && allowsNull(form) ? ['null'] : [])].join(' or ') || 'nothing';
}

const optionality = (needed: boolean) =>
  (needed ? ['optional', 'required'] : ['required', 'optional']) as [string, string];

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, 8).map((value) => stringifyJson(value));
  return `${shown.join(', ')}${values.length > 8 ? ` and ${values.length - 8} more` : ''}`;
}

/** What is said of the members that are not named. */
interface Others {
  readonly kind: string;
  readonly isOpen: boolean;
  readonly isClosed: boolean;
  readonly schema: Shape | undefined;
  readonly spot: Spot;
}

function othersOf({ shape }: Form): Others {
  const found = shape.find('additionalProperties') ?? shape.find('unevaluatedProperties');
  const spot = found?.spot ?? shape.spot;
  const schema =
    isRecord(found?.value) && Object.keys(found.value).length > 0 ? Shape.of([found.spot]) : undefined;
  // An object of which nothing is said may have any member.
  const isBare = !found && shape.properties.size === 0 && !shape.find('patternProperties');
  const isOpen = isBare || found?.value === true || (isRecord(found?.value) && schema === undefined);
  const isClosed = found?.value === false && !shape.find('patternProperties');
  const kind = isClosed ? 'no others' : schema ? 'by a schema' : isOpen ? 'any others' : 'others unnamed';
  return { kind, isOpen, isClosed, schema, spot };
}

function patternFor({ shape }: Form, name: string): Shape | undefined {
  for (const { spot } of shape.all('patternProperties'))
    for (const [pattern, schema] of rawChildren(spot)) {
      try {
        if (new RegExp(pattern, 'u').test(name)) return Shape.of([schema]);
      } catch {
        // What is no expression matches nothing.
      }
    }
  return undefined;
}

function itemsOf({ shape }: Form): { rest: Spot | undefined; all: readonly Spot[] } {
  const all = shape.all('items').map(({ spot }) => spot);
  return { rest: all[0], all };
}
