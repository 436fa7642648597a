import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Data } from '../record-changes.ts';
import type { Service } from '../suspect.ts';
import { type GlazeHabits, openGlazes, plainGlazes } from './glazes.ts';

/** The service of `fixtures/strangers/atelier.yaml`, written by hand. It knows neither the mock nor the document. */

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the atelier does where its document leaves it a choice; a fault replaces some of it, too. */
export interface Habits {
  /** The refusal of a body that breaks the schema. */
  readonly invalid: (problem: string) => Reply;
  /** What is kept of a job that is sent; `before`: of the job that it replaces. */
  readonly kept: (sent: Data, before: Data | undefined) => Data;
  /** Why a job that fits the schema is not taken, and with which status. */
  readonly objection: (sent: Data) => Reply | undefined;
  readonly show: (job: Data, place: 'list' | 'one') => Data;
  readonly matches: (job: Data, query: URLSearchParams) => boolean;
  readonly location: (id: string) => string;
  /** For an id that names no job, and may be none. */
  readonly missing: (id: string) => Reply;
  readonly removedAgain: () => Reply;
  readonly assign: (worker: unknown) => Reply;
  readonly patch: (job: Data, operations: readonly Data[]) => Data | Reply;
  readonly rename: (label: Data, sent: Data) => Data | Reply;
  readonly fill: (drawer: Data, sent: Data) => Data;
  readonly glazes: Partial<GlazeHabits>;
}

export const problem = (status: number, error = 'no'): Reply => ({ status, body: { error } });
const isReply = (value: Data | Reply): value is Reply => typeof value.status === 'number';

/** Everything is as it was sent. */
export const plain: Habits = {
  invalid: (error) => problem(400, error),
  kept: (sent) => sent,
  objection: () => undefined,
  show: (job) => job,
  matches: (job, query) => query.get('state') === null || job.state === query.get('state'),
  location: (id) => `http://127.0.0.1/api/jobs/${id}`,
  missing: () => problem(404),
  removedAgain: () => problem(404),
  assign: () => ({ status: 200 }),
  patch(job, operations) {
    let patched: Data = job;
    for (const { op, path, value } of operations) {
      const name = String(path).slice(1);
      // RFC 6902: nothing is removed or replaced that is not there; and what no job has cannot be added.
      if (!(name in TYPES) || (op !== 'add' && !(name in patched))) return problem(422);
      const { [name]: _, ...others } = patched;
      patched = op === 'remove' ? others : { ...others, [name]: value };
    }
    return problemOf(patched) === undefined ? patched : problem(422);
  },
  rename: (label, { text, colour = label.colour }) => ({
    name: text,
    ...(colour !== undefined && { colour }),
  }),
  fill: (drawer, sent) => ({ ...drawer, ...sent }),
  glazes: {},
};

const isText = (value: unknown) => typeof value === 'string';
const isMoment = (value: unknown) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) &&
  !Number.isNaN(Date.parse(value));
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isText,
  state: (value) => ['open', 'held', 'done'].includes(value as string),
  urgent: (value) => typeof value === 'boolean',
  remarks: isText,
  note: (value) => value === null || isText(value),
  readers: (value) => Array.isArray(value) && value.every(isText),
  startsAt: isMoment,
  endsAt: isMoment,
  updatedAt: isMoment,
  version: Number.isInteger,
  passphrase: isText,
  estimate: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100,
};

function problemOf(body: unknown, types = TYPES, required = 'title'): string | undefined {
  if (!isObject(body)) return 'the body is no object';
  if (body[required] === undefined) return `${required} is missing`;
  const wrong = Object.entries(types).find(([name, fits]) => body[name] !== undefined && !fits(body[name]));
  return wrong && `${wrong[0]} is not as documented`;
}

const pick = (body: unknown, types: object): Data =>
  Object.fromEntries(Object.entries(body as Data).filter(([name]) => name in types));

const LABEL = { name: isText, colour: isText };
const NEW_LABEL = { text: isText, colour: isText };
const DRAWER = { inside: isText, place: isText };
const WORKER = { workerId: isText };

