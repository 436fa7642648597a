import type { Form } from './forms.ts';
import { type Lifecycle, lifecycleChanges } from './lifecycle.ts';
import type { RuleName } from './rules.ts';
import { brief, changeOf, type SchemaChange } from './schema-change.ts';

export const STABILITIES = ['draft', 'experimental', 'alpha', 'beta', 'stable'];

const CONTENT = [
  ['contentMediaType', 'content-media-type-changed'],
  ['contentEncoding', 'content-encoding-changed'],
  ['contentSchema', 'content-changed'],
] as const;

/** What no validator judges. */
export function remarkChanges(old: Form, next: Form, deprecationDays: number): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const text = (form: Form, keyword: string) => {
    const found = form.shape.find(keyword);
    return found ? brief(found.value) : '';
  };
  const forms = { old, new: next };
  const say = (rule: RuleName, keyword: string) =>
    void changes.push(changeOf(rule, forms, keyword, text(old, keyword), text(next, keyword)));
  const differs = (keyword: string) => text(old, keyword) !== text(next, keyword);
  for (const [keyword, changed] of CONTENT)
    if (differs(keyword)) {
      const [isNew, isGone] = [text(old, keyword) === '', text(next, keyword) === ''];
      say(isNew ? 'content-added' : isGone ? 'content-removed' : changed, keyword);
    }
  if (differs('default')) say('default-changed', 'default');
  const [mine, theirs] = [old, next].map(({ shape }) => ({
    deprecated: shape.has('deprecated'),
    sunset: shape.find('x-sunset')?.value as string | undefined,
  })) as [Lifecycle, Lifecycle];
  for (const { rule, keyword, from, to } of lifecycleChanges('property', mine, theirs, deprecationDays))
    changes.push(changeOf(rule, forms, keyword, from, to));
  const [known, still] = [old, next].map(({ shape }) => shape.find('x-extensible-enum')?.value);
  if (Array.isArray(known) && Array.isArray(still) && known.some((value) => !still.includes(value)))
    say('extensible-enum-value-removed', 'x-extensible-enum');
  changes.push(...stabilityChanges(old, next));
  return changes;
}

function stabilityChanges(old: Form, next: Form): SchemaChange[] {
  const rank = ({ shape }: Form) => {
    const found = shape.find('x-stability-level') ?? shape.find('x-stability');
    return found ? STABILITIES.indexOf(String(found.value)) : STABILITIES.length - 1;
  };
  const [mine, theirs] = [rank(old), rank(next)];
  if (mine < 0 || theirs < 0 || mine === theirs) return [];
  const keyword = next.shape.find('x-stability-level') ? 'x-stability-level' : 'x-stability';
  const rule = theirs < mine ? 'stability-decreased' : 'stability-increased';
  return [changeOf(rule, { old, new: next }, keyword, STABILITIES[mine], STABILITIES[theirs])];
}
