import { type Basis, type Place, placeOf } from '#spec';
import type { Exchange } from '../send/response.ts';
import type { FreeValue } from './blame.ts';
import type { Circumstance, Evidence, SentPart } from './evidence.ts';

/**
 * What traffic of others can prove of a rule. `exchange`: a single exchange proves it, whoever sent it. `records`: it
 * follows from several exchanges, so that an unobserved client may be the reason. `own requests`: only requests that were
 * sent for it prove it.
 */
type Reach = 'exchange' | 'records' | 'own requests';

/** The rules by name: the promise, its reach in traffic of others, and what goes wrong. */
const LAW_TABLE = {
  status: ['a request is answered with the documented status', 'exchange', 'statuses'],
  'content-type': ['the body has a documented media type', 'exchange', 'bodies'],
  encoding: ['the body is encoded as its headers say', 'exchange', 'bodies'],
  'whole-json': ['a JSON body is well-formed and complete', 'exchange', 'bodies'],
  'whole-xml': ['an XML body is well-formed, with the documented root element', 'exchange', 'bodies'],
  schema: ['the body conforms to the documented schema', 'exchange', 'bodies'],
  'stream-message': ['each message of a stream conforms to the documented schema', 'exchange', 'bodies'],
  'write-only-hidden': ['a write-only member is never shown', 'exchange', 'bodies'],
  discriminator: ['a body fits the variant that its discriminator names', 'exchange', 'bodies'],
  header: ['the documented headers are present and conform to their schemas', 'exchange', 'headers'],
  'error-status': ['an error body repeats the HTTP status', 'exchange', 'bodies'],
  'unauthorised-first': [
    'a request without a valid credential is answered 401 and nothing else',
    'exchange',
    'credentials',
  ],
  'credentials-apart': [
    'the credential of a scheme that an operation does not list is refused',
    'own requests',
    'credentials',
  ],
  'ended-key': ['a key that is revoked or has expired is refused', 'own requests', 'credentials'],
  'invalid-refused': ['invalid input is refused', 'exchange', 'invalid input'],
  'invalid-tolerated': [
    'invalid input neither breaks the service nor exceeds the documented bounds',
    'exchange',
    'invalid input',
  ],
  'unique-refused': [
    'a value that no two records may have is refused where another record has it',
    'own requests',
    'invalid input',
  ],
  'unique-free': [
    'a value that no two records may have is taken where no other record has it',
    'own requests',
    'valid requests',
  ],
  'one-holder': [
    'of creates at once with a value that no two records may have one is carried out',
    'own requests',
    'at once',
  ],
  'example-accepted': [
    'a valid request example of the document is not refused as invalid',
    'own requests',
    'valid requests',
  ],
  'unknown-id': ['an id that names no record is not found', 'exchange', 'statuses'],
  'page-size': ['a list is never longer than the page size', 'exchange', 'lists'],
  'complete-list': ['a list shorter than its page size lacks no record', 'records', 'lists'],
  'page-default': ['omitting the page size equals its default', 'exchange', 'lists'],
  'distinct-pages': ['no record is on two pages of one list', 'own requests', 'lists'],
  'complete-pages': ['the pages of a list together hold every record', 'own requests', 'lists'],
  total: ['a total is never less than the records on its pages', 'records', 'lists'],
  filter: ['a filtered list holds exactly the records that match', 'exchange', 'lists'],
  order: ['a list is in the order that was asked for', 'exchange', 'lists'],
  bounds: ['a list holds only records within the bounds that were asked for', 'exchange', 'lists'],
  search: ['a search finds the record whose member is looked for', 'records', 'lists'],
  'created-equals-sent': ['a created record is returned as it was sent', 'exchange', 'records kept'],
  'created-can-be-read': ['a created record can be read by its id', 'records', 'records kept'],
  'created-is-listed': ['a created record is in a complete list', 'records', 'records kept'],
  'created-once': ['one create request makes one record', 'own requests', 'records kept'],
  'earlier-records-stay': ['records stay as they are while others are created', 'records', 'records kept'],
  'read-only-ignored': [
    'a read-only member sent by a client is never stored',
    'own requests',
    'records kept',
  ],
  location: ['the Location of a created record is that of this record', 'exchange', 'headers'],
  'path-id': ['a record read by an id has that id', 'exchange', 'records kept'],
  'list-and-read-agree': ['a list and a read show the same record', 'records', 'lists'],
  'distinct-ids': ['no two records have the same id', 'exchange', 'lists'],
  'exact-integers': ['an integer is returned exactly as it was sent', 'exchange', 'records kept'],
  'refused-leaves-nothing': ['a refused create leaves no record', 'own requests', 'records removed'],
  'replaced-is-replaced': [
    'a replaced record has what was sent and nothing of its former value',
    'records',
    'records kept',
  ],
  'merged-is-merged': [
    'an updated record has what was sent and keeps its other members',
    'records',
    'records kept',
  ],
  default: ['a member that was not sent has the default of its schema', 'exchange', 'records kept'],
  numbers: ['counts and sums agree with the list that they are of', 'exchange', 'bodies'],
  tallies: ['counts and sums agree with the records that they are of', 'own requests', 'lists'],
  'shown-once': ['a secret that a create alone describes is shown by nothing else', 'exchange', 'bodies'],
  'error-pointer': ['the pointers of a problem lead to what is wrong', 'exchange', 'bodies'],
  action: ['an action leads to the documented state', 'own requests', 'records kept'],
  'key-once': ['an idempotency key makes one record', 'own requests', 'records kept'],
  results: ['each of several records has its own result', 'own requests', 'records kept'],
  job: ['a job ends, and names what it has made', 'own requests', 'records kept'],
  'read-as-put': ['what was put at a path is read there', 'own requests', 'records kept'],
  'head-as-get': ['HEAD is answered as GET, without the body', 'own requests', 'headers'],
  'table-as-list': ['a table has the records of the list in JSON', 'own requests', 'lists'],
  'null-removes': ['null in a merge patch removes the member', 'records', 'records kept'],
  'apart-by-parent': ['a nested record is seen below its own parent only', 'own requests', 'records removed'],
  'gone-with-parent': [
    'what is found only below a record is gone when that is removed',
    'own requests',
    'records removed',
  ],
  'removed-is-gone': ['a removed record is neither read nor listed', 'records', 'records removed'],
  'neighbours-untouched': ['a change of one record leaves the others alone', 'records', 'records kept'],
  'refused-changes-nothing': ['a refused change changes nothing', 'records', 'records kept'],
  'etag-stays': ['a strong ETag stays as long as nothing changes', 'own requests', 'versions'],
  'etag-changes': ['a change that shows gives a record another strong ETag', 'own requests', 'versions'],
  'stale-refused': ['a change whose If-Match names a former version is refused', 'own requests', 'versions'],
  'current-accepted': [
    'a change whose If-Match names the current version is not refused with 412',
    'own requests',
    'versions',
  ],
  'not-modified': [
    'a read whose If-None-Match names the current version, and no other one, is answered with 304',
    'own requests',
    'versions',
  ],
  'condition-required': [
    'a change without a condition is refused where 428 is documented',
    'own requests',
    'versions',
  ],
  'one-writer': ['of changes at once that name one version one is carried out', 'own requests', 'at once'],
  callback: [
    'a callback has the documented path, method, headers and body, and comes when it is promised',
    'own requests',
    'callbacks',
  ],
  answered: ['a request gets a response', 'own requests', 'responses'],
  linearizable: [
    'what parallel requests leave of a record is the result of some order of them',
    'own requests',
    'at once',
  ],
} as const satisfies Readonly<Record<string, readonly [says: string, reach: Reach, subject: string]>>;