interface Asked {
  readonly method: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export const atelier: Service<Partial<Habits>> = {
  document: fileURLToPath(new URL('../../../fixtures/strangers/atelier.yaml', import.meta.url)),
  async start(habits) {
    const respond = openAtelier({ ...plain, ...habits });
    const server = createServer(async (request, response) => {
      const asked = await readRequest(request);
      const { status, body, headers = {} } = asked ? respond(asked) : problem(400, 'no JSON');
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      response.writeHead(status, { ...type, ...headers });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}/api`,
      apiKey: 'none-is-needed',
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    };
  },
};

async function readRequest(request: IncomingMessage): Promise<Asked | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
  const text = Buffer.concat(chunks).toString();
  try {
    const body = text === '' ? undefined : JSON.parse(text);
    const path = pathname
      .replace(/^\/api\//, '')
      .split('/')
      .map(decodeURIComponent);
    return { method: request.method ?? '', path, query: searchParams, body };
  } catch {
    return undefined;
  }
}

function openAtelier(does: Habits): (asked: Asked) => Reply {
  const jobs = new Map<string, Data>();
  const removed = new Set<string>();
  const labels = new Map<string, Data>();
  const drawers = new Map<string, Data>();
  for (const state of ['open', 'held', 'done']) {
    const id = randomUUID();
    jobs.set(id, { id, title: `Job ${state}`, state, urgent: state === 'open', remarks: 'as usual' });
  }

  function ofJobs({ method, query, body }: Asked): Reply {
    if (method === 'GET') {
      const found = [...jobs.values()].filter((job) => does.matches(job, query));
      return { status: 200, body: found.map((job) => does.show(job, 'list')) };
    }
    const wrong = problemOf(body);
    if (wrong !== undefined) return does.invalid(wrong);
    const sent = pick(body, TYPES);
    const objection = does.objection(sent);
    if (objection) return objection;
    const id = randomUUID();
    const job = { ...does.kept(sent, undefined), id };
    jobs.set(id, job);
    return { status: 201, body: does.show(job, 'one'), headers: { Location: does.location(id) } };
  }

  function ofJob({ method, path: [, id = ''], body }: Asked): Reply {
    const job = jobs.get(id);
    if (method === 'DELETE' && !job && removed.has(id)) return does.removedAgain();
    if (!job) return does.missing(id);
    if (method === 'DELETE') {
      jobs.delete(id);
      removed.add(id);
      return { status: 204 };
    }
    if (method !== 'GET') {
      const changed = method === 'PUT' ? replaced(job, body) : patched(job, body);
      if (isReply(changed)) return changed;
      jobs.set(id, { ...changed, id });
    }
    return { status: 200, body: does.show(jobs.get(id) as Data, 'one') };
  }

  function replaced(job: Data, body: unknown): Data | Reply {
    const wrong = problemOf(body);
    if (wrong !== undefined) return problem(400, wrong);
    return does.objection(pick(body, TYPES)) ?? does.kept(pick(body, TYPES), job);
  }

  function patched(job: Data, body: unknown): Data | Reply {
    const isOperation = (one: unknown) =>
      isObject(one) && ['add', 'remove', 'replace'].includes(one.op as string) && isText(one.path);
    if (!Array.isArray(body) || body.length === 0 || !body.every(isOperation)) return problem(400);
    return does.patch(job, body);
  }

  function ofWorker({ path: [, id = ''], body }: Asked): Reply {
    if (!jobs.has(id)) return does.missing(id);
    const wrong = problemOf(body, WORKER, 'workerId');
    return wrong === undefined ? does.assign((body as Data).workerId) : problem(400, wrong);
  }

  function ofLabels({ method, path: [, name], body }: Asked): Reply {
    if (name === undefined && method === 'GET') return { status: 200, body: [...labels.values()] };
    if (name === undefined) {
      const wrong = problemOf(body, LABEL, 'name');
      if (wrong !== undefined) return problem(400, wrong);
      const label = pick(body, LABEL);
      labels.set(String(label.name), label);
      return { status: 201, body: label };
    }
    const label = labels.get(name);
    if (!label) return problem(404);
    if (method === 'GET') return { status: 200, body: label };
    const wrong = problemOf(body, NEW_LABEL, 'text');
    if (wrong !== undefined) return problem(400, wrong);
    const renamed = does.rename(label, pick(body, NEW_LABEL));
    if (isReply(renamed)) return renamed;
    labels.delete(name);
    labels.set(String(renamed.name), renamed);
    return { status: 200, body: renamed };
  }

  function ofDrawers({ method, path: [, number], body }: Asked): Reply {
    const drawer = number === undefined ? undefined : drawers.get(number);
    if (number !== undefined && !drawer) return problem(404);
    if (drawer && method === 'GET') return { status: 200, body: drawer };
    const wrong = problemOf(body, DRAWER, 'inside');
    if (wrong !== undefined) return problem(400, wrong);
    const key = number ?? String(drawers.size + 1);
    const sent = pick(body, DRAWER);
    drawers.set(key, drawer ? does.fill(drawer, sent) : { number: Number(key), ...sent });
    return { status: drawer ? 200 : 201, body: drawers.get(key) };
  }

  const ofGlazes = openGlazes({ ...plainGlazes, ...does.glazes });
  return (asked) => {
    const [collection, id, below] = asked.path;
    if (collection === 'glazes') return ofGlazes(asked);
    if (collection === 'labels') return ofLabels(asked);
    if (collection === 'drawers') return ofDrawers(asked);
    if (below === 'worker') return ofWorker(asked);
    return id === undefined ? ofJobs(asked) : ofJob(asked);
  };
}

function isObject(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
