import {
  acts,
  all,
  changes,
  does,
  type Fault,
  type FreightFaults,
  keeps,
  later,
  refuses,
  remembers,
  replies,
  shows,
} from './primitives.ts';
import type { Reply, Row } from './service.ts';

const inBerlin = (moment: string) =>
  `${new Date(Date.parse(moment) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
const times = (change: (moment: string) => string): Fault =>
  all(
    keeps('pickups', (row) => ({ ...row, ready_at: change(row.ready_at) })),
    keeps('shipments', (row) => (row.pickup_at ? { ...row, pickup_at: change(row.pickup_at) } : row)),
  );
const csvAs = (change: (csv: string) => string): Fault =>
  changes('csv', (csv) => (rows) => change(csv(rows)));

/** The ways in which correct services differ where the document leaves a choice. */
export const DIFFERENCES: FreightFaults = {
  'as-it-is': ['nothing differs', {}],
  utc: ['times are shown in UTC', times((moment) => new Date(moment).toISOString())],
  berlin: ['times are shown in another zone', times(inBerlin)],
  'no-errors': [
    'problems do not name members',
    changes('refuse', (refuse) => (status, title) => refuse(status, title)),
  ],
  'parent-pointer': [
    'the pointer of a missing member is that of the object that lacks it',
    changes(
      'pointerOf',
      () =>
        ({ instancePath }) =>
          instancePath,
    ),
  ],
  'unknown-after': [
    'an unknown id in starting_after gets 400',
    refuses(
      'listShipments',
      ({ query }, freight) =>
        query.starting_after !== undefined && !freight.has('shipments', query.starting_after),
      400,
    ),
  ],
  'both-cursors': [
    'starting_after and ending_before together get 400',
    refuses(
      'listShipments',
      ({ query }) => query.starting_after !== undefined && query.ending_before !== undefined,
      400,
    ),
  ],
  'empty-range': [
    'bounds that contradict each other get 400',
    refuses('listShipments', ({ query }) => query.weight_kg_gte > query.weight_kg_lte, 400),
  ],
  'slow-jobs': [
    'a job runs for a while',
    later((job) => {
      const { status, result, error } = job;
      if (status === 'running') return;
      Object.assign(job, { status: 'running' });
      delete job.result;
      delete job.error;
      setTimeout(() => Object.assign(job, { status }, result && { result }, error && { error }), 400);
    }),
  ],
  'running-first': [
    'a job is running at once',
    shows('startImport', (job) => ({ ...job, status: 'running' })),
  ],
  'all-states': [
    'by_status has states without shipments',
    shows('summarizeShipments', (body) => ({
      ...body,
      by_status: { draft: 0, booked: 0, in_transit: 0, delivered: 0, cancelled: 0, ...body.by_status },
    })),
  ],
  'csv-lf': ['lines of CSV end with a line feed', csvAs((csv) => csv.replaceAll('\r\n', '\n'))],
  'csv-bom': ['CSV begins with a byte order mark', csvAs((csv) => `\uFEFF${csv}`)],
  'csv-headings': [
    'headings of CSV are words',
    csvAs((csv) => csv.replace('id,code,name,country', 'Id,Code,Name of the carrier,Country')),
  ],
  'csv-quoted': [
    'all values of CSV are quoted',
    csvAs((csv) => csv.replace(/^.*$/m, '"id","code","name","country"')),
  ],
  charset: [
    'types of texts have a charset',
    replies('getInstructions', ({ status }) => (status === 200 ? { type: 'text/plain; charset=utf-8' } : {})),
  ],
  replayed: [
    'a replayed response says so in a header',
    does((freight) => {
      remembers(freight, ({ reply }) => ({
        reply: { ...reply, headers: { ...reply.headers, 'Idempotent-Replayed': 'true' } },
      }));
    }),
  ],
  'keys-of-refused': [
    'a key is remembered for refused requests, too',
    acts('createShipment', (act, freight) => {
      const refused = new Map<string, { sent: string; reply: Reply }>();
      return (ask) => {
        const key = ask.headers['idempotency-key'];
        const before = refused.get(`${key}`);
        const sent = JSON.stringify(ask.body);
        if (key && before)
          return before.sent === sent ? before.reply : freight.refuse(422, 'The key had another body');
        const reply = act(ask);
        if (key && reply.status >= 400) refused.set(key, { sent, reply });
        return reply;
      };
    }),
  ],
  'cancelled-at': [
    'further members show when it was cancelled',
    shows('cancelShipment', (body) => ({ ...body, cancelled_at: '2026-01-01T00:00:00Z' })),
  ],
  'total-too': [
    'lists have a total, too',
    shows('listShipments', (body, freight) => ({
      ...body,
      total: freight.all('shipments').length,
      url: '/v2/shipments',
    })),
  ],
  'empty-metadata': [
    'metadata that was not sent is empty, and a note null',
    all(
      keeps('shipments', (row) => ({ metadata: {}, ...row })),
      keeps('pickups', (row) => ({ note: null, ...row })),
    ),
  ],
  hint: [
    'a key shows how its secret begins',
    shows('getApiKey', (body) => ({ ...body, secret_prefix: 'key_sec' })),
  ],
  'free-charge': [
    'a charge of nothing is listed',
    shows('createQuote', (body) => ({
      ...body,
      charges: [...body.charges, { label: 'Discount', amount_cents: 0 }],
    })),
  ],
  disposition: [
    'a photo has a name',
    replies('getPhoto', ({ status }) =>
      status === 200 ? { headers: { 'Content-Disposition': 'attachment; filename="photo"' } } : {},
    ),
  ],
  'other-pdf': [
    'each PDF has its own bytes',
    replies('getLabel', ({ status, body }, freight) =>
      status === 200 ? { body: `${body}%${freight.id('n')}\n` } : {},
    ),
  ],
  uuid: ['ids are UUIDs', changes('id', () => () => crypto.randomUUID())],
  'batch-codes': [
    'refused entries have a code, and what was sent',
    shows('createDrivers', ({ results }) => ({
      results: results.map((result: Row) => (result.error ? { ...result, code: 'unknown_carrier' } : result)),
    })),
  ],
  'whole-seconds': [
    'times of the service have whole seconds',
    changes('now', () => () => `${new Date().toISOString().slice(0, 19)}Z`),
  ],
  'key-expired-at-creation': [
    'a key that has expired already is refused',
    refuses('createApiKey', ({ body }) => Date.parse(body.expires_at) <= Date.now(), 400),
  ],
};
