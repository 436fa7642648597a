import { isEqual, stringifyJson } from '#spec';
import { areSame } from '../same-schema.ts';
import { type Form, isOfTag, valuesOf } from './forms.ts';
import { brief, changeOf, type SchemaChange } from './schema-change.ts';

/** What `enum` and `const` allow. */
export function enumChanges(old: Form, next: Form): SchemaChange[] {
  const [mine, theirs] = [valuesOf(old), valuesOf(next)];
  if (!mine && !theirs) return [];
  const isNamed = [old, next].some(({ shape }) => shape.parts.some(isOfTag));
  const keyword = [old, next].some(({ shape }) => shape.find('enum')) ? 'enum' : 'const';
  const say = (rule: string, from: readonly unknown[] = [], to: readonly unknown[] = []) =>
    changeOf(rule, { old, new: next }, keyword, listed(from), listed(to));
  if (!mine || !theirs)
    return [say(isNamed ? 'discriminator-changed' : theirs ? 'enum-added' : 'enum-removed', mine, theirs)];
  const lacks = (all: readonly unknown[], value: unknown) => !all.some((one) => isEqual(one, value));
  const [gone, come] = [mine.filter((one) => lacks(theirs, one)), theirs.filter((one) => lacks(mine, one))];
  if (mine.length === 1 && theirs.length === 1 && gone.length === 1 && !isNamed)
    return [say('const-changed', gone, come)];
  const value = isNamed ? 'discriminator-value' : 'enum-value';
  return [
    ...(gone.length > 0 ? [say(`${value}-removed`, gone)] : []),
    ...(come.length > 0 ? [say(`${value}-added`, [], come)] : []),
  ];
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
    const [mine = [], theirs = []] = [old, next].map(({ shape }) =>
      shape.all(keyword).map(({ spot }) => spot),
    );
    if (areSame(mine, theirs)) return [];
    const how = mine.length === 0 ? 'added' : theirs.length === 0 ? 'removed' : 'changed';
    const [from, to] = [mine, theirs].map(([spot]) => (spot ? brief(spot.value) : ''));
    return [changeOf(`${rule}-${how}`, { old, new: next }, keyword, from, to)];
  });
}

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, 8).map((value) => stringifyJson(value));
  return `${shown.join(', ')}${values.length > 8 ? ` and ${values.length - 8} more` : ''}`;
}
