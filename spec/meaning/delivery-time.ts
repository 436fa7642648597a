import { bodyMedia } from '../media-type.ts';
import type { OutgoingOperation } from '../outgoing.ts';
import { type Basis, basisOf } from './basis.ts';
import { foldedName, wordsOf } from './names.ts';

/** A callback is said to be sent so soon after what causes it. */
export interface DeliveryTime extends Basis {
  /** In milliseconds. */
  readonly within: number;
}

/** Something in a callback that says when it was sent. */
export interface SentMoment extends Basis {
  readonly in: 'header' | 'body';
  /** Of the header, in lower case, or of the member. */
  readonly name: string;
}

/** Within which time a callback comes, as `x-paddock` says at it or at its operation; undefined: nobody knows. */
export function deliveryTimeOf({ said, owner }: OutgoingOperation): DeliveryTime | undefined {
  for (const { facts, at } of [said, ...(owner ? [owner.said] : [])]) {
    const spot = at('within');
    if (facts.within !== undefined && spot) return { within: facts.within, ...basisOf(['said'], spot) };
  }
  return undefined;
}

const OUTCOMES = 'fail error err reject declin cancel expir timeout retr warn alert problem'.split(' ');

/** Whether a callback is named after an outcome that need not come about: a failure, say. */
export function mayNotCome({ name }: OutgoingOperation): boolean {
  const words = [...wordsOf(name), foldedName(name)];
  return OUTCOMES.some((stem) => words.some((word) => word.startsWith(stem)));
}

const SENT = ['sentat', 'senton', 'senttime', 'sendingtime', 'dispatchedat'];

/**
 * What in a callback is the moment of its sending: `webhook-timestamp` of the Standard Webhooks specification, where the
 * document has `webhook-id` or `webhook-signature` beside it, and a member with such a name and the format of a moment.
 */
export function sentMomentsOf({ parameters, body }: OutgoingOperation): readonly SentMoment[] {
  const headers = parameters.filter((one) => one.in === 'header');
  const named = (name: string) => headers.find((one) => one.name.toLowerCase() === name);
  const timestamp = (named('webhook-id') ?? named('webhook-signature')) && named('webhook-timestamp');
  const ofBody = [...(bodyMedia(body)?.shape?.properties ?? [])].flatMap(([name, member]): SentMoment[] =>
    SENT.includes(foldedName(name)) && member.find('format')?.value === 'date-time'
      ? [{ in: 'body', name, ...basisOf(['name', 'schema'], member.spot) }]
      : [],
  );
  if (!timestamp) return ofBody;
  return [{ in: 'header', name: 'webhook-timestamp', ...basisOf(['said'], timestamp.spot) }, ...ofBody];
}
