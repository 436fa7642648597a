import { shortenText } from '#spec';
import type { CaseResult, Family } from '../cases/case.ts';
import { executeCase, toResult } from '../cases/execute.ts';
import { createMarks, type Marks } from '../laws/mark.ts';
import { makePlan, openRun, type Run } from '../run/run.ts';
import type { PatientClient } from '../send/patience.ts';
import type { WireRequest, WireResponse } from '../send/wire.ts';
import type { CheckOptions } from '../settings/check-options.ts';
import { resolveSettings } from '../settings/settings.ts';
import {
  type Collections,
  createMemoryService,
  hasKey,
  type MemoryService,
  route,
} from './memory-service.ts';
import { contractWith } from './steps.ts';

const KEY = 'Oats-and-Hay_7Qx';
/** Without a clock: the marks of a case are `paddock-x-1c1n` and so on. */
const MARK = 'paddock-x';

/** The settings of a test's run; everything else is ordinary. */
export interface RunOptions extends Partial<CheckOptions> {
  /** The initial records of the service. */
  readonly records?: Collections;
  /** Changes the behaviour of the service. */
  readonly respond?: (request: WireRequest, service: MemoryService) => WireResponse | Promise<WireResponse>;
}

/** A run whose requests go to a service in memory; `requests` has those that were sent, as lines. */
export function inMemoryRun(
  operationId: string,
  { records, respond = (request, service) => service.respond(request), ...options }: RunOptions = {},
): { run: Run; requests: string[]; client: PatientClient; marks: Marks } {
  const contract = contractWith(operationId);
  const settings = resolveSettings({
    target: 'http://127.0.0.1:1/v1',
    document: '',
    apiKey: KEY,
    settle: 0,
    examples: 2,
    jobs: 1,
    ...options,
  });
  const requests: string[] = [];
  const service = createMemoryService(contract, { base: settings.base, key: KEY, records });
  const numbers = new Map<string, number>();
  const client: PatientClient = {
    async send(request) {
      requests.push(lineOf(request, run, numbers));
      return respond(request, service);
    },
    alone: (work) => work(),
    aside: (wait) => wait(),
  };
  const marks = createMarks(MARK);
  const { plan, session, log } = openRun({ ...makePlan(contract, settings), mark: MARK, marks });
  const connections = {
    use: <T>(work: (one: PatientClient) => Promise<T>) => work(client),
    close: () => undefined,
  };
  const run: Run = { plan, session: { ...session, connections }, log };
  return { run, requests, client, marks };
}

/** `POST /pets {"name":"MARK-1"}`, with marks numbered in order; an unusual credential or media type is appended. */
function lineOf(
  request: WireRequest,
  { plan: { contract, settings } }: Run,
  numbers: Map<string, number>,
): string {
  const path = request.url.href.slice(settings.base.href.replace(/\/$/, '').length);
  const [operation] = route(contract, request.method, path.replace(/\?.*/, ''));
  const type = request.headers.find(([name]) => name === 'Content-Type')?.[1] ?? 'application/json';
  const notes = [
    ...(operation && !hasKey(operation, request, KEY) ? credentialsOf(request) : []),
    ...(/^application\/(?:merge-patch\+)?json$/.test(type) ? [] : [type]),
    ...(request.chunked ? ['chunked'] : []),
    ...request.headers.filter(isUnusual).map((header) => header.join(': ')),
  ];
  const body = shortenText(Buffer.from(request.body ?? []).toString());
  return [request.method, path, body, ...notes.map((note) => `(${note})`)]
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll(new RegExp(`${MARK}-[0-9cspn]+`, 'g'), (mark) => {
      const number = numbers.get(mark) ?? numbers.size + 1;
      numbers.set(mark, number);
      return `MARK-${number}`;
    })
    .replaceAll(KEY, 'KEY')
    .replaceAll(/[01]{8}-[01]{4}-4[01]{3}-8[01]{3}-0*/g, 'ID-');
}

const isUnusual = ([name, value]: readonly [string, string]) =>
  name === 'Prefer' || (name === 'Accept' && !/^application\/(?:problem\+)?json|,|\*\/\*/.test(value));

function credentialsOf({ headers }: WireRequest): string[] {
  const sent = headers.filter(([name]) => name !== 'Accept' && name !== 'Content-Type');
  return ['refused', ...sent.map(([name, value]) => `${name}: ${value.replace(/(?<=^Basic ).*/, '...')}`)];
}

/** Runs each case of a family, each with its own service. Returns the sent requests by case id. */
export async function requestsOf(
  family: Family,
  operationId: string,
  { such = /./, ...options }: RunOptions & { such?: RegExp } = {},
): Promise<Readonly<Record<string, readonly string[]>>> {
  const results = await resultsOf(family, operationId, options);
  const broken = results.filter(({ findings, reason }) => findings.length > 0 || reason !== undefined);
  if (broken.length > 0) throw new Error(broken.map(told).join('\n'));
  return Object.fromEntries(
    results.map(({ case: one, requests }) => [one.id, requests.filter((line) => such.test(line))]),
  );
}

const told = ({ case: one, reason, findings }: CaseResult) =>
  `${one.id}: ${reason ?? ''} ${findings.map(({ law, received, documented }) => `${law}: ${received} | ${documented}`)}`;

async function resultsOf(
  family: Family,
  operationId: string,
  options: RunOptions,
): Promise<(CaseResult & { requests: readonly string[] })[]> {
  const { contract, settings } = inMemoryRun(operationId, options).run.plan;
  const cases = [...family(contract, settings)].filter(({ id }) => settings.isChosen(id));
  return Promise.all(
    cases.map(async (one) => {
      const { run, requests } = inMemoryRun(operationId, options);
      return { ...toResult(await executeCase(run, one, 0)), requests };
    }),
  );
}
