import { isRecord } from '../json/json-type.ts';
import { roughlyFits } from './roughly-fits.ts';
import type { Shape } from './shape.ts';

/** Keywords that {@link roughlyFits} decides to the end, and those that assert nothing. */
const DECIDED = new Set([
  ...['$ref', 'allOf', 'type', 'nullable', 'enum', 'properties', 'required', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['title', 'description', 'example', 'examples', 'default', 'deprecated', 'readOnly', 'writeOnly'],
]);

const DECIDED_FORMATS = new Set<unknown>(['int32', 'int64']);

const COMPOUND = new Set<unknown>(['object', 'array']);

/**
 * Whether an object fits a schema of a response, where its members are plain: numbers, texts and flags, with bounds and
 * listed values. Undefined: only a validator can tell, and loading that costs a small mock a fifth of its start.
 */
export function plainlyFits(shape: Shape, value: unknown): boolean | undefined {
  const members = [...shape.properties.values()];
  const isPlain =
    isDecided(shape) && members.every((member) => isDecided(member) && !COMPOUND.has(member.mainType));
  if (!isPlain || !isRecord(value)) return undefined;
  // What may be missing in a response is the validator's to say.
  if ([...shape.required.keys()].some((name) => !Object.hasOwn(value, name))) return undefined;
  return roughlyFits(shape, value);
}

function isDecided({ parts }: Shape): boolean {
  return parts.every(
    ({ value }) =>
      isRecord(value) &&
      Object.entries(value).every(
        ([keyword, argument]) =>
          DECIDED.has(keyword) ||
          keyword.startsWith('x-') ||
          (keyword === 'format' && DECIDED_FORMATS.has(argument)),
      ),
  );
}
