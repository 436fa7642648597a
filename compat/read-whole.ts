import { type Contract, placeOf, Shape, type Spot } from '#spec';
import { schemasAlong } from './members.ts';

/** What is ignored with a warning, or read as less than it says, when Paddock does not support it or cannot use it. */
const KEYWORDS = [
  ...['$dynamicRef', '$recursiveRef', '$ref', '$id', 'type', 'format', 'pattern', 'enum', 'const'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'items', 'properties', 'required'],
  ...['additionalProperties', 'patternProperties', 'discriminator', 'minimum', 'maximum', 'multipleOf'],
];

/**
 * Whether all that schemas say on the way to a value was read: where something was ignored, a value that seems to fit
 * is no evidence.
 */
export function wasReadWhole(
  { warnings }: Contract,
  schemas: readonly Spot[],
  steps: readonly string[],
): boolean {
  if (warnings.length === 0) return true;
  const odd = new Set(warnings.map(({ uri, line, column }) => `${uri}:${line}:${column}`));
  const isOdd = (spot: Spot) => {
    const { uri, line, column } = placeOf(spot);
    return odd.has(`${uri}:${line}:${column}`);
  };
  const onTheWay = [...steps.keys(), steps.length].flatMap((count) =>
    schemasAlong(schemas, steps.slice(0, count)),
  );
  const parts = new Shape([...new Set(onTheWay)]).parts;
  return !parts.some((part) =>
    KEYWORDS.some((keyword) => isOdd({ ...part, path: [...part.path, keyword], value: undefined })),
  );
}
