import { type Contract, placeOf, Shape, type Spot } from '#spec';
import { membersOf, schemasAlong } from './members.ts';

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
  contract: Contract,
  schemas: readonly Spot[],
  steps: readonly string[],
): boolean {
  return [...steps.keys(), steps.length].every((count) =>
    isRead(contract, schemasAlong(schemas, steps.slice(0, count))),
  );
}

/** Whether all that schemas say of any value below was read. */
export function wasReadToTheEnd(contract: Contract, schemas: readonly Spot[]): boolean {
  const [waiting, seen] = [[schemas], new Set<readonly Spot[]>()];
  for (let here = waiting.pop(); here; here = waiting.pop()) {
    if (seen.has(here)) continue;
    seen.add(here);
    if (!isRead(contract, here)) return false;
    const { named, others } = membersOf(here);
    waiting.push(...named.values(), others);
  }
  return true;
}

function isRead({ warnings }: Contract, schemas: readonly Spot[]): boolean {
  if (warnings.length === 0) return true;
  const odd = new Set(warnings.map(({ uri, line, column }) => `${uri}:${line}:${column}`));
  const isOdd = (spot: Spot) => {
    const { uri, line, column } = placeOf(spot);
    return odd.has(`${uri}:${line}:${column}`);
  };
  return !new Shape(schemas).parts.some((part) =>
    KEYWORDS.some((keyword) => isOdd({ ...part, path: [...part.path, keyword], value: undefined })),
  );
}
