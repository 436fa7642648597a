import { has, joined, listed, sentencesIn, spoken, textOf } from './meaning/words.ts';
import type { Operation } from './operation.ts';

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
