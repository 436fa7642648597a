import { children, dereference, type Place, placeOf, rawChild, type Spot } from './document/spot.ts';
import { inBrief } from './json/in-brief.ts';
import { isRecord } from './json/json-value.ts';
import type { Operation } from './operation.ts';
import { findSample } from './schema/sample.ts';
import { hasConditions } from './schema/sample-conditions.ts';
import { hasText } from './schema/sample-scalar.ts';
import { Shape } from './schema/shape.ts';

/** A response value that cannot be generated from the document. */
export interface UnmadeValue {
  /** The first operation with it: `GET /accounts`. */
  readonly operation: string;
  /** Its place in the response: `[].taxNo`; `the body` for the whole. */
  readonly member: string;
  /** The document's keywords that no value satisfies: `pattern ^a$ and maxLength 0`. */
  readonly keywords: string;
  readonly at: Place;
  /** Whether its container requires it. */
  readonly isRequired: boolean;
}

/** The response values that cannot be generated, each schema once. Schemas with a faker hint are skipped. */
export function unmadeValues(operations: readonly Operation[]): UnmadeValue[] {
  const seen = new Set<unknown>();
  const unmade: UnmadeValue[] = [];

  function look(schema: Spot | undefined, operation: string, member: string, isRequired: boolean): void {
    const spot = schema && dereference(schema);
    if (!spot || !isRecord(spot.value) || seen.has(spot.value) || 'x-faker' in spot.value) return;
    seen.add(spot.value);
    const before = unmade.length;
    const { required, minItems } = spot.value;
    const isNeeded = (name: string) => Array.isArray(required) && required.includes(name);
    for (const keyword of ['allOf', 'oneOf', 'anyOf'])
      for (const [, part] of children(rawChild(spot, keyword)))
        look(part, operation, member, isRequired && keyword === 'allOf');
    const properties = rawChild(spot, 'properties');
    for (const [name, value] of Object.entries(properties?.value ?? {}))
      if (mayLead(value))
        look(
          rawChild(properties as Spot, name),
          operation,
          member === '' ? name : `${member}.${name}`,
          isNeeded(name),
        );
    look(rawChild(spot, 'items'), operation, `${member}[]`, Number(minItems) > 0);
    look(rawChild(spot, 'additionalProperties'), operation, `${member}.*`, false);
    if (unmade.length > before || !isAtRisk(spot)) return;
    const shape = Shape.of([spot]);
    if (isMade(shape)) return;
    const keywords = keywordsOf(shape);
    unmade.push({ operation, member: member || 'the body', keywords, at: placeOf(spot), isRequired });
  }

  for (const { method, path, responses } of operations)
    for (const { content } of responses)
      for (const { schema } of content) look(schema, `${method} ${path}`, '', true);
  return unmade;
}

/** Most members are plain; skipping them avoids computing their positions. */
function mayLead(schema: unknown): boolean {
  return isRecord(schema) && (LEADING.some((keyword) => keyword in schema) || hasConditions(schema));
}

const LEADING = [
  '$ref',
  'properties',
  'items',
  'additionalProperties',
  'allOf',
  'oneOf',
  'anyOf',
  'pattern',
  'format',
];

/** For plain texts the search suffices, which loads no library. */
function isMade(shape: Shape): boolean {
  const isText = shape.mainType === 'string' && !shape.values && shape.alternatives.length === 0;
  if (isText && !shape.parts.some(({ value }) => hasConditions(value))) return hasText(shape);
  return findSample(shape, { key: 'first', direction: 'response' }) !== undefined;
}

const OF_TEXTS = ['pattern', 'format', 'minLength', 'maxLength', 'not'];

/** Whether generating a value may fail; other schemas need not be tried. */
function isAtRisk(spot: Spot): boolean {
  const { value } = spot;
  if (!isRecord(value)) return false;
  const count = OF_TEXTS.filter((keyword) => keyword in value).length;
  if ('pattern' in value || ('format' in value && count > 1) || hasConditions(value)) return true;
  return children(rawChild(spot, 'allOf')).some(([, part]) => isAtRisk(part));
}

function keywordsOf(shape: Shape): string {
  const stated = shape.parts.flatMap((part) =>
    OF_TEXTS.flatMap((keyword) => {
      const limit = rawChild(part, keyword)?.value;
      if (limit === undefined) return [];
      const text = isRecord(limit) ? '' : ` ${limit}`;
      return keyword + inBrief(text, 60);
    }),
  );
  return stated.length > 0 ? stated.join(' and ') : 'all its keywords';
}
