import { isEqual, type Spot, stringifyJson } from '#spec';
import { areSame } from '../same-schema.ts';
import { type Form, isOfTag, valuesOf } from './forms.ts';
import type { RuleName } from './rules.ts';
import { brief, type SchemaChange } from './schema-change.ts';

/** What `enum` and `const` allow. */
export function enumChanges(old: Form, next: Form): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const [mine, theirs] = [valuesOf(old), valuesOf(next)];
  const isNamed = [old, next].some(({ shape }) => shape.parts.some(isOfTag));
  const keyword = ({ shape }: Form) => (shape.find('enum') ? 'enum' : 'const');
  const say = (rule: RuleName, from: string, to: string) =>
    void changes.push({
      rule,
      from,
      to,
      old: spotOf(old, keyword(old)),
      new: spotOf(next, keyword(next)),
    });
  if (mine && theirs) {
    const lacks = (all: readonly unknown[], value: unknown) => !all.some((one) => isEqual(one, value));
    const [gone, come] = [mine.filter((one) => lacks(theirs, one)), theirs.filter((one) => lacks(mine, one))];
    const isConstant = mine.length === 1 && theirs.length === 1 && gone.length === 1 && !isNamed;
    if (isConstant) say('const-changed', listed(gone), listed(come));
    else {
      if (gone.length > 0)
        say(isNamed ? 'discriminator-value-removed' : 'enum-value-removed', listed(gone), '');
      if (come.length > 0) say(isNamed ? 'discriminator-value-added' : 'enum-value-added', '', listed(come));
    }
  } else if (isNamed && (mine || theirs))
    say('discriminator-changed', listed(mine ?? []), listed(theirs ?? []));
  else if (theirs) say('enum-added', '', listed(theirs));
  else if (mine) say('enum-removed', listed(mine), '');
  return changes;
}

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

/** Keywords that are the same, or are not. */
export function wholeChanges(old: Form, next: Form, keywords = WHOLE): SchemaChange[] {
  return keywords.flatMap(([keyword, rule]) => {
    const [mine, theirs] = [old, next].map(({ shape }) => shape.all(keyword).map(({ spot }) => spot));
    if (!mine || !theirs || areSame(mine, theirs)) return [];
    const how = mine.length === 0 ? 'added' : theirs.length === 0 ? 'removed' : 'changed';
    return [
      {
        rule: `${rule}-${how}` as RuleName,
        from: mine[0] ? brief(mine[0].value) : '',
        to: theirs[0] ? brief(theirs[0].value) : '',
        old: spotOf(old, keyword),
        new: spotOf(next, keyword),
      },
    ];
  });
}

/** Of a keyword, else of the whole schema. */
export function spotOf({ shape }: Form, keyword: string): Spot {
  return shape.find(keyword)?.spot ?? shape.spot;
}

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, 8).map((value) => stringifyJson(value));
  return `${shown.join(', ')}${values.length > 8 ? ` and ${values.length - 8} more` : ''}`;
}
