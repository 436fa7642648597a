import type { Spot } from '../document/spot.ts';
import { oncePer } from '../json/once-per.ts';
import { bodyMedia } from '../media-type.ts';
import type { Operation } from '../operation.ts';
import { describesRefusal, responseFor } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { type Basis, basisOf } from './basis.ts';
import { has, joined, listed, sentencesIn, spoken, textOf } from './words.ts';

/**
 * Conditions that descriptions put on a request beyond its schemas, such as `at least one of`: refusing what the schemas allow
 * may be correct then. These are words alone: they can withdraw a promise, and never make one.
 */

/** Phrases for conditions on several members, or on earlier requests. */
const CONDITIONS = [
  ...joined('at least|at most|exactly|not more than|no more than|only|one', 'one|one of|two of|once'),
  ...joined('only|required|mandatory|needed|necessary|possible|valid', 'if|when|for|while|with'),
  ...joined(
    'must|has to|have to|needs to|need to',
    'be|have|not|exist|match|contain|belong|refer|name|point',
  ),
  ...joined('cannot|can not|can only|may only|may not|must not', 'be'),
  ...joined('where|if|when|as long as', 'there is none|there is no|there are no|none|no'),
  ...joined('is|are|will be|gets|get', 'refused|rejected|declined|an error'),
  ...joined('not', 'allowed|permitted|possible|yet'),
  ...listed('mutually exclusive|unless|provided that|depends on|fails|conflict~|only persisted|already'),
];

/** Phrases that say that a request must name one of several things. */
const CHOSEN = joined('for|of|in', 'a specific|a given|the specified|the given');

/** Words for the syntax of a value whose schema accepts any text. */
const FORMS = listed('format|formatted|encoded|base64|url|uri|xml|json|yaml|regex|regular expression|cron');

/** Phrases that say that only one of several members has an effect. */
const CHOICES = [
  ...joined('only|at most|exactly|either|not more than|no more than', 'one|one of'),
  ...listed('mutually exclusive|read only'),
];

/** Words that give a reason for a refusal other than that the request is invalid. */
const REASONS = listed(
  'if|when|where|unless|because|since|must|cannot|only|already|without|no|not|none|exceed~|unknown',
);
const INVALID = listed(
  'valid|invalid|validation|malformed|syntax|schema|bad|wrong|incorrect|error|errors|missing|found|parse~|unprocessable|authenticat~|authoriz~',
);

/** Words that say that a record is stored only under a condition, or for a limited time. */
const KEPT = listed('persist~|store~|kept|saved|retained|remembered|written');
const SOMETIMES = listed('only|not|never|unless|if|when|until|except');
const PASSING = [
  ...joined(
    'removed|deleted|purged|discarded|dropped|expires|expire',
    'after|automatically|once|when|by itself',
  ),
  ...listed('dry run|temporary|temporarily|transient|ephemeral|short lived|asynchronously|in the background'),
];

/** Phrases that say that a removed record stays visible. */
const STAYING = [
  ...joined('soft', 'delete|deletes|deleted|deletion'),
  ...joined('is|are|can be|may be|be', 'archived|restored|recovered|undeleted|kept'),
  ...joined('remains|remain|stays|stay|still|is|are', 'readable|visible|shown|listed|available|accessible'),
  ...listed('archives|archive|trash|recycle bin|marked as|marks as|flagged as|deactivates|disables'),
];

/** Phrases that say that an operation needs no credential, and words of sentences about other cases. */
const OPEN = [
  ...joined('not', 'authenticated|require authentication|need authentication'),
  ...joined('no|without', 'authentication|credential|credentials|login|logging in'),
  ...listed('unauthenticated access|unauthenticated requests|public endpoint|publicly accessible'),
];
const OTHERWISE = listed('if|when|unless|otherwise|error|fails|refused|rejected');

/** Phrases of errors for what does not exist. */
const MISSING = [...joined('not', 'exist|found|known'), ...listed('no such|unknown|nonexistent')];

