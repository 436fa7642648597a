import {
  acts,
  anyReference,
  type FreightFaults,
  first,
  keeps,
  later,
  moves,
  noKey,
  refuses,
  remembers,
  replies,
  rowOf,
  shows,
} from './primitives.ts';
import type { Row } from './service.ts';

export const STATES_FAULTS: FreightFaults = {
  'book-cancelled': [
    '"A shipment in any other state is refused with 409": cancelled ones are booked',
    moves('bookShipment', ['draft', 'cancelled'], 'booked'),
  ],
  'book-twice': [
    '"A shipment in any other state is refused with 409": booked ones are not',
    moves('bookShipment', ['draft', 'booked'], 'booked'),
  ],
  'dispatch-draft': [
    'dispatch: a draft is not refused',
    moves('dispatchShipment', ['draft', 'booked'], 'in_transit'),
  ],
  'deliver-booked': [
    'deliver: a booked one is not refused',
    moves('deliverShipment', ['booked', 'in_transit'], 'delivered'),
  ],
  'cancel-delivered': [
    'cancel: "Later it is refused with 409"',
    moves('cancelShipment', ['draft', 'booked', 'in_transit', 'delivered'], 'cancelled'),
  ],
  'cancel-booked-not': [
    'cancel: "draft or booked becomes cancelled": booked ones are refused',
    moves('cancelShipment', ['draft'], 'cancelled'),
  ],
  'dispatch-never': [
    'dispatch: "A booked shipment becomes in_transit": it is refused',
    moves('dispatchShipment', ['in_transit'], 'in_transit'),
  ],
  'book-shown-only': [
    'book: it is shown as booked, and stays a draft',
    first('bookShipment', (freight, ask) => {
      const row = rowOf(freight, 'shipments', ask);
      if (row.status === 'booked') row.status = 'draft';
    }),
  ],
  'deliver-other': ['deliver: it becomes booked', moves('deliverShipment', ['in_transit'], 'booked')],
  'no-delivered-at': [
    'deliver: "`delivered_at` is set"',
    first('deliverShipment', (freight, ask) => {
      delete rowOf(freight, 'shipments', ask).delivered_at;
    }),
  ],
  'refused-changed': [
    'cancel: what is refused is cancelled all the same',
    first('cancelShipment', (freight, ask) => {
      const row = rowOf(freight, 'shipments', ask);
      if (row.id) row.status = 'cancelled';
    }),
  ],
  'update-booked': [
    'update: "Only a draft may be changed"',
    acts('updateShipment', (act, freight) => (ask) => {
      const row = rowOf(freight, 'shipments', ask);
      const { status } = row;
      if (row.id) row.status = 'draft';
      const reply = act(ask);
      if (row.id) row.status = status;
      return reply.status === 200 ? { ...reply, body: freight.showShipment(row) } : reply;
    }),
  ],
  'delete-booked': [
    'delete: "Only a draft can be deleted"',
    first('deleteShipment', (freight, ask) => {
      freight.rows.shipments = freight.all('shipments').filter(({ id }) => id !== ask.params.shipment_id);
    }),
  ],
  'delete-booked-204': [
    'delete: "others get 409": they get 204',
    acts('deleteShipment', (act, freight) => (ask) => {
      const row = rowOf(freight, 'shipments', ask);
      if (row.id) row.status = 'draft';
      return act(ask);
    }),
  ],
  'pay-twice': ['pay: "One that is paid is refused with 409"', moves('payInvoice', ['open', 'paid'], 'paid')],
  'pay-200-open': [
    'pay: the invoice stays open',
    first('payInvoice', (freight, ask) => {
      const row = rowOf(freight, 'invoices', ask);
      if (row.id) row.status = 'open';
    }),
  ],
  'pay-refused-500': [
    'pay: a paid one gets 500',
    replies('payInvoice', ({ status }) => (status === 409 ? { status: 500 } : {})),
  ],
  'new-is-booked': [
    '"A new shipment is a draft"',
    keeps('shipments', (row) => ({ ...row, status: 'booked' })),
  ],
  'key-ignored': ['createShipment: the same key and body make two', noKey('createShipment')],
  'key-ignored-invoice': ['createInvoice: the same key and body make two', noKey('createInvoice')],
  'key-other-body': [
    '"The same key with another body is refused with 422": it gets the first response',
    acts('createShipment', (act, freight) => {
      let last = '';
      remembers(freight, () => ({ sent: last }));
      return (ask) => {
        last = JSON.stringify(ask.body);
        return act(ask);
      };
    }),
  ],
  'key-other-made': [
    '"The same key with another body is refused with 422": it makes another one',
    acts('createInvoice', (act) => (ask) => {
      const reply = act(ask);
      return reply.status === 422 ? act({ ...ask, headers: {} }) : reply;
    }),
  ],
  'key-409': [
    'a repeated request gets 409',
    acts('createInvoice', (act, freight) => {
      const seen = new Set();
      return (ask) => {
        const key = ask.headers['idempotency-key'];
        if (key && seen.has(key)) return freight.refuse(409, 'Again');
        if (key) seen.add(key);
        return act(ask);
      };
    }),
  ],
  'key-made-twice': [
    'a repeated request gets the first response, and makes a second one',
    acts('createShipment', (act, _freight) => {
      const seen = new Set();
      return (ask) => {
        const key = ask.headers['idempotency-key'];
        const reply = act(ask);
        if (key && seen.has(key) && reply.status === 201) act({ ...ask, headers: {} });
        seen.add(key);
        return reply;
      };
    }),
  ],
  'job-never-ends': [
    '"It ends succeeded ... or failed"',
    later((job) => {
      job.status = 'running';
      delete job.result;
      delete job.error;
    }),
  ],
  'job-no-result': [
    '"It ends succeeded with result"',
    later((job) => {
      delete job.result;
    }),
  ],
  'job-count': [
    'created: "The number of drivers"',
    later((job) => {
      if (job.result) job.result.created += 1;
    }),
  ],
  'job-made-none': [
    'the drivers of a job that succeeded are not there',
    later((job, freight) => {
      const ids = job.result?.driver_ids ?? [];
      freight.rows.drivers = freight.all('drivers').filter(({ id }) => !ids.includes(id));
    }),
  ],
  'job-no-error': [
    '"failed with error"',
    later((job) => {
      delete job.error;
    }),
  ],
  'job-bad-succeeds': [
    '"where a driver names a carrier that does not exist, failed"',
    later((job) => {
      if (job.error) {
        delete job.error;
        Object.assign(job, { status: 'succeeded', result: { created: 0, driver_ids: [] } });
      }
    }),
  ],
  'job-location': [
    'Location is not the URL of the job',
    replies('startImport', ({ status }) =>
      status === 202 ? { headers: { Location: '/v2/jobs/job_000000' } } : {},
    ),
  ],
  'batch-short': [
    '"one entry for each that was sent"',
    shows('createDrivers', ({ results }) => ({ results: results.slice(1) })),
  ],
  'batch-reversed': [
    '"in the same order"',
    shows('createDrivers', ({ results }) => ({ results: results.toReversed() })),
  ],
  'batch-not-stored': [
    'stored entries are not there',
    first('createDrivers', (freight, { body }) => {
      const names = body.drivers.map(({ name }: Row) => name);
      freight.rows.drivers = freight.all('drivers').filter(({ name }) => !names.includes(name));
    }),
  ],
  'batch-refused-stored': ['an entry that names an unknown carrier is stored', anyReference('createDrivers')],
  'batch-index': [
    'index: "The place of the entry in the request"',
    shows('createDrivers', ({ results }) => ({
      results: results.map((result: Row) => ({ ...result, index: result.index + 1 })),
    })),
  ],
  'batch-whole': [
    '"Each entry is stored or refused by itself": one refuses all',
    refuses(
      'createDrivers',
      ({ body }, freight) => body.drivers.some((row: Row) => !freight.has('carriers', row.carrier_id)),
      400,
    ),
  ],
  'batch-one': [
    'only the first entry is stored, and shown for all',
    shows('createDrivers', ({ results }, freight) => {
      const [one] = results;
      for (const { driver } of results.slice(1))
        freight.rows.drivers = freight.all('drivers').filter((row) => row !== driver);
      return {
        results: results.map((row: Row) => (row.driver && one.driver ? { ...row, driver: one.driver } : row)),
      };
    }),
  ],
};
