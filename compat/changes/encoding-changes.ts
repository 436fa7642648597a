import { bodyFields, essenceOf, type FormField, type MediaType } from '#spec';
import { headerChanges } from './header-changes.ts';
import { type Found, ofSchemas, plain, type SchemaComparisons, wireOf } from './occurrences.ts';
import { formOf, isWrittenOtherwise, reservedChanges } from './parameter-changes.ts';
import type { Direction, RuleName } from './rules.ts';

/** Changes of Encoding Objects for the form fields that both documents have (OpenAPI 3.1 §4.8.15). */
export function encodingChanges(
  old: MediaType,
  next: MediaType,
  context: { within: string; direction: Direction; status?: number },
  comparisons: SchemaComparisons,
): Found[] {
  const [mine, theirs] = [bodyFields(old), bodyFields(next)];
  return [...mine].flatMap(([name, field]) => {
    const twin = theirs.get(name);
    if (!twin) return [];
    const at = { ...context, steps: [name] };
    const [one, other] = [field.parameter, twin.parameter];
    const say = (rule: RuleName, from: string, to: string) =>
      plain(rule, one.spot, other.spot, { ...at, from, to });
    const within = `the part \`${name}\` of ${context.within}`;
    return [
      ...(isStyledOtherwise(field, twin)
        ? [say('encoding-style-changed', styleOf(field), styleOf(twin))]
        : []),
      ...typeChanges(field, twin, context.direction, say),
      ...reservedChanges(one.spot, other.spot, at),
      ...(isXml(field) && isXml(twin)
        ? ofSchemas(one, other, { ...context, within, wire: 'xml' }, comparisons).filter(isOfXml)
        : []),
      ...headerChanges(headed(field), headed(twin), { ...context, within }, comparisons),
    ];
  });
}

const headed = ({ headers, parameter: { spot } }: FormField) => ({ headers, spot });

const isXml = ({ contentTypes: [type = ''], parameter: { shape } }: FormField) =>
  wireOf({ type, shape }) === 'xml';

/** Everything else is compared as in any form. */
const isOfXml = ({ rule }: Found) => rule.startsWith('xml-');

/** Whether a field is encoded differently: where versions of OpenAPI leave the encoding open, OLD has not promised one. */
function isStyledOtherwise(one: FormField, other: FormField): boolean {
  const [mine, theirs] = [one.parameter, other.parameter];
  if (one.isUnclear || mine.shape.mainType !== theirs.shape.mainType) return false;
  if (one.notation === other.notation) return one.notation === 'plain' && isWrittenOtherwise(mine, theirs);
  // A change of stated media types is reported instead.
  return one.contentTypes.length + other.contentTypes.length === 0;
}

function styleOf({ notation, parameter }: FormField): string {
  return notation === 'json' ? 'JSON' : formOf(parameter);
}

/** Media types of a part that the sender may choose, and the receiver does not expect. */
function typeChanges(
  old: FormField,
  next: FormField,
  direction: Direction,
  say: (rule: RuleName, from: string, to: string) => Found,
): Found[] {
  const [mine, theirs] = [old.contentTypes, next.contentTypes];
  if (mine.join() === theirs.join()) return [];
  const isIncoming = direction === 'request';
  const [from, to] = [textOf(mine), textOf(theirs)];
  if (lacks(isIncoming ? theirs : mine, isIncoming ? old : next))
    return [say(isIncoming ? 'part-type-removed' : 'part-type-added', from, to)];
  return lacks(isIncoming ? mine : theirs, isIncoming ? next : old)
    ? [say(isIncoming ? 'part-type-added' : 'part-type-removed', from, to)]
    : [];
}

const textOf = (types: readonly string[]) => types.join(', ') || 'any';

/** Whether the accepted media types, if stated, lack one of the sent ones, or the usual one. */
function lacks(taken: readonly string[], sent: FormField): boolean {
  const types = sent.contentTypes.length > 0 ? sent.contentTypes : [usualType(sent)];
  return taken.length > 0 && !types.every((type) => taken.some((range) => isWithin(range)({ type })));
}

/** OpenAPI 3.1 §4.8.15.1.1. */
function usualType({ isFile, notation }: FormField): string {
  if (isFile) return 'application/octet-stream';
  return notation === 'json' ? 'application/json' : 'text/plain';
}

/** Whether a media type is in a range such as `text/*`. */
export function isWithin(range: string): (media: Pick<MediaType, 'type'>) => boolean {
  const [whole = '', kind] = [essenceOf(range), essenceOf(range).split('/', 1)[0]];
  return ({ type }) =>
    whole === '*/*' ||
    whole === essenceOf(type) ||
    (whole.endsWith('/*') && essenceOf(type).startsWith(`${kind}/`));
}
