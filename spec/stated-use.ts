import { has, joined, listed, sentencesIn, spoken, textOf } from './meaning/words.ts';
import type { Operation } from './operation.ts';
import type { Parameter } from './parameter.ts';

/** What summary and description of an operation say of its use. */
export interface UseMeaning {
  /** An ordinary request is no handshake (RFC 6455 §4). */
  readonly isWebSocket: boolean;
  readonly isNotImplemented: boolean;
  /** Whatever the document says of credentials elsewhere, it can be used without one, at least by some. */
  readonly isPublic: boolean;
}

const KEYS =
  'authentication|authorization|authorisation|credential|credentials|logging in|login|log in|api key|api token|access key|access token|auth token|bearer token';
const WITHOUT_KEY = [
  ...joined(
    'without|without a|without an|without any|without prior|no|not require|not require a|not require an|not require any|not need|not need a|not need an|not need any|not required',
    KEYS,
  ),
  ...joined(KEYS, 'is optional|are optional|is not needed|are not needed|is not required|are not required'),
  ...joined('unauthenticated|anonymous', 'access|user|users|client|clients|request|requests|caller|callers'),
  ...joined('public|publicly', 'accessible|available|endpoint|operation|route'),
];
/** What is refused for want of a credential, and not taken. */
const REFUSES = [
  ...listed(
    '401|403|cannot|can t|can not|must not|may not|denied|forbidden|unauthorized|unauthorised|error|errors',
  ),
  ...listed('fail|fails|failed|refuse|refuses|refused|reject|rejects|rejected'),
  ...joined('not|not be', 'possible|allowed|accessible|permitted|available'),
];

const uses = new WeakMap<Operation, UseMeaning>();

export function useMeaning(operation: Operation): UseMeaning {
  const known = uses.get(operation) ?? readUse(textOf(operation.spot));
  uses.set(operation, known);
  return known;
}

function readUse(text: string): UseMeaning {
  const whole = spoken(text);
  return {
    isWebSocket: has(whole, listed('websocket|websockets|web socket|web sockets')),
    isNotImplemented: has(whole, listed('not implemented|not yet implemented|unimplemented')),
    isPublic: sentencesIn(text).some((one) => has(one, WITHOUT_KEY) && !has(one, REFUSES)),
  };
}

const INVALID = listed(
  'invalid|malformed|unknown|expired|unrecognized|unrecognised|not valid|not a valid|broken',
);
const REFUSED = listed('400|refused|rejected|bad request|error');
const NOT_REFUSED = [
  ...listed('not refused|not rejected|not an error|ignored|ignore'),
  ...joined('start|starts|begin|begins', 'over|again|anew|from'),
];
const CURSOR = listed(
  'cursor|cursors|page token|page tokens|pagetoken|continuation token|continuation tokens|marker|markers',
);

/** Whether the document says that what is no cursor of the service is refused with 400. */
export function statesCursorRefused({ responses, spot, said }: Operation, cursor: Parameter): boolean {
  if (said.facts.refuses?.['400'] === 'cursor') return true;
  const refusal = responses.find(({ key }) => key === '400');
  if (!refusal) return false;
  const isSaid = (one: string) =>
    has(one, INVALID) && has(one, [...CURSOR, spoken(cursor.name).trim()]) && !has(one, NOT_REFUSED);
  if (isSaid(spoken(textOf(refusal.spot)))) return true;
  const sentences = [cursor.spot, spot].flatMap((one) => sentencesIn(textOf(one)));
  return sentences.some((one) => isSaid(one) && has(one, REFUSED));
}