/** The name of a rule: a key of {@link LAWS}. */
export type LawName = keyof typeof LAW_TABLE;

/** What a broken rule affects: a report counts operations by it. */
export type Subject = (typeof LAW_TABLE)[LawName][2];

/**
 * Rules that are reported and do not gate except with `strict: statuses`: documents often omit what would excuse them,
 * such as an alternative scheme, or when a revoked key stops working.
 */
export const REPORTED_ONLY: ReadonlySet<LawName> = new Set<LawName>(['credentials-apart', 'ended-key']);

/** The promise of each rule, by name. */
export const LAWS = column(([says]) => says) as {
  readonly [Name in LawName]: (typeof LAW_TABLE)[Name][0];
};

/** The promise that a finding breaks; for a custom rule, its `says`. */
export function promiseOf({ law, documented }: Pick<Breach, 'law' | 'documented'>): string {
  return Object.hasOwn(LAWS, law) ? LAWS[law] : documented;
}

/** The reach of each rule in traffic of others. */
export const REACH: Readonly<Record<LawName, Reach>> = column(([, reach]) => reach);

export const SUBJECT: Readonly<Record<LawName, Subject>> = column(([, , subject]) => subject);

function column<T>(
  of: (row: readonly [says: string, reach: Reach, subject: Subject]) => T,
): Record<LawName, T> {
  const columns = Object.entries(LAW_TABLE).map(([name, row]) => [name, of(row)]);
  return Object.fromEntries(columns);
}

