import { fileURLToPath } from 'node:url';
import { parseJson } from '#spec';
import {
  failing,
  inEach,
  invalidGets,
  listQuery,
  type MockFault,
  mockOf,
  refuseIf,
  respondTo,
  response,
  responseBody,
  store,
} from '../mock-faults.ts';
import { convert, type Data, withoutNulls } from '../record-changes.ts';
import { lookalikes, mutants, type Service } from '../suspect.ts';

const SEEDS = fileURLToPath(new URL('../../../fixtures/strangers/atelier-glazes.yaml', import.meta.url));

/** The mock of a document that leaves much open. It stores no records for a JSON Patch and workers. */
const atelier: Service<MockFault> = {
  ...mockOf('./fixtures/strangers/atelier.yaml', { count: 3, fixtures: [SEEDS] }),
  options: { exclude: ['patchJob', 'assignWorker'] },
};

/** Changes what is stored; `before` is the record that it replaces. */
const kept = (change: (sent: Data, before?: Data) => unknown): MockFault =>
  store((all) => ({
    create: (collection, input) =>
      all.create(collection, { ...input, members: change({ ...input.members }) as Data }),
    change: (collection, id, where, edit, allows) => {
      const changed = (text: string) => {
        const input = edit(text);
        return { ...input, members: change({ ...input.members }, parseJson(text) as Data) as Data };
      };
      return all.change(collection, id, where, changed, allows);
    },
  }));

/** Changes how records are shown. */
const showAs = (change: (record: Data) => unknown): MockFault =>
  inEach(['list', 'create', 'read', 'replace'], (name) =>
    responseBody(name, (body) => (Array.isArray(body) ? body.map(change) : change(body))),
  );

const anHourLater = (moment: unknown) => new Date(Date.parse(String(moment)) + 3_600_000).toISOString();
const anHourOff = (moment: unknown) => anHourLater(moment).replace(/Z$/, '+01:00');
const GONE = ['unknown-id', 'removed-is-gone'] as const;
const SENT = ['created-equals-sent', 'created-can-be-read', 'replaced-is-replaced'] as const;
const JSON_TYPE = 'application/json';

/** The tolerance for correct services must not hide real faults. */
const atelierMutants = mutants('atelier', atelier, SENT, {
  'invalid-423': ['what is invalid gets an undocumented 423', 'invalid-refused', respondTo('invalid', 423)],
  'filter-ignored': ['a filter that is promised is ignored', 'filter', listQuery(() => ({ where: [] }))],
  'another-moment': ['a moment is stored an hour later', kept(convert('startsAt', anHourLater))],
  'put-keeps': ['PUT keeps members', kept((sent, before) => ({ ...before, ...sent }))],
  'unknown-200': ['an unknown id gets 200', GONE, respondTo('not found', 200, JSON_TYPE, '{"title":"x"}')],
});

/** The service sets stamp and version itself, whatever is sent. */
const addOwner = (job: Data): Data => {
  const { readers = [] } = job as { readers?: string[] };
  const others = readers.toReversed().filter((reader) => reader !== 'owner:me');
  return 'title' in job ? { ...job, readers: ['owner:me', ...others] } : job;
};
const trim = convert('title', (title) => String(title).trim());
const round = convert('estimate', (hours) => Math.min(100, Math.ceil(Number(hours) / 10) * 10));

const inBerlin = (job: Data) =>
  ['startsAt', 'endsAt'].reduce<Data>((one, name) => convert(name, anHourOff)(one), job);

const hideRemarks = response('list', (reply) => ({
  ...reply,
  body: String(reply.body).replaceAll(/,"remarks":"[^"]*"/g, ''),
}));
const byStateAlone = listQuery(({ where }) => ({ where: where.filter(({ key }) => key === 'state') }));

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

/** Only the service knows which texts and numbers it accepts, since the document does not say. */
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

/** Differences between correct services where documents leave a choice. */
const atelierLookalikes = [
  ...lookalikes('atelier', atelier, {
    '501-first': ['what is invalid gets the documented 501', invalidGets(501)],
    '401-first': ['what is invalid gets the documented 401, and no key is asked for', invalidGets(401)],
    'name-of-a-member': ['a parameter with the name of a member filters nothing', byStateAlone],
    'owner-added': ['the owner is added to those who may read, and these have no order', kept(addOwner)],
    'hidden-in-lists': ['a member is not shown in lists', hideRemarks],
    'null-is-absent': ['null is shown as absence', kept(withoutNulls)],
    rounded: ['a member is rounded, as its description says', kept(round)],
    'other-zone': ['moments are shown in another time zone', showAs(inBerlin)],
    trimmed: ['titles lose the blanks at their ends', kept(trim)],
    'removed-again': ['what was removed can be removed again', removedAgain],
    picky: ['texts that mean nothing, and numbers that are too large, get the documented 400', picky],
    'own-members': ['what has happened, or follows from another member, is set', kept(ownMembers)],
  }),
  ...lookalikes('atelier', atelier, { 'not-dry': ['a glaze cannot be fired', failing('/fire', 400)] }, 4),
];

export const atelierSuspects = {
  'what names and words do not promise': [atelierMutants, atelierLookalikes],
} as const;
