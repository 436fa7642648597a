import { atelier, type Habits, problem } from '../by-hand/atelier.ts';
import type { GlazeHabits } from '../by-hand/glazes.ts';
import { convert, type Data, set, upperCase, without } from '../record-changes.ts';
import { mutants } from '../suspect.ts';

const kept = (change: (job: Data, before: Data | undefined) => unknown): Partial<Habits> => ({
  kept: (sent, before) => change(sent, before) as Data,
});
const anHourLater = convert('startsAt', (moment) =>
  new Date(Date.parse(String(moment)) + 3_600_000).toISOString(),
);
const oneSpace = convert('title', (title) => String(title).replace(/ +/g, ' '));
const dropReader = convert('readers', (readers) => (readers as string[]).slice(1));
const mergeReaders = (sent: Data, before: Data | undefined): Data => {
  const [old = [], wanted = []] = [before?.readers, sent.readers] as (readonly string[] | undefined)[];
  return { ...sent, readers: [...new Set([...old, ...wanted])] };
};
const onPut = (change: (job: Data) => unknown) => (sent: Data, before: Data | undefined) =>
  before ? change(sent) : sent;
const inLists =
  (change: (job: Data) => unknown): Habits['show'] =>
  (job, place) =>
    (place === 'list' ? change(job) : job) as Data;
const addAll: Habits['matches'] = () => true;

/** A fault of the glazes. */
const glazes = (habits: Partial<GlazeHabits>): Partial<Habits> => ({ glazes: habits });

const LISTED = ['created-is-listed', 'list-and-read-agree'] as const;
const SENT = ['created-equals-sent', 'created-can-be-read'] as const;
const GONE = ['unknown-id', 'removed-is-gone'] as const;

/** What is forgiven of correct services must not hide what is wrong. */
export const atelierMutants = mutants('atelier', atelier, SENT, [
  ['invalid-500', 'what is invalid gets 500', 'invalid-refused', { invalid: () => problem(500) }],
  [
    'invalid-423',
    'what is invalid gets an undocumented 423',
    'invalid-refused',
    { invalid: () => problem(423) },
  ],
  ['filter-ignored', 'a filter that is promised is ignored', 'filter', { matches: addAll }],
  ['title-upper', 'titles are stored in upper case', kept(convert('title', upperCase))],
  ['title-one-space', 'consecutive spaces become one', kept(oneSpace)],
  ['reader-lost', 'one of those who may read is lost', kept(dropReader)],
  ['readers-merged', 'PUT keeps those who could read before', 'replaced-is-replaced', kept(mergeReaders)],
  ['remarks-lost', 'a member is not stored', kept(without('remarks'))],
  ['note-null-is-text', 'null becomes a text', kept(convert('note', (note) => note ?? 'null'))],
  ['another-moment', 'a moment is stored an hour later', kept(anHourLater)],
  [
    'end-is-beginning',
    'the end is stored as the beginning',
    kept((job) => ({ ...job, endsAt: job.startsAt })),
  ],
  ['lists-other-remarks', 'lists show other remarks', LISTED, { show: inLists(set('remarks', 'other')) }],
  ['put-loses', 'PUT loses a member', 'replaced-is-replaced', kept(onPut(without('title')))],
  [
    'put-keeps',
    'PUT keeps members',
    'replaced-is-replaced',
    kept((sent, before) => ({ ...before, ...sent })),
  ],
  ['rename-500', 'a label that is renamed gets 500', 'status', { rename: () => problem(500) }],
  ['fill-loses', 'what is put into a drawer is lost', 'replaced-is-replaced', { fill: (drawer) => drawer }],
  ['worker-500', 'a worker who does not exist gets 500', 'status', { assign: () => problem(500) }],
  ['patch-500', 'a patch gets 500', 'status', { patch: () => problem(500) }],
  [
    'removed-again-500',
    'what was removed gets 500 when it is removed again',
    'status',
    { removedAgain: () => problem(500) },
  ],
  ['location-of-another', 'Location is that of another job', 'location', { location: () => '/api/jobs/1' }],
  [
    'glaze-words',
    'names of several words are refused',
    'status',
    glazes({ objection: ({ name }) => (/ /.test(String(name)) ? `'${name}'` : undefined) }),
  ],
  [
    'glaze-cone-needless',
    'a glaze with layers is refused',
    'status',
    glazes({ objection: ({ layers }) => (layers === undefined ? undefined : 'no "layers"') }),
  ],
  ['glaze-colour', 'the colour is lost', SENT, glazes({ kept: without('colour') as GlazeHabits['kept'] })],
  [
    'glaze-unchanged',
    'PUT does not change what it names',
    'replaced-is-replaced',
    glazes({ changed: (glaze) => glaze }),
  ],
  ['glaze-fired-500', 'what is not dry gets 500', 'status', glazes({ fired: 500 })],
  ['glaze-search-500', 'an unknown tone gets 500', 'status', glazes({ search: () => 500 })],
  ['glaze-switched-500', 'a glaze that is switched gets 500', 'status', glazes({ switched: () => 500 })],
  ['unknown-200', 'an unknown id gets 200', GONE, { missing: () => ({ status: 200, body: { title: 'x' } }) }],
]);
