// Dredd compiles a transaction for each documented response. These hooks bring the service into the state that a
// transaction needs and shape its request to suit; what it expects stays. Everything follows from the document.
// CommonJS, because Dredd hands out `hooks` through a patched `require`.
import type { Contract, Operation } from '#spec';

type Transaction = {
  request: { method: string; uri: string; headers: Record<string, string>; body: string };
  expected: { statusCode: string };
  origin: { filename: string; resourceName: string };
  protocol: string;
  host: string;
  port: string;
  fullPath: string;
  skip: boolean;
  fail?: string;
};
type Hook<Value> = (value: Value, done: () => void) => void;
type Hooks = {
  beforeAll(hook: Hook<Transaction[]>): void;
  beforeEach(hook: Hook<Transaction>): void;
  afterAll(hook: Hook<Transaction[]>): void;
  log(message: string): void;
};

const { explicitStatuses, isRecord, loadContract, parseJson } =
  require('#spec') as typeof import('../../spec/index.ts');
const hooks: Hooks = require('hooks');

const key = process.env.PADDOCK_API_KEY || 'paddock-dev-key';
// Absent: the endpoint of dredd.yml.
const baseUrl = process.env.PADDOCK_BASE_URL;
// The largest int64, as text: a double cannot hold it.
const UNASSIGNED_ID = '9223372036854775807';

let contract: Contract;
let judged: Transaction[] = [];

hooks.beforeAll((all, done) => attempt(prepare(all), all, done));

hooks.beforeEach((one, done) => {
  if (one.skip || one.fail) done();
  else attempt(arrange(one), [one], done);
});

hooks.afterAll((all, done) => {
  const skipped = all.filter(({ skip }) => skip).length;
  hooks.log(`${all.length - skipped} cells judged, ${skipped} rows of \`default\` responses skipped`);
  done();
});

/** Dredd would only log an error that a hook throws, and go on without the arrangements. */
function attempt(work: Promise<void>, concerned: readonly Transaction[], done: () => void): void {
  const fail = ({ message }: Error) => concerned.forEach((one) => void Object.assign(one, { fail: message }));
  work.catch(fail).then(done);
}

async function prepare(all: Transaction[]): Promise<void> {
  contract = await loadContract(all[0]?.origin.filename ?? '');
  const expected = new Set(
    contract.operations.flatMap((operation) =>
      explicitStatuses(operation.responses).map(
        (status) => `${operation.method} ${operation.path} ${status}`,
      ),
    ),
  );
  // A `default` response gets the status 200, and so maybe the name of the documented 200, which comes before it.
  for (const transaction of all) transaction.skip = !expected.delete(nameOf(transaction));
  if (expected.size > 0) throw new Error(`Dredd has no transaction for ${[...expected].join(', ')}`);
  judged = all.filter(({ skip }) => !skip);
  if (baseUrl) for (const transaction of all) aim(transaction, baseUrl);
}

function aim(transaction: Transaction, target: string): void {
  if (!/^https?:\/\//.test(target)) throw new Error(`PADDOCK_BASE_URL is no http(s) URL: ${target}`);
  const { protocol, hostname: host, port, pathname } = new URL(target);
  const fullPath = pathname.replace(/\/$/, '') + transaction.request.uri;
  Object.assign(transaction, { protocol, host, port, fullPath });
}

async function arrange(transaction: Transaction): Promise<void> {
  const { request, expected } = transaction;
  const status = Number(expected.statusCode);
  if (status !== 401) request.headers.Authorization = `Bearer ${key}`;
  if (status === 400) request.body = '{}';
  if (status === 404) setId(transaction, UNASSIGNED_ID);
  if (isSuccess(transaction) && request.method === 'GET') await arrangeRecord(transaction);
}

/** Creates a record to be read or listed, so that its shape is judged. */
async function arrangeRecord(transaction: Transaction): Promise<void> {
  const resource = contract.resources.find(({ actions }) =>
    Object.values(actions).some((operation) => isOf(operation, transaction)),
  );
  const { create, read } = resource?.actions ?? {};
  const creator = create && judged.find((one) => isOf(create, one) && isSuccess(one));
  const created = creator && (await send(creator));
  if (!read || !isOf(read, transaction)) return;
  const id = isRecord(created) ? created[resource?.id?.property ?? ''] : undefined;
  if (id === undefined) throw new Error(`nothing creates a record for ${nameOf(transaction)}`);
  setId(transaction, String(id));
}

async function send({ request, ...to }: Transaction): Promise<unknown> {
  const { method, body } = request;
  const url = `${to.protocol}//${to.host}${to.port ? `:${to.port}` : ''}${to.fullPath}`;
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
  const options = { method, headers, body, signal: AbortSignal.timeout(10_000) };
  const response = await fetch(url, options).catch((error) => {
    throw new Error(`arranging failed: ${method} ${url}: ${error.cause?.message ?? error.message}`);
  });
  if (!response.ok) throw new Error(`arranging failed: ${method} ${url} answered ${response.status}`);
  return parseJson(await response.text());
}

function setId(transaction: Transaction, id: string): void {
  const { request, origin, fullPath } = transaction;
  const path = origin.resourceName.replace(/\{[^}]+\}/g, encodeURIComponent(id));
  transaction.fullPath = fullPath.replace(request.uri, path);
}

function isOf({ method, path }: Operation, { request, origin }: Transaction): boolean {
  return request.method === method && origin.resourceName === path;
}

function isSuccess({ expected }: Transaction): boolean {
  return expected.statusCode.startsWith('2');
}

function nameOf({ request, origin, expected }: Transaction): string {
  return `${request.method} ${origin.resourceName} ${expected.statusCode}`;
}