/** How deep nested members are searched. */
const DEEPEST = 3;

/** The places with descriptions: the operation, its parameters, its body and the members of the body. */
function* placesOf({ spot, parameters, body }: Operation): Generator<Spot> {
  yield spot;
  for (const parameter of parameters) yield* [parameter.spot, ...parameter.shape.parts];
  if (body) yield body.spot;
  const shape = bodyMedia(body)?.shape;
  if (shape) yield* placesIn(shape, DEEPEST);
}

function* placesIn(shape: Shape, depth: number): Generator<Spot> {
  yield* shape.parts;
  if (depth === 0) return;
  for (const form of [shape, ...shape.alternatives])
    for (const member of form.properties.values()) yield* placesIn(member, depth - 1);
}

const saying = (spot: Spot | undefined, isMeant: (sentence: string) => boolean): Basis | undefined =>
  spot && sentencesIn(textOf(spot)).some(isMeant) ? basisOf(['words'], spot) : undefined;

const askedIn = (spot: Spot) => saying(spot, (one) => has(one, CONDITIONS));

const askedBy = oncePer((operation: Operation): Basis | undefined => {
  const all = placesOf(operation).map(askedIn);
  return all.find((basis) => basis !== undefined);
});

/**
 * A condition that an operation states in words alone, in general or for a refusal that it documents; where it documents none,
 * one in its own description. Undefined: it states none.
 */
export function conditionOf(operation: Operation, status: number): Basis | undefined {
  const { responses } = operation;
  const { spot } = responseFor(responses, status) ?? {};
  // A path parameter already says which record is meant; without one, the request may have to say it.
  const isChosen = (one: string) => !operation.path.includes('{') && has(one, CHOSEN);
  if (!spot && describesRefusal(responses)) return undefined;
  if (!spot) return askedIn(operation.spot) ?? saying(operation.spot, isChosen);
  const isReason = (one: string) => has(one, REASONS) && !has(one, INVALID);
  // Whether the record of a path exists is no condition on the request.
  return askedBy(operation) ?? (status === 404 ? undefined : saying(spot, isReason));
}

/** Whether the operation's own description mentions a status, as for faults outside the request. Undefined: it does not. */
export const namedStatusOf = ({ spot }: Operation, status: number): Basis | undefined =>
  saying(spot, (sentence) => has(sentence, [String(status)]));

/** Words that let requests without a credential in, whatever the document requires of all operations. Undefined: there are none. */
export const opennessOf = ({ spot }: Operation): Basis | undefined =>
  saying(spot, (sentence) => has(sentence, OPEN) && !has(sentence, OTHERWISE));

/** Whether an error says that something does not exist. */
export const saysMissing = (text: string): boolean => has(spoken(text), MISSING);

/** A condition on a member's value that its description states in words alone. Undefined: it states none. */
export const demandedOf = ({ parts }: Shape): Basis | undefined =>
  parts.flatMap((part) => saying(part, (one) => has(one, FORMS) || has(one, CONDITIONS)) ?? [])[0];

/** Words that say that only one of several members is kept. Undefined: there are none. */
export const chosenIn = oncePer((member: Shape): Basis | undefined => {
  const all = placesIn(member, DEEPEST).map((spot) => saying(spot, (one) => has(one, CHOICES)));
  return all.find((basis) => basis !== undefined);
});

/** Words that say that a removed record stays visible. Undefined: there are none. */
export function retentionOf({ spot }: Operation): Basis | undefined {
  return saying(spot, (sentence) => has(sentence, STAYING));
}

/** Words that say that a created record may be gone afterwards. Undefined: there are none. */
export function transienceOf({ spot, responses }: Operation): Basis | undefined {
  const isPassing = (one: string) => (has(one, KEPT) && has(one, SOMETIMES)) || has(one, PASSING);
  const successes = responses.filter(({ key }) => key.startsWith('2'));
  return [spot, ...successes.map((success) => success.spot)].flatMap(
    (one) => saying(one, isPassing) ?? [],
  )[0];
}
