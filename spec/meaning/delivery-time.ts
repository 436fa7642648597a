import { rawChild, type Spot } from '../document/spot.ts';
import { bodyMedia } from '../media-type.ts';
import type { OutgoingOperation } from '../outgoing.ts';
import { sentencesOf } from '../stated.ts';
import type { Basis } from './basis.ts';

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

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milli)/i, 1],
  [/^s/i, 1000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
  [/^d/i, 86_400_000],
];
const NUMBERS = 'an?|one|two|three|four|five|six|seven|eight|nine|ten'.split('|');
const BOUND = new RegExp(
  String.raw`\b(?:within|(?:at the latest|no later than|not later than|no more than|not more than|in at most|in less than|in under)) (?:the (?:next|first) )?(\d+(?:\.\d+)?|${NUMBERS.join('|')})[ -]?(ms|millisec(?:ond)?s?|s|sec(?:ond)?s?|min(?:ute)?s?|hours?|hrs?|h|days?)\b(.*)$`,
  'i',
);
const SENDS =
  /\b(?:sent|sends?|deliver\w*|call(?:s|ed|back)?|callbacks?|webhooks?|post(?:s|ed)?|put|arriv\w+|fired|invoked|trigger\w*|notif\w+|comes?|emitted|dispatched|reports?|reported)\b/i;
/** What is only so in general, on a condition, or is said of the receiver and of later attempts. */
const DENIES =
  /\b(?:usual\w*|typical\w*|normal\w*|general\w*|often|most(?:ly)?|may|might|can|could|should|ought|expect\w*|about|approx\w*|around|roughly|average|best[- ]effort|aims?|tr(?:y|ies)|attempt\w*|guarantee\w*|target\w*|retr\w+|again|re-?sent|respon[ds]\w*|repl(?:y|ies)|answer\w*|acknowledg\w*|return\w*|accept\w*|process\w*|handle\w*|confirm\w*|must|ha(?:s|ve) to|needs?|time-?outs?|times? out|expir\w*|valid|if|unless|only|in case|when\w*|where|once|as soon as|not|never|before)\b/i;
const DETERMINERS = '(?:(?:the|this|that|its|their|an?|each|every|any|original|initial|triggering) )*';
/** From what the run itself sees: what was requested, and what that has done. */
const ANCHOR = new RegExp(
  String.raw`^(?:of|after|from|following) ${DETERMINERS}(?:(?:request|response|call|subscription|operation|creation|change|update|removal|deletion|receipt of ${DETERMINERS}request)(?: (?:is|was|has been) (?:sent|received|made|accepted|answered))?|\w+ (?:is|was|has been) (?:created|added|changed|updated|removed|deleted))(?=[\s]*(?:[.,;)]|$))`,
  'i',
);

/** Within which time a callback is promised to come; undefined: the document does not say it. */
export function deliveryTimeOf(outgoing: OutgoingOperation): DeliveryTime | undefined {
  const own = firstBound(outgoing.spot, () => true);
  // Of its operation what is said of its callback.
  const { owner, name } = outgoing;
  const isOfIt = (sentence: string) => /\bcallbacks?\b/i.test(sentence) || sentence.includes(name);
  return own ?? (owner && firstBound(owner.spot, isOfIt));
}

function firstBound(spot: Spot, isMeant: (sentence: string) => boolean): DeliveryTime | undefined {
  for (const sentence of sentencesOf(spot).filter(isMeant)) {
    const within = boundIn(sentence);
    if (within !== undefined)
      return { certainty: 'promised', because: rawChild(spot, 'description') ?? spot, within };
  }
  return undefined;
}

/** In milliseconds. */
function boundIn(sentence: string): number | undefined {
  const found = BOUND.exec(sentence);
  if (!found || !SENDS.test(sentence)) return undefined;
  const [, count = '', unit = '', rest = ''] = found;
  const tail = rest.trim();
  // From some other moment on, which no client sees, it is no promise that can be held against anybody.
  const behind = tail.replace(ANCHOR, '');
  if (!/^\s*(?:[.,;)]|$)/.test(behind)) return undefined;
  if (DENIES.test(sentence.slice(0, found.index)) || DENIES.test(behind)) return undefined;
  const word = NUMBERS.indexOf(count.toLowerCase());
  const amount = /^\d/.test(count) ? Number(count) : /^an?$/i.test(count) ? 1 : word;
  const [, size] = UNITS.find(([pattern]) => pattern.test(unit)) ?? [];
  return size === undefined ? undefined : amount * size;
}

const SENT_MOMENT =
  /\b(?:time|moment|date|timestamp|instant|when)\b[^.]*\b(?:callback|message|notification|webhook|request|payload|event|it|this)\b[^.]*\b(?:is|was|has been|were) (?:sent|dispatched|emitted|posted|delivered)\b|\b(?:time|moment|date|timestamp) (?:of|at) (?:sending|dispatch|delivery)\b/i;
const FIRST_ATTEMPT = /\b(?:last|next|previous|first|planned|scheduled|will be)\b/i;

/**
 * What in a callback is said to be the moment of its sending: `webhook-timestamp` of the Standard Webhooks specification, where
 * the document has `webhook-id` or `webhook-signature` beside it, and members whose description says so.
 */
export function sentMomentsOf({ parameters, body }: OutgoingOperation): readonly SentMoment[] {
  const headers = parameters.filter((one) => one.in === 'header');
  const isStandard = headers.some(({ name }) => /^webhook-(?:id|signature)$/i.test(name));
  const ofHeaders = headers.flatMap(({ name, spot }): SentMoment[] =>
    isStandard && /^webhook-timestamp$/i.test(name)
      ? [{ certainty: 'promised', because: spot, in: 'header', name: name.toLowerCase() }]
      : [],
  );
  const members = [...(bodyMedia(body)?.shape?.properties ?? [])];
  const ofBody = members.flatMap(([name, { parts }]): SentMoment[] => {
    const because = parts.find((part) =>
      sentencesOf(part).some((one) => SENT_MOMENT.test(one) && !FIRST_ATTEMPT.test(one)),
    );
    return because ? [{ certainty: 'promised', because, in: 'body', name }] : [];
  });
  return [...ofHeaders, ...ofBody];
}
