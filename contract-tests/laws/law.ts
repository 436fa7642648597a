import type { Place } from '#spec';
import type { Exchange } from '../send/response.ts';
import type { Evidence } from './evidence.ts';

/** The laws by name, each with what a service is held to by it. */
export const LAWS = {
  status: 'a request is answered with the documented status',
  'content-type': 'the body has a documented media type',
  encoding: 'the body is encoded as its headers say',
  'whole-json': 'a JSON body is well-formed and complete',
  schema: 'the body conforms to the documented schema',
  discriminator: 'a body fits the variant that its discriminator names',
  header: 'the documented headers are present and conform to their schemas',
  'error-status': 'an error body repeats the HTTP status',
  'unauthorised-first': 'a request without a valid credential is answered 401 and nothing else',
  'invalid-refused': 'invalid input is refused',
  'invalid-tolerated': 'invalid input neither breaks the service nor exceeds the documented bounds',
  'unique-refused': 'a value that no two records may have is refused where another record has it',
  'example-accepted': 'a valid request example of the document is not refused as invalid',
  'unknown-id': 'an id that names no record is not found',
  'page-size': 'a list is never longer than the page size',
  'complete-list': 'a list shorter than its page size lacks no record',
  'page-default': 'omitting the page size equals its default',
  'distinct-pages': 'no record is on two pages of one list',
  'complete-pages': 'the pages of a list together hold every record',
  total: 'a total is never less than the records on its pages',
  filter: 'a filtered list holds exactly the records that match',
  'created-equals-sent': 'a created record is returned as it was sent',
  'created-can-be-read': 'a created record can be read by its id',
  'created-is-listed': 'a created record is in a complete list',
  'created-once': 'one create request makes one record',
  'earlier-records-stay': 'records stay as they are while others are created',
  'read-only-ignored': 'a read-only member sent by a client is never stored',
  location: 'the Location of a created record is that of this record',
  'path-id': 'a record read by an id has that id',
  'list-and-read-agree': 'a list and a read show the same record',
  'distinct-ids': 'no two records have the same id',
  'exact-integers': 'an integer is returned exactly as it was sent',
  'refused-leaves-nothing': 'a refused create leaves no record',
  'replaced-is-replaced': 'a replaced record has what was sent and nothing of its former value',
  'merged-is-merged': 'an updated record has what was sent and keeps its other members',
  'null-removes': 'null in a merge patch removes the member',
  'apart-by-parent': 'a nested record is seen below its own parent only',
  'removed-is-gone': 'a removed record is neither read nor listed',
  'neighbours-untouched': 'a change of one record leaves the others alone',
  'refused-changes-nothing': 'a refused change changes nothing',
  linearizable: 'what parallel requests leave of a record is the result of some order of them',
} as const;

/** The name of a law: a key of {@link LAWS}. */
export type LawName = keyof typeof LAWS;

/** Something that a service is held to, judged over one exchange. Pure: it sends nothing and remembers nothing. */
export interface Law {
  readonly name: LawName;
  /** Laws of the status come first, and the first breach among them is the only one. */
  readonly stage?: 'status';
  /**
   * A breach may pass with time, since replicas lag: what was sent is repeated until `--settle` is over.
   * `request`: any safe request; `sequence`: only a sequence of requests that a case repeats as a whole.
   */
  readonly settles?: 'request' | 'sequence';
  /** It is about what a sequence of requests has done; any other law is about the one response. */
  readonly about?: 'sequence';
  readonly applies: (evidence: Evidence) => boolean;
  readonly judge: (evidence: Evidence) => readonly Breach[];
}

/** The status that came, and what is documented: `422-for-400`, `500-for-4xx`, `undocumented-418`. */
export type StatusKind = `${number}-for-${number | '2xx' | '4xx'}` | `undocumented-${number}`;

/**
 * In which of several ways a law is broken: a code that stays the same whatever the values are. `missing`: what is
 * documented is not there; `unequal`: it is another value; `kept`: an old value is still there; `stray`: what does not
 * belong there is; `accepted`: what should have been refused is not; or the keyword of a schema.
 */
export type BreachKind =
  | StatusKind
  | 'missing'
  | 'unequal'
  | 'kept'
  | 'stray'
  | 'accepted'
  | { readonly keyword: string };

/** A law broken by a response. */
export interface Breach {
  readonly law: LawName;
  /** Undefined: there is one way to break the law. */
  readonly kind?: BreachKind;
  /** What came, shortened for people. */
  readonly received: string;
  /** What the document says. */
  readonly documented: string;
  /** The line of the document that says it. */
  readonly at: Place;
  /** Of a list the records that it is about; the others are nothing to report. Undefined: the list as a whole. */
  readonly about?: readonly unknown[];
  /** The exchange that shows it, where that is an earlier one. */
  readonly shownBy?: Exchange;
}
