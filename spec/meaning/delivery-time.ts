import { bodyMedia } from '../media-type.ts';
import type { OutgoingOperation } from '../outgoing.ts';
import { type Basis, basisOf } from './basis.ts';
import { foldedName, wordsOf } from './names.ts';

/** How soon a callback must be sent after the request that causes it. */
export interface DeliveryTime extends Basis {
  /** In milliseconds. */
  readonly within: number;
}

/** A header or member of a callback with the moment of its sending. */
export interface SentMoment extends Basis {
  readonly in: 'header' | 'body';
  /** The header's name in lower case, or the member's name. */
  readonly name: string;
}

/** The delivery time that `x-paddock` says at a callback or at its operation; undefined: it says none. */
export function deliveryTimeOf({ said, owner }: OutgoingOperation): DeliveryTime | undefined {
  for (const { facts, at } of [said, ...(owner ? [owner.said] : [])]) {
    const spot = at('within');
    if (facts.within !== undefined && spot) return { within: facts.within, ...basisOf(['said'], spot) };
  }
  return undefined;
}

const OUTCOMES = 'fail error err reject declin cancel expir timeout retr warn alert problem'.split(' ');

/** Whether a callback's name is that of an outcome that may never happen, such as a failure. */
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
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  const named = (name: string) => headers.find((header) => header.name.toLowerCase() === name);
  const timestamp = (named('webhook-id') ?? named('webhook-signature')) && named('webhook-timestamp');
  const ofBody = [...(bodyMedia(body)?.shape?.properties ?? [])].flatMap(([name, member]): SentMoment[] =>
    SENT.includes(foldedName(name)) && member.find('format')?.value === 'date-time'
      ? [{ in: 'body', name, ...basisOf(['name', 'schema'], member.spot) }]
      : [],
  );
  if (!timestamp) return ofBody;
  return [{ in: 'header', name: 'webhook-timestamp', ...basisOf(['said'], timestamp.spot) }, ...ofBody];
}
