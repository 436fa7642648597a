import { isRecord } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import type { Position } from './sample-position.ts';
import { Shape } from './shape.ts';
import type { Violation } from './validator.ts';

/** Keywords that do not help to make a value; only a validator can judge them. */
const CONDITIONAL = [
  'not',
  'if',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'contains',
  'unevaluatedProperties',
  'unevaluatedItems',
];

/** Whether a Schema Object itself has such keywords. */
export function hasConditions(schema: unknown): boolean {
  return isRecord(schema) && CONDITIONAL.some((keyword) => Object.hasOwn(schema, keyword));
}

export const isConditional = oncePer(({ parts }: Shape) => parts.some(({ value }) => hasConditions(value)));

/** The schema joined with what else the value at this position must fit. */
export function demanded<S extends Shape | undefined>(shape: S, { path, demands }: Position): S | Shape {
  return (demands.get(path) ?? []).reduce<S | Shape>(
    (all, spot) => (all ? all.and(Shape.of([spot])) : Shape.of([spot])),
    shape,
  );
}

/** Adds the violated schemas to the demands; undefined if they all were demanded already. */
export function withDemands(
  demands: Position['demands'],
  path: string,
  violations: readonly Violation[],
): Position['demands'] | undefined {
  const grown = new Map(demands);
  let isNew = false;
  for (const { pointer, keyword, schema } of violations) {
    if (!schema) continue;
    const place = path + (keyword === 'required' ? pointer.slice(0, pointer.lastIndexOf('/')) : pointer);
    const before = grown.get(place) ?? [];
    if (before.some(({ value }) => value === schema.value)) continue;
    grown.set(place, [...before, schema]);
    isNew = true;
  }
  return isNew ? grown : undefined;
}
