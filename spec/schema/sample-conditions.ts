import { isRecord } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import type { Position } from './sample-position.ts';
import { Shape } from './shape.ts';
import type { Violation } from './validator.ts';

/** Keywords that no value is made by, and only a validator can judge. */
const CONDITIONAL = [
  ...['not', 'if', 'dependentRequired', 'dependentSchemas', 'patternProperties', 'propertyNames'],
  ...['contains', 'unevaluatedProperties', 'unevaluatedItems'],
];

/** Whether a Schema Object has such keywords of its own. */
export function hasConditions(schema: unknown): boolean {
  return isRecord(schema) && CONDITIONAL.some((keyword) => Object.hasOwn(schema, keyword));
}

export const isConditional = oncePer(({ parts }: Shape) => parts.some(({ value }) => hasConditions(value)));

/** A schema, and what else the value at this place has to fit. */
export function demanded<S extends Shape | undefined>(shape: S, { path, demands }: Position): S | Shape {
  return (demands.get(path) ?? []).reduce<S | Shape>(
    (all, spot) => (all ? all.and(Shape.of([spot])) : Shape.of([spot])),
    shape,
  );
}

/** Undefined: each of what is broken was demanded already. */
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
