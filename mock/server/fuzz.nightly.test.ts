import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { check, type Report } from '#contract-tests';
import { parseJson } from '#spec';
import {
  type Attacked,
  attackedBy,
  EFFORT,
  faultsOf,
  readResponses,
  reset,
  SEED,
  send,
  startAttacked,
  type WireResponse,
} from '../../quality/testing/attack.ts';
import { resultOf } from '../../quality/testing/result-of.ts';
import { type Exchange, KINDS } from '../testing/malformed-requests.ts';
import { SHIPPED } from '../testing/serve.ts';

/** Malformed bytes, each on its own connection, and the mock's state afterwards; nothing is restarted in between. */
const EXCHANGES = 20_000 * EFFORT;
/** Exchanges after which a process has its usual size: code is compiled, and the journal is full. */
const WARM_UP = 1000;

interface Outcome {
  readonly faults: readonly string[];
  /** Exchanges by kind, and responses by status. */
  readonly sent: Record<string, number>;
  readonly statuses: Record<string, number>;
  /** The records of each 201. */
  readonly acknowledged: readonly { readonly id: unknown }[];
}

async function fuzz({ port }: Attacked, count: number, seed: number): Promise<Outcome> {
  const sent: Record<string, number> = {};
  const statuses: Record<string, number> = {};
  const acknowledged: { readonly id: unknown }[] = [];
  const kinds = KINDS.map(([kind, weight, exchanges]) => ({
    weight,
    arbitrary: exchanges.map((exchange) => ({ kind, exchange })),
  }));
  const attack = {
    attempts: fc.oneof(...kinds),
    workers: 24,
    async stands({ kind, exchange }: { kind: string; exchange: Exchange }) {
      sent[kind] = (sent[kind] ?? 0) + 1;
      const { responses, rest } = readResponses(await send(port, exchange), exchange.isHead ? 1 : 0);
      if (rest.length > 0) throw new Error(`half a response: ${rest.toString('latin1')}`);
      if (exchange.complete && responses.length === 0) throw new Error('no response');
      for (const response of responses) {
        mustBeDocumented(response);
        statuses[response.status] = (statuses[response.status] ?? 0) + 1;
        if (response.status === 201)
          acknowledged.push(parseJson(response.body.toString()) as { readonly id: unknown });
      }
    },
    shown({ kind, exchange: { pieces, ending } }: { kind: string; exchange: Exchange }) {
      const text = JSON.stringify(Buffer.concat(pieces).toString('latin1'));
      return `${kind}: ${ending} ${text.length > 400 ? `${text.slice(0, 300)} ... ${text.slice(-100)}` : text}`;
    },
  };
  return { faults: await faultsOf(attack, count, seed), sent, statuses, acknowledged };
}

/** An error has the documented error body, with its own status. */
function mustBeDocumented({ status, headers, body }: WireResponse): void {
  if (status === 500) throw new Error(`the mock failed: ${body}`);
  if (body.length === 0) return;
  const type = headers.get('content-type');
  if (type === 'application/yaml') return;
  if (type !== 'application/json') throw new Error(`a body of type ${type}`);
  const value = parseJson(body.toString()) as { status?: unknown; code?: unknown; message?: unknown };
  if (status < 400) return;
  const isText = (text: unknown) => typeof text === 'string' && text !== '';
  if (value.status !== status || !isText(value.message) || !isText(value.code))
    throw new Error(`no error body: ${body}`);
}

type Records = ReadonlyMap<unknown, unknown>;

async function recordsOf({ adminUrl }: Attacked): Promise<Records> {
  const response = await fetch(`${adminUrl}/state`, { headers: { connection: 'close' } });
  const { records } = parseJson(await response.text()) as {
    records: Record<string, readonly { readonly id: unknown }[]>;
  };
  return new Map((records['/pets'] ?? []).map((record) => [record.id, record]));
}

const runCheck = ({ url: target }: Attacked) =>
  resultOf(check({ target, document: SHIPPED, apiKey: 'paddock-dev-key', settle: 200 }));

let mock: Attacked;
let outcome: Outcome;
let records: { before: Records; after: Records };
let report: Report;
let growth: number;

beforeAll(async () => {
  mock = await startAttacked('mock', '--log=quiet');
  await fuzz(mock, WARM_UP, SEED + EXCHANGES);
  await runCheck(mock);
  await reset(mock);
  ({ growth } = await attackedBy(mock, async () => {
    const before = await recordsOf(mock);
    outcome = await fuzz(mock, EXCHANGES, SEED);
    const peak = await mock.measure();
    records = { before, after: await recordsOf(mock) };
    report = await runCheck(mock);
    // Records stay until the reset, so only then can the memory shrink.
    await reset(mock);
    return peak;
  }));
  process.stdout.write(`${JSON.stringify({ sent: outcome.sent, statuses: outcome.statuses })}\n`);
});

afterAll(() => mock.stop());

test(`${EXCHANGES} malformed exchanges: each complete one gets a well-formed response, and none a 500`, () => {
  expect(outcome.faults).toEqual([]);
  expect(Object.values(outcome.sent).reduce((sum, count) => sum + count)).toBe(EXCHANGES);
  // Otherwise the bytes would not have the intended effects.
  const statuses = Object.keys(outcome.statuses).map(Number);
  expect(statuses).toEqual(expect.arrayContaining([200, 201, 400, 401, 404, 405, 413, 415, 431]));
});

/** Reported once per name, for a limited number of names. */
const IGNORED = /^the query parameter ".*" is ignored: \w+ has none of this name \(\S+\)$/;

test('the mock is alive, and has printed nothing but names of parameters that it ignores', () => {
  expect(mock.child.exitCode).toBeNull();
  const printed = mock.output().all.split('\n\n').slice(1).join('').split('\n').filter(Boolean);
  const ignored = printed.filter((line) => IGNORED.test(line));
  expect(ignored).toHaveLength(100);
  const others = printed.filter((line) => !ignored.includes(line));
  expect(others).toEqual(['further query parameters that are ignored are not named']);
});

test('it stores exactly what it has acknowledged', () => {
  const { before, after } = records;
  const want = new Map(before);
  for (const record of outcome.acknowledged) want.set(record.id, record);
  expect(want.size).toBe(before.size + outcome.acknowledged.length);
  expect(outcome.acknowledged.length).toBeGreaterThan(1000);
  expect(after).toEqual(want);
});

test('the same process covers 8 of 8 cells directly afterwards', () => {
  expect(report.findings).toEqual([]);
  expect(report.cells.map(({ verdict }) => verdict)).toEqual(Array(8).fill('covered'));
  expect(report.exitCode).toBe(0);
});

test('after a reset, memory and handles are as before', () => {
  expect(growth).toBeLessThan(8);
});
