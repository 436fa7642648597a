import type { Place } from '#spec';

/** What a service is held to, in a person's words. */
export const LAWS = {
  status: 'a request is answered with the documented status',
  'content-type': 'the body has a documented media type',
  encoding: 'the body is what its headers say',
  'whole-json': 'a JSON body is whole JSON',
  schema: 'the body fits the documented schema',
  header: 'the documented headers are there and fit their schemas',
  'error-status': 'an error body repeats the HTTP status',
  'unauthorised-first': 'without a good credential nothing is answered but 401',
  'invalid-refused': 'input that breaks the document is refused',
  'invalid-tolerated': 'input that breaks the document never breaks the service or its bounds',
  'unknown-id': 'what does not exist is not found',
  'page-size': 'a list is never longer than asked for',
  'complete-list': 'a list shorter than asked for lacks no record',
  'page-default': 'asking for nothing is asking for the default',
  filter: 'a filter lets through only what it names',
  'created-equals-sent': 'what was created comes back as it was sent',
  'created-can-be-read': 'what was created can be read by its id',
  'created-is-listed': 'what was created is in a complete list',
  'created-once': 'one create makes one record',
  'earlier-records-stay': 'a later request leaves earlier records as they were',
  'read-only-ignored': 'a read-only member that a client sends is never taken',
  'path-id': 'what is read by an id bears that id',
  'list-and-read-agree': 'the list and the record itself say the same',
  'distinct-ids': 'no two records have one id',
  'exact-integers': 'an integer comes back exact',
  'refused-leaves-nothing': 'a refused request leaves nothing behind',
  'replaced-is-replaced': 'a replaced record is what was sent, and keeps nothing of what it was',
  'merged-is-merged': 'an updated record has what was sent, and keeps the rest',
  'removed-is-gone': 'a removed record is nowhere to be seen',
  'neighbours-untouched': 'a change of one record leaves the others alone',
  'refused-changes-nothing': 'a refused change changes nothing',
} as const;

export type Law = keyof typeof LAWS;

/** A law broken by an answer. */
export interface Breach {
  readonly law: Law;
  /** What came, shortened for people. */
  readonly received: string;
  /** What the document says. */
  readonly documented: string;
  /** The line of the document that says it. */
  readonly at: Place;
  /** Of a list the records that it is about; the others are nothing to report. Undefined: the list as a whole. */
  readonly about?: readonly unknown[];
}
