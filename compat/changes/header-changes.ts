import type { Header, Spot } from '#spec';
import { type Found, ofSchemas, plain, type SchemaComparisons } from './occurrences.ts';
import { formOf, isWrittenOtherwise } from './parameter-changes.ts';
import type { Direction, RuleName } from './rules.ts';

interface Headed {
  readonly headers: readonly Header[];
  readonly spot: Spot;
}

/** Changes of headers in a response, or in a part of a body. */
export function headerChanges(
  old: Headed,
  next: Headed,
  context: { within: string; direction: Direction; status?: number },
  comparisons: SchemaComparisons,
): Found[] {
  const changes: Found[] = [];
  const withinOf = ({ name }: Header) => `the header \`${name}\` of ${context.within}`;
  for (const header of old.headers) {
    const within = withinOf(header);
    const twin = next.headers.find(({ name }) => name === header.name);
    const say = (rule: RuleName, other: Spot, from = '', to = '') =>
      void changes.push(plain(rule, header.spot, other, { ...context, within, from, to }));
    if (!twin) {
      say(header.required ? 'required-header-removed' : 'header-removed', next.spot);
      continue;
    }
    if (header.required !== twin.required)
      say(twin.required ? 'header-became-required' : 'header-became-optional', twin.spot);
    if (isWrittenOtherwise(header, twin))
      say('header-style-changed', twin.spot, formOf(header), formOf(twin));
    const wire = header.style === 'json' ? 'json' : 'text';
    if (header.schema) changes.push(...ofSchemas(header, twin, { ...context, within, wire }, comparisons));
  }
  for (const header of next.headers)
    if (!old.headers.some(({ name }) => name === header.name))
      changes.push(
        plain(header.required ? 'required-header-added' : 'header-added', old.spot, header.spot, {
          ...context,
          within: withinOf(header),
        }),
      );
  return changes;
}