/**
 * Returns the breaches in an exchange: none, one or several; undefined: the rule does not apply. Pure: it sends nothing
 * and remembers nothing.
 */
export type Judge = (evidence: Evidence) => Broken | readonly Broken[] | undefined;

/** A promise that a service is held to, judged per exchange. */
export interface Law extends Traits {
  readonly name: LawName;
  readonly judge: Judge;
}

/** How a breach is treated. */
export interface Traits {
  /** Rules about the status come first, and only their first breach is reported. */
  readonly stage?: 'status';
  /**
   * A breach may be temporary, since replicas lag: the request is repeated until `--settle` has passed. `request`: any
   * safe request; `sequence`: only a sequence that its case repeats as a whole.
   */
  readonly settles?: 'request' | 'sequence';
  /** The rule is about the effect of a sequence; any other is about the single response. */
  readonly about?: 'sequence';
}

/** The received and the documented status: `422-for-400`, `500-for-4xx`, `undocumented-418`. */
export type StatusKind = `${number}-for-${number | '2xx' | '4xx'}` | `undocumented-${number}`;

/**
 * How a rule is broken: a code that does not depend on values. `missing`: documented but absent; `unequal`: another value;
 * `kept`: an old value remains; `stray`: an unexpected item; `accepted`: not rejected as it should be; or a schema
 * keyword.
 */
export type BreachKind =
  | StatusKind
  | 'missing'
  | 'unequal'
  | 'kept'
  | 'stray'
  | 'accepted'
  | { readonly keyword: string };

/** A violation of a rule by a response. */
export interface Breach {
  readonly law: LawName;
  /** Undefined: the rule can be broken in one way only. */
  readonly kind?: BreachKind;
  /** What was received, shortened for people. */
  readonly received: string;
  /** What is documented. */
  readonly documented: string;
  /** The position in the document that states it. */
  readonly at: Place;
  /** The affected part of the body or record: a JSON Pointer (RFC 6901). Undefined: no single part. */
  readonly part?: string;
  /** The part of the request that makes it invalid; undefined: none is known. */
  readonly sent?: SentPart;
  readonly circumstance?: Circumstance;
  /** The affected records of a list; the others are fine. Undefined: the list as a whole. */
  readonly about?: readonly unknown[];
  /** The exchange that shows it, if it is an earlier one. */
  readonly shownBy?: Exchange;
  /**
   * The made-up values that the service may have rejected. The rule is broken only where the service accepts others in
   * their place, which the whole run shows.
   */
  readonly suspects?: readonly FreeValue[];
  /** The facts that it rests on; absent: schemas and statuses alone. */
  readonly rests?: readonly (Basis | undefined)[];
}

/** A breach as a rule returns it: the name of the rule is optional. */
export type Broken = Omit<Breach, 'law'> & Partial<Pick<Breach, 'law'>>;

/** A breach of an inferred fact: it is placed at the fact's source, and its certainty is the fact's. */
export function breachOf(
  fact: Basis,
  kind: BreachKind | undefined,
  received: string,
  documented: string,
  more: Partial<Broken> = {},
): Broken {
  return { ...(kind && { kind }), received, documented, at: placeOf(fact.because), rests: [fact], ...more };
}

/** The presumed fact that a breach rests on: such a breach is worth a look and does not gate. */
export function presumedIn({ rests = [] }: Pick<Breach, 'rests'>): Basis | undefined {
  return rests.find((basis) => basis?.certainty === 'presumed');
}
