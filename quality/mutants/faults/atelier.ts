import { atelier, kept } from '../atelier.ts';
import {
  always,
  failing,
  listQuery,
  type MockFault,
  refuseIf,
  respondTo,
  response,
  responseBody,
} from '../mock-faults.ts';
import { convert, type Data, each, set, upperCase, without } from '../record-changes.ts';
import { mutants } from '../suspect.ts';

const anHourLater = (moment: unknown) => new Date(Date.parse(String(moment)) + 3_600_000).toISOString();
const onPut = (change: (sent: Data, before: Data) => unknown): MockFault =>
  kept((sent, before) => (before ? change(sent, before) : sent));
const mergeReaders = (sent: Data, { readers: old = [] }: Data) => {
  const { readers = [] } = sent as { readers?: unknown[] };
  return { ...sent, readers: [...new Set([...(old as unknown[]), ...readers])] };
};
const locationOfAnother = response('create', (given) => ({
  ...given,
  headers: { ...given.headers, Location: '/api/jobs/1' },
}));

const keep = (name: string) => (sent: Data, before: Data) => ({ ...sent, [name]: before[name] });
const oneSpace = (title: unknown) => String(title).replace(/ +/g, ' ');
const otherRemarks = responseBody('list', (all) => each(set('remarks', 'x'))(all as never));
const hasSpace = ({ name }: Data) => / /.test(String(name));
const hasLayers = ({ layers }: Data) => layers !== undefined;

const GONE = ['unknown-id', 'removed-is-gone'] as const;
const LISTED = ['created-is-listed', 'list-and-read-agree'] as const;
const SENT = ['created-equals-sent', 'created-can-be-read', 'replaced-is-replaced'] as const;
const JSON_TYPE = 'application/json';

/** What is forgiven of correct services must not hide what is wrong. */
export const atelierMutants = mutants('atelier', atelier, SENT, [
  ['invalid-500', 'what is invalid gets 500', 'invalid-refused', respondTo('invalid', 500)],
  ['invalid-423', 'what is invalid gets an undocumented 423', 'invalid-refused', respondTo('invalid', 423)],
  ['filter-ignored', 'a filter that is promised is ignored', 'filter', listQuery(() => ({ where: [] }))],
  ['title-upper', 'titles are stored in upper case', kept(convert('title', upperCase))],
  ['title-one-space', 'spaces become one', kept(convert('title', oneSpace))],
  ['reader-lost', 'one reader is lost', kept(convert<unknown[]>('readers', (readers) => readers.slice(1)))],
  ['readers-merged', 'PUT keeps those who could read before', onPut(mergeReaders)],
  ['remarks-lost', 'a member is not stored', kept(without('remarks'))],
  ['note-null-is-text', 'null becomes a text', kept(convert('note', (note) => note ?? 'null'))],
  ['another-moment', 'a moment is stored an hour later', kept(convert('startsAt', anHourLater))],
  ['end-is-beginning', 'the end is that of the beginning', kept((job) => ({ ...job, endsAt: job.startsAt }))],
  ['put-keeps', 'PUT keeps members', onPut((sent, before) => ({ ...before, ...sent }))],
  ['put-loses', 'PUT does not store a title', onPut(set('title', 'no'))],
  ['fill-loses', 'what is put into a drawer is lost', onPut(keep('inside'))],
  ['glaze-unchanged', 'PUT does not change what it names', onPut(keep('colour'))],
  ['glaze-colour', 'the colour is lost', kept(without('colour'))],
  ['lists-other-remarks', 'lists show other remarks', LISTED, otherRemarks],
  ['location-of-another', 'Location is that of another job', 'location', locationOfAnother],
  ['rename-500', 'a label that is renamed gets 500', 'status', always('PUT', 500, '/labels')],
  ['worker-500', 'a worker who does not exist gets 500', 'status', failing('/worker', 500)],
  ['patch-500', 'a patch gets 500', 'status', always('PATCH', 500, '/jobs')],
  ['glaze-fired-500', 'what is not dry gets 500', 'status', failing('/fire', 500)],
  ['glaze-search-500', 'an unknown tone gets 500', 'status', failing('/search', 500)],
  ['glaze-switched-500', 'a glaze that is switched gets 500', 'status', always('PATCH', 500, '/glazes')],
  ['removed-again-500', 'what is not there gets 500', ['status', 'unknown-id'], respondTo('not found', 500)],
  ['glaze-words', 'names of several words are refused', 'status', refuseIf('create', hasSpace)],
  ['glaze-layers', 'a glaze with layers is refused', 'status', refuseIf('create', hasLayers)],
  ['unknown-200', 'an unknown id gets 200', GONE, respondTo('not found', 200, JSON_TYPE, '{"title":"x"}')],
]);
