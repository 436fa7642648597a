import { randomUUID } from 'node:crypto';
import { atelier, atelierOf, kept, shown } from '../atelier.ts';
import {
  failing,
  guarding,
  invalidGets,
  listQuery,
  type MockFault,
  refuseIf,
  response,
  store,
} from '../mock-faults.ts';
import { convert, type Data, without } from '../record-changes.ts';
import { lookalikes } from '../suspect.ts';

/** Stamp and version are the service's own, whatever is sent. */
let changes = 0;
const stamps = (job: Data): Data => {
  const updatedAt = new Date(Date.now() + changes++).toISOString();
  return 'title' in job ? { ...job, updatedAt, version: changes } : job;
};
const addOwner = (job: Data): Data => {
  const { readers = [] } = job as { readers?: string[] };
  const others = readers.toReversed().filter((one) => one !== 'owner:me');
  return 'title' in job ? { ...job, readers: ['owner:me', ...others] } : job;
};
const dropNulls = (job: Data): Data =>
  Object.fromEntries(Object.entries(job).filter(([, value]) => value !== null));
const trim = convert('title', (title) => String(title).trim());
const round = convert('estimate', (hours) => Math.min(100, Math.ceil(Number(hours) / 10) * 10));

const moments = (to: (moment: string) => string) => (job: Data) =>
  ['startsAt', 'endsAt'].reduce<Data>((one, name) => convert(name, to)(one), job);
const withMilliseconds = moments((moment) => new Date(moment).toISOString());
const inBerlin = moments((moment) =>
  new Date(Date.parse(moment) + 3_600_000).toISOString().replace(/Z$/, '+01:00'),
);

const hideRemarks = response('list', (given) => ({
  ...given,
  body: String(given.body).replaceAll(/,"remarks":"[^"]*"/g, ''),
}));
const relative = response('create', (given) => {
  const { Location: location = '' } = given.headers ?? {};
  return { ...given, headers: { ...given.headers, Location: location.replace(/^https?:\/\/[^/]*/, '') } };
});
const byStateAlone = listQuery(({ where }) => ({ where: where.filter(({ key }) => key === 'state') }));

/** No service takes an end that is before the beginning, or over. */
const inOrder = refuseIf('create', ({ startsAt, endsAt }) => {
  const [start, end] = [startsAt, endsAt].map((moment) => Date.parse(String(moment)));
  return (endsAt !== undefined && Number(end) < Date.now()) || Number(start) >= Number(end);
});

const removedAgain = store(({ remove }) => {
  const removed = new Set<unknown>();
  return {
    async remove(collection, id, where, allows) {
      if (!(await remove(collection, id, where, allows))) return removed.has(id);
      removed.add(id);
      return true;
    },
  };
});

/** An id of another form than those that are given is not even missed. */
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const uuidsOnly: MockFault = {
  ...store(({ create }) => ({
    create: (of, given) => create(of, of.name === '/jobs' ? { ...given, id: randomUUID() } : given),
  })),
  ...guarding((guard, { path }) => (request) => {
    const isOther = path.startsWith('/jobs/{') && !UUID.test(request.path);
    return guard(request) ?? (isOther ? { refuse: 'gone', message: 'no such job' } : undefined);
  }),
};

/** What the document does not say of texts and numbers the service alone knows. */
const picky = refuseIf('create', ({ name, cone, layers }) => {
  if (cone === undefined) return false;
  if (!/^[\w-]+(?:\.[\w-]+)+\.$/.test(String(name))) return `'${name}' is not canonical`;
  if (!['04', '06'].includes(String(cone))) return `unknown cone: ${cone}`;
  return Number(layers ?? 1) < 1 || Number(layers ?? 1) > 5000 ? '"layers" is no number of layers' : false;
});
const ownMembers = (sent: Data): Data =>
  'cone' in sent
    ? {
        ...sent,
        kind: 'glaze',
        ...(sent.noted !== undefined && { noted: 0 }),
        ...(sent.shopAddress !== undefined && { shopGeo: '8,47' }),
      }
    : sent;

const everything = kept((sent) => stamps(addOwner(dropNulls(ownMembers(round(trim(sent) as Data) as Data)))));
const show = shown((job) => without('passphrase')(withMilliseconds(job)));

/** What documents leave open, and correct services do in their own way. */
export const atelierLookalikes = [
  ...lookalikes('atelier', atelier, [
    ['plain', 'everything is returned as it was sent', {}],
    ['501-first', 'what is invalid gets the documented 501', invalidGets(501)],
    ['409-first', 'what is invalid gets the documented 409', invalidGets(409)],
    ['401-first', 'what is invalid gets the documented 401, and no key is asked for', invalidGets(401)],
    ['name-of-a-member', 'a parameter with the name of a member filters nothing', byStateAlone],
    ['stamps', 'stamp and version are not those that were sent', kept(stamps)],
    ['owner-added', 'the owner is added to those who may read, and these have no order', kept(addOwner)],
    ['hidden-in-lists', 'a member is not shown in lists', hideRemarks],
    ['written-alone', 'a secret is never shown', shown(without('passphrase'))],
    ['null-is-absent', 'null is shown as absence', kept(dropNulls)],
    ['rounded', 'a member is rounded, as its description says', kept(round)],
    ['dates-in-order', 'an end before the beginning, or in the past, is refused', inOrder],
    ['milliseconds', 'moments are shown with milliseconds', shown(withMilliseconds)],
    ['other-zone', 'moments are shown in another time zone', shown(inBerlin)],
    ['trimmed', 'titles lose the blanks at their ends', kept(trim)],
    ['removed-again', 'what was removed can be removed again', removedAgain],
    ['relative-location', 'Location is relative', relative],
    ['picky', 'texts that mean nothing, and numbers that are too large, get the documented 400', picky],
    ['own-members', 'what has happened, or follows from another member, is set', kept(ownMembers)],
    ['unknown-worker', 'a worker who does not exist gets the documented 404', failing('/worker', 404)],
    ['unknown-worker-400', 'he gets the documented 400', failing('/worker', 400)],
    ['not-dry', 'a glaze that is not dry cannot be fired', failing('/fire', 400)],
    ['no-sample', 'a glaze has no sample', failing('/sample', 404)],
    ['no-http', 'a WebSocket is not opened by a request over HTTP', failing('/live', 400)],
    ['not-implemented', 'what is documented as not implemented is missing', failing('/forecast', 404)],
    ['unknown-tone', 'a text that nothing is found by gets the documented 404', failing('/search', 404)],
    ['all', 'all of this at once', { ...invalidGets(501), ...everything, ...show, ...failing('/fire', 400) }],
  ]),
  ...lookalikes('atelier', atelierOf(0), [
    ['uuids-only', 'an id of another form than the known ones gets 410', uuidsOnly],
  ]),
];
