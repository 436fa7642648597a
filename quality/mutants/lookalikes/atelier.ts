import { atelier, type Habits, plain, problem } from '../by-hand/atelier.ts';
import type { GlazeHabits } from '../by-hand/glazes.ts';
import { convert, type Data, without } from '../record-changes.ts';
import { lookalikes } from '../suspect.ts';

const OWNER = 'owner:me';
let changes = 0;

/** Stamp and version are the service's own, whatever is sent. */
const stamps = (job: Data): Data => ({
  ...job,
  updatedAt: new Date(Date.now() + changes++).toISOString(),
  version: changes,
});
const addOwner = (job: Data): Data => {
  const readers = (job.readers ?? []) as readonly string[];
  return { ...job, readers: [OWNER, ...readers.toReversed().filter((one) => one !== OWNER)] };
};
const dropNulls = (job: Data): Data =>
  Object.fromEntries(Object.entries(job).filter(([, value]) => value !== null));
const moments = (to: (moment: string) => string) => (job: Data) =>
  ['startsAt', 'endsAt'].reduce<Data>((one, name) => convert(name, to)(one), job);
const withMilliseconds = moments((moment) => new Date(moment).toISOString());
const inBerlin = moments((moment) =>
  new Date(Date.parse(moment) + 3_600_000).toISOString().replace(/Z$/, '+01:00'),
);
const trim = convert('title', (title) => String(title).trim());
const round = convert('estimate', (hours) => Math.min(100, Math.ceil(Number(hours) / 10) * 10));

const kept = (change: (job: Data) => Data): Partial<Habits> => ({ kept: change });
const shown = (change: (job: Data) => Data): Partial<Habits> => ({ show: change });
const hideRemarks: Habits['show'] = (job, place) => (place === 'list' ? without('remarks')(job) : job);

/** No service takes an end that is before the beginning, or over. */
const inOrder: Habits['objection'] = ({ startsAt, endsAt }) => {
  const [start, end] = [startsAt, endsAt].map((moment) => Date.parse(String(moment)));
  const isOver = endsAt !== undefined && Number(end) < Date.now();
  return isOver || Number(start) >= Number(end) ? problem(400, 'it ends too early') : undefined;
};

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const uuidsOnly: Habits['missing'] = (id) => problem(UUID.test(id) ? 404 : 410);

const CONES = ['04', '06'];
/** What the document does not say of texts and numbers the service alone knows. */
const pickyGlazes: Partial<GlazeHabits> = {
  unique: true,
  objection({ name, cone, layers }) {
    if (!/^[\w-]+(?:\.[\w-]+)+\.$/.test(String(name))) return `'${name}' is not canonical`;
    if (!CONES.includes(String(cone))) return `unknown cone: ${cone}`;
    return Number(layers ?? 1) < 1 || Number(layers ?? 1) > 5000
      ? `"layers" is no number of layers`
      : undefined;
  },
};
const ownMembers: Partial<GlazeHabits> = {
  kept: (sent) => ({
    ...sent,
    kind: 'glaze',
    ...(sent.noted !== undefined && { noted: 0 }),
    ...(sent.shopAddress !== undefined && { shopGeo: '8,47' }),
  }),
};
const notNow: Partial<GlazeHabits> = {
  fired: 400,
  sample: 404,
  live: 400,
  forecast: 404,
  search: () => 400,
  switched: ({ active }) => (active === undefined ? 400 : 200),
};

const all: Partial<Habits> = {
  invalid: () => problem(501),
  kept: (sent) => stamps(addOwner(dropNulls(round(trim(sent)) as Data))),
  objection: inOrder,
  show: (job, place) => without('passphrase')(withMilliseconds(hideRemarks(job, place))),
  location: (id) => `/api/jobs/${id}`,
  removedAgain: () => ({ status: 204 }),
  assign: () => problem(404),
  glazes: { ...pickyGlazes, ...ownMembers, ...notNow },
};

/** What documents leave open, and correct services do in their own way. */
export const atelierLookalikes = lookalikes('atelier', atelier, [
  ['plain', 'everything is returned as it was sent', {}],
  ['501-first', 'what is invalid gets the documented 501', { invalid: () => problem(501) }],
  ['409-first', 'what is invalid gets the documented 409', { invalid: () => problem(409) }],
  [
    '401-first',
    'what is invalid gets the documented 401, and no key is asked for',
    { invalid: () => problem(401) },
  ],
  ['name-of-a-member', 'a parameter with the name of a member filters nothing', { matches: plain.matches }],
  ['stamps', 'stamp and version are not those that were sent', kept(stamps)],
  ['owner-added', 'the owner is added to those who may read, and these have no order', kept(addOwner)],
  ['hidden-in-lists', 'a member is not shown in lists', { show: hideRemarks }],
  ['written-alone', 'a secret is never shown', shown(without('passphrase'))],
  ['null-is-absent', 'null is shown as absence', kept(dropNulls)],
  ['rounded', 'a member is rounded, as its description says', kept((job) => round(job) as Data)],
  ['dates-in-order', 'an end before the beginning, or in the past, is refused', { objection: inOrder }],
  ['unknown-worker', 'a worker who does not exist gets the documented 404', { assign: () => problem(404) }],
  [
    'unknown-worker-400',
    'a worker who does not exist gets the documented 400',
    { assign: () => problem(400) },
  ],
  ['milliseconds', 'moments are shown with milliseconds', shown(withMilliseconds)],
  ['other-zone', 'moments are shown in another time zone', shown(inBerlin)],
  ['trimmed', 'titles lose the blanks at their ends', kept((job) => trim(job) as Data)],
  ['removed-again', 'what was removed can be removed again', { removedAgain: () => ({ status: 204 }) }],
  ['relative-location', 'Location is relative', { location: (id) => `/api/jobs/${id}` }],
  ['uuids-only', 'an id of another form than the known ones gets 410', { missing: uuidsOnly }],
  [
    'picky',
    'texts that mean nothing, numbers that are too large and names of others get the documented 400',
    { glazes: pickyGlazes },
  ],
  [
    'own-members',
    'what is always the same, has happened or follows from another member is set',
    { glazes: ownMembers },
  ],
  [
    'not-now',
    'what a glaze is not ready for, and what is no request over HTTP, gets a documented refusal',
    { glazes: notNow },
  ],
  [
    'unknown-tone',
    'a text that nothing is found by gets the documented 404',
    { glazes: { search: () => 404 } },
  ],
  ['all', 'all of this at once', all],
]);
