import { isReference, type Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { formsOf, Shape } from './shape.ts';
import type { Direction } from './translate.ts';
import { fullyFits } from './validator.ts';

/**
 * The valid examples of a schema: its `example` (OpenAPI 3.0.3 §4.7.24) and `examples` (JSON Schema 2020-12 validation
 * §9.5), else a `default` that is not empty. `null` counts if the schema allows it.
 */
export function shownValues(shape: Shape, direction: Direction): readonly unknown[] {
  return direction === 'response' ? inResponses(shape) : inRequests(shape);
}

const inResponses = oncePer((shape: Shape) => find(shape, 'response'));
const inRequests = oncePer((shape: Shape) => find(shape, 'request'));

function find(shape: Shape, direction: Direction): readonly unknown[] {
  const examples = isJoined(shape) ? outermostExamples(shape) : shape.ownExamples;
  const fallback = shape.find('default')?.value;
  const values = examples.length > 0 ? examples : isTelling(fallback) ? [fallback] : [];
  return fitting(values, shape, direction);
}

function fitting(values: readonly unknown[], shape: Shape, direction: Direction): readonly unknown[] {
  if (values.length === 0) return values;
  return values
    .map((value) => ofDirection(shape, value, direction))
    .filter((value) => fullyFits(shape, value, direction));
}

/** Whether several parts describe members of an object; the example of each may contain its own members only. */
function isJoined({ parts }: Shape): boolean {
  return parts.filter(describesMembers).length > 1;
}

const describesMembers = ({ value }: Spot) => isRecord(value) && isRecord(value.properties);

/** The examples of the joining schema and of its `$ref`s. */
function outermostExamples({ parts }: Shape): readonly unknown[] {
  const last = parts.findIndex(({ value }) => !isReference(value));
  return parts.slice(0, last + 1).flatMap(examplesIn);
}

function examplesIn({ value }: Spot): unknown[] {
  if (!isRecord(value)) return [];
  const several = Array.isArray(value.examples) ? value.examples : [];
  return Object.hasOwn(value, 'example') ? [value.example, ...several] : several;
}

/** An empty text, list or object tells nothing. */
function isTelling(value: unknown): boolean {
  return value !== undefined && value !== '' && (!isObject(value) || Object.keys(value).length > 0);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Examples of members, collected from the examples of the joined parts. */
export function shownMembers(shape: Shape, direction: Direction): Readonly<Record<string, unknown>> {
  return direction === 'response' ? membersInResponses(shape) : membersInRequests(shape);
}

const membersInResponses = oncePer((shape: Shape) => membersOf(shape, 'response'));
const membersInRequests = oncePer((shape: Shape) => membersOf(shape, 'request'));

function membersOf(shape: Shape, direction: Direction): Readonly<Record<string, unknown>> {
  if (!isJoined(shape)) return {};
  const values = shape.parts.flatMap((part) =>
    fitting(examplesIn(part), Shape.of([part]), direction).slice(0, 1),
  );
  return Object.assign(Object.create(null), ...values.filter(isRecord).toReversed());
}

/** Whether a schema, or one of its members, has an example. */
export const showsValues = oncePer((shape: Shape) =>
  [shape, ...shape.properties.values()].some(({ ownExamples }) => ownExamples.length > 0),
);

/** The example of an object without members of the other direction. */
function ofDirection(shape: Shape, value: unknown, direction: Direction): unknown {
  if (Array.isArray(value)) {
    const items = formsOf(shape).find((form) => form.items)?.items;
    return items ? value.map((item) => ofDirection(items, item, direction)) : value;
  }
  if (!isRecord(value)) return value;
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
  const kept = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const described = shape.properties.get(name);
    if (!described) return [[name, member]];
    return described[hidden] ? [] : [[name, ofDirection(described, member, direction)]];
  });
  return Object.fromEntries(kept);
}
