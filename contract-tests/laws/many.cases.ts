import { HOLDS, type LawRow, type LawTable } from '../testing/law-table.ts';
import { ask, type Step } from '../testing/steps.ts';

const row = (title: string, given: readonly Step[], want: LawRow[1]['want'] = HOLDS): LawRow => [
  title,
  { given, want },
];
const SENT = ['Ann', 'Bo'].map((name) => ({ name, carrier_id: 'c1' }));
const driver = (index: number, name: string) => ({
  ...{ index, driver: { id: `d${name}`, name, carrier_id: 'c1', active: true } },
});
const batch = (results: readonly object[], more: object = {}) =>
  ask('createDrivers', { body: { drivers: SENT }, ...more }, 200, { results });
const both = [driver(0, 'Ann'), driver(1, 'Bo')];
const error = { index: 1, error: 'no carrier' };
const ONE_INVALID = { body: { drivers: [SENT[0], { name: 'Bo' }] } };
const oneRefused = { refusedRecords: [1] };

const START = { id: 'j1', status: 'queued', created_at: '2026-01-01T00:00:00Z' };
const start = (more: object = {}, at = 'j1') =>
  ask('startImport', { body: { rows: SENT }, ...more }, 202, START, { Location: `/v2/jobs/${at}` });
const look = (job: object, more: object = {}) =>
  ask('getJob', { path: { job_id: 'j1' }, ...more }, 200, { ...START, ...job });
const done = (created: number, ...ids: readonly string[]) =>
  look({ status: 'succeeded', result: { created, driver_ids: ids } });

export const MANY_CASES: LawTable = {
  results: [
    row('one for each', [batch(both)]),
    row('one is refused', [batch([driver(0, 'Ann'), error], oneRefused)]),
    row(
      'one too few',
      [batch([driver(0, 'Ann')])],
      ['results: 1 results of 2 records | one result for each record that was sent'],
    ),
    row(
      'another order',
      [batch(both.toReversed())],
      ['results: index [1,0] | the places of 2 records, from 0 on, in order'],
    ),
    row(
      'places from 1 on',
      [batch([driver(1, 'Ann'), driver(2, 'Bo')])],
      ['results: index [1,2] | the places of 2 records, from 0 on, in order'],
    ),
    row(
      'one record for both',
      [batch([driver(0, 'Ann'), driver(1, 'Ann')])],
      ['results: name "Ann" at place 2 | "Bo", as was sent there'],
    ),
    row(
      'what names nothing is stored',
      [batch(both, oneRefused)],
      [
        'results: record 2, which names nothing, is stored: {"id":"dBo","name":"Bo","carrier_id":"c1","active":true} | error in its place',
      ],
    ),
    row(
      'what names nothing refuses all',
      [
        ask('createDrivers', { body: { drivers: SENT }, ...oneRefused }, 400, {
          ...{ title: 'No', status: 400 },
        }),
      ],
      ['results: 400: one record that names nothing has all refused | each is stored or refused by itself'],
    ),
  ],
  'invalid-refused': [
    row('one of several is invalid, and refused alone', [batch([driver(0, 'Ann'), error], ONE_INVALID)]),
    row(
      'one of several is invalid, and another one refused',
      [batch([{ ...error, index: 0 }, driver(1, 'Bo')], ONE_INVALID)],
      [
        `invalid-refused: 200: ${JSON.stringify({ results: [{ ...error, index: 0 }, driver(1, 'Bo')] })} | 400, since body.drivers[1].carrier_id is required ("required", fixtures/specs/freight.yaml)`,
      ],
    ),
  ],
  job: [
    row('is under way, and ends', [start(), look({ status: 'running' }), done(2, 'd1', 'd2')]),
    row('fails with an error', [start(oneRefused), look({ status: 'failed', error: 'no carrier' })]),
    row(
      'another job',
      [start({}, 'j2'), ask('getJob', { path: { job_id: 'j3' } }, 404, { title: 'None', status: 404 })],
      'not judged',
    ),
    row(
      'does not end',
      [start(), look({ status: 'running' }, { lastLook: true })],
      ['presumed job: status "running" after seconds | an end: succeeded or failed'],
    ),
    row(
      'ends without result',
      [start(), look({ status: 'succeeded' })],
      ['job: status "succeeded" without result | result'],
    ),
    row(
      'fails without error',
      [start(oneRefused), look({ status: 'failed' })],
      ['job: status "failed" without error | error'],
    ),
    row(
      'counts another number',
      [start(), done(3, 'd1', 'd2')],
      ['presumed job: created: 3 records | 2, as many as were sent'],
    ),
    row(
      'lacks an id',
      [start(), done(2, 'd1')],
      ['presumed job: driver_ids: 1 records | 2, as many as were sent'],
    ),
    row(
      'succeeds where it has to fail',
      [start(oneRefused), done(0)],
      ['presumed job: status "succeeded" | failed: a record names what is not there'],
    ),
    row(
      'is another one in Location',
      [start({}, 'j2'), ask('getJob', { path: { job_id: 'j2' } }, 404, { title: 'None', status: 404 })],
      ['job: the job "j2" in Location, and "j1" in the body | one job'],
    ),
  ],
};
