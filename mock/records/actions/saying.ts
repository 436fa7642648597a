import {
  isRecord,
  type MediaType,
  memberShape,
  type Operation,
  parseJson,
  rawChild,
  type Shape,
  type Spot,
  stringifyJson,
  successOf,
} from '#spec';
import type { ResponseContent } from '../../http/exchange.ts';

/** A member for what a response says to a person. */
const SAYS = 'message';

/** Whether a schema itself says which values it has. */
const isSet = ({ value }: Spot) =>
  isRecord(value) &&
  ['example', 'examples', 'default', 'const', 'enum', 'format'].some((key) => key in value);

/**
 * Compiles what a response to a change says where it has nothing else to say it with: the description of the response,
 * `{ "message": "Member added" }`. A record has an id, and messages of its own. Undefined: there is no such member.
 */
export function compileSaying(operation: Operation, shape: Shape): ((value: unknown) => unknown) | undefined {
  const response = successOf(operation);
  const description = response && rawChild(response.spot, 'description')?.value;
  const member = memberShape(shape, SAYS);
  const isSaid = typeof description === 'string' && description !== '' && operation.method !== 'GET';
  if (!isSaid || !member || memberShape(shape, 'id') || member.parts.some(isSet)) return undefined;
  return (value) =>
    isRecord(value) && typeof value[SAYS] === 'string' ? { ...value, [SAYS]: description.trim() } : value;
}

/** With `true` for every flag that a sample has: what it says is done. */
export function affirmed(
  body: ResponseContent['body'],
  media: MediaType | undefined,
): ResponseContent['body'] {
  if (typeof body !== 'string' || !body.startsWith('{') || !media || media.examples.size > 0) return body;
  const value = parseJson(body) as Record<string, unknown>;
  for (const [name, member] of media.shape?.properties ?? []) {
    const isFlag = typeof value[name] === 'boolean' && !/error|fail/i.test(name);
    if (isFlag && member.allows(true)) value[name] = true;
  }
  return stringifyJson(value);
}
