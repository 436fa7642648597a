import { rawChildren, Shape } from '#spec';
import { type Form, isOfTag } from './forms.ts';
import type { Direction, RuleName } from './rules.ts';
import { type SchemaChange, spotOf } from './schema-change.ts';
import { type Others, othersOf, patternFor } from './unnamed-members.ts';

/** The schemas of an object in both versions, and their changes. */
interface Compared {
  readonly old: Form;
  readonly new: Form;
  readonly changes: SchemaChange[];
}

/** A member that either version names, and whether it is required. */
interface MemberOfBoth<Both> {
  readonly level: Both;
  readonly name: string;
  readonly wasNeeded: boolean;
  readonly isNeeded: boolean;
}

const isOfTagAlone = (member: Shape | undefined) => member?.parts.every(isOfTag) ?? false;

const FLAGS = [
  ['readOnly', 'property-became-read-only', 'property-not-read-only'],
  ['writeOnly', 'property-became-write-only', 'property-not-write-only'],
] as const;

const optionality = (needed: boolean) =>
  (needed ? ['optional', 'required'] : ['required', 'optional']) as [string, string];

/** Members that only the other side sends. */
const HIDDEN = { request: 'readOnly', response: 'writeOnly' } as const;

/**
 * Compares the members of objects in one direction.
 * @param descend compares the values of a member
 */
export function createMemberComparison<Both extends Compared>(
  direction: Direction,
  descend: (level: Both, step: string, old: Shape, next: Shape) => void,
): (level: Both) => void {
  const hidden = HIDDEN[direction];

  function compareMembers(level: Both): void {
    const { old, new: next } = level;
    const [mine, theirs] = [old.shape.properties, next.shape.properties];
    const [before, after] = [othersOf(old), othersOf(next)];
    const names = new Set([
      ...mine.keys(),
      ...theirs.keys(),
      ...old.shape.required.keys(),
      ...next.shape.required.keys(),
    ]);
    for (const name of names) {
      const [one, other] = [mine.get(name), theirs.get(name)];
      // A member that only a discriminator describes has no schema.
      if (!(one && other) && isOfTagAlone(one) !== isOfTagAlone(other)) continue;
      const member = { level, name, wasNeeded: needs(old, name), isNeeded: needs(next, name) };
      if (one && other) compareKept(member, one, other);
      else if (one) compareRemoved(member, one, after);
      else if (other) compareAdded(member, other, before);
      else compareNeed(member);
    }
    compareOthers(level, before, after);
    comparePatterns(level);
  }

  /** Whether a member is required, if it is visible at all. */
  function needs({ shape }: Form, name: string): boolean {
    const isNamed = shape
      .all('required')
      .some(({ value, spot }) => !isOfTag(spot) && Array.isArray(value) && value.includes(name));
    return isNamed && !shape.properties.get(name)?.[hidden];
  }

  function sayOf({ level, name }: MemberOfBoth<Both>, rule: RuleName, from = '', to = ''): void {
    const { old, new: next } = level;
    level.changes.push({
      rule,
      member: name,
      from,
      to,
      old: old.shape.properties.get(name)?.spot ?? spotOf(old, 'required'),
      new: next.shape.properties.get(name)?.spot ?? spotOf(next, 'properties'),
    });
  }

  function compareNeed(member: MemberOfBoth<Both>): void {
    const { wasNeeded, isNeeded } = member;
    if (wasNeeded === isNeeded) return;
    const rule = isNeeded ? 'property-became-required' : 'property-became-optional';
    sayOf(member, rule, ...optionality(isNeeded));
  }

  function compareKept(member: MemberOfBoth<Both>, one: Shape, other: Shape): void {
    if (one[hidden] && other[hidden]) return;
    if (other[hidden]) {
      if (direction === 'request') sayOf(member, 'property-became-read-only');
      else sayOf(member, member.wasNeeded ? 'required-property-removed' : 'property-became-write-only');
    } else if (one[hidden]) {
      sayOf(member, direction === 'request' ? 'property-not-read-only' : 'property-not-write-only');
      if (member.isNeeded) sayOf(member, 'property-became-required', 'not sent', 'required');
    } else {
      for (const [flag, became, not] of FLAGS)
        if (flag !== hidden && one[flag] !== other[flag]) sayOf(member, other[flag] ? became : not);
      compareNeed(member);
      descend(member.level, member.name, one, other);
    }
  }

  function compareRemoved(member: MemberOfBoth<Both>, shape: Shape, after: Others): void {
    if (shape[hidden]) return;
    const { level, name, wasNeeded, isNeeded } = member;
    const described = after.schema ?? patternFor(level.new, name);
    if (described) {
      if (wasNeeded && direction === 'response')
        sayOf(member, 'property-became-optional', ...optionality(false));
      descend(level, name, shape, described);
    } else if (direction === 'request' && after.isClosed) sayOf(member, 'property-removed-from-closed');
    else if (direction === 'response' && wasNeeded && !isNeeded) sayOf(member, 'required-property-removed');
    else if (level.new.shape.properties.size > 0 || after.isClosed) sayOf(member, 'property-removed');
    if (!wasNeeded && isNeeded) compareNeed(member);
  }

  function compareAdded(member: MemberOfBoth<Both>, other: Shape, before: Others): void {
    if (other[hidden]) return;
    const { level, name, wasNeeded, isNeeded } = member;
    if (direction === 'request')
      sayOf(member, isNeeded && !wasNeeded ? 'required-property-added' : 'property-added');
    else if (before.isClosed) sayOf(member, 'property-added-to-closed');
    else {
      if (wasNeeded && !isNeeded) compareNeed(member);
      sayOf(member, isNeeded ? 'required-property-added' : 'property-added');
      const described = before.schema ?? patternFor(level.old, name);
      if (described) descend(level, name, described, other);
    }
  }

  function compareOthers(level: Both, before: Others, after: Others): void {
    if (before.schema && after.schema) descend(level, '*', before.schema, after.schema);
    if (before.kind === after.kind) return;
    const say = (rule: RuleName) =>
      void level.changes.push({ rule, from: before.kind, to: after.kind, old: before.spot, new: after.spot });
    if (after.isClosed)
      say(
        before.isOpen || before.schema ? 'additional-properties-narrowed' : 'additional-properties-refused',
      );
    else if (before.isClosed)
      say(after.isOpen || after.schema ? 'additional-properties-widened' : 'additional-properties-closed');
    else if (after.schema && (before.isOpen || direction === 'request'))
      say('additional-properties-narrowed');
    else if (before.schema && after.isOpen) say('additional-properties-widened');
    else say('additional-properties-closed');
  }

  function comparePatterns(level: Both): void {
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

  return compareMembers;
}
