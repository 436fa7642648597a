import { fileURLToPath } from 'node:url';
import type { Service } from '../suspect.ts';
import { startFreight } from './server.ts';
import type { Act, Ask, Freight, Reply, Row } from './service.ts';

export interface Fault {
  /** Changes the document that the service validates with. */
  readonly schemas?: (schemas: Row, document: Row) => void;
  readonly freight?: (freight: Freight) => void;
}

export const company: Service<Fault> = {
  document: fileURLToPath(new URL('../../../fixtures/specs/freight.yaml', import.meta.url)),
  start: ({ schemas, freight = () => {} }) =>
    startFreight(freight, (document) => schemas?.(document.components.schemas, document)),
};

/** Relaxes a schema. */
export const looser = (schema: string, change: (schema: Row) => void): Fault => ({
  schemas: (schemas) => change(schemas[schema]),
});
export const without = (schema: string, ...path: string[]): Fault =>
  looser(schema, (at) => {
    const last = path.pop() ?? '';
    delete path.reduce((of, name) => of[name], at)[last];
    path.push(last);
  });
export const does = (freight: (freight: Freight) => void): Fault => ({ freight });
/** Replaces a part of the service; the replacement may call the original. */
export const changes = <Part extends keyof Freight>(
  part: Part,
  change: (before: Freight[Part], freight: Freight) => Freight[Part],
): Fault =>
  does((freight) => {
    freight[part] = change(freight[part], freight);
  });
/** Changes the behaviour of an operation. */
export const acts = (operation: string, change: (act: Act, freight: Freight) => Act): Fault =>
  does((freight) => {
    freight.act[operation] = change(freight.act[operation] as Act, freight);
  });
type Kept = NonNullable<ReturnType<Freight['replies']['get']>>;

/** Changes what is remembered for an idempotency key: the request or the response. */
export function remembers(freight: Freight, change: (kept: Kept) => Partial<Kept>): void {
  const { get } = freight.replies;
  freight.replies.get = (key) => {
    const kept = get.call(freight.replies, key);
    return kept && { ...kept, ...change(kept) };
  };
}

/** Changes the response of an operation. */
export const replies = (
  operation: string,
  change: (reply: Reply, freight: Freight, ask: Ask) => Partial<Reply>,
): Fault =>
  acts(operation, (act, freight) => (ask) => {
    const reply = act(ask);
    return { ...reply, ...change(reply, freight, ask) };
  });
/** Changes the body of a successful response. */
export const shows = (operation: string, change: (body: Row, freight: Freight) => unknown): Fault =>
  replies(operation, ({ status, body }, freight) =>
    status < 300 ? { body: change(body as Row, freight) } : {},
  );
/** Changes a new object before it is stored. */
export const keeps = (name: string, change: (row: Row, freight: Freight) => Row): Fault =>
  changes('keep', (keep, freight) => (of, row) => keep(of, of === name ? change(row, freight) : row));
export const defaultOf = (schema: string, member: string, value: unknown): Fault =>
  looser(schema, ({ properties }) => {
    properties[member] = { ...properties[member], default: value };
  });
export const moves = (operation: string, from: readonly string[], to: string): Fault =>
  does((freight) => {
    freight.transitions[operation] = [from, to];
  });
export const wants = (change: (query: Row) => Row): Fault =>
  changes('isWanted', (isWanted) => (row, query) => isWanted(row, { ...query, ...change(query) }));
export const pages = (change: (page: Row, query: Row, rows: Row[]) => Row): Fault =>
  changes('page', (page) => (rows, query) => ({
    ...page(rows, query),
    ...change(page(rows, query), query, rows),
  }));
/** Changes the request of an operation, for example to make it ignore a condition. */
export const asks = (operation: string, change: (ask: Ask) => Ask): Fault =>
  acts(operation, (act) => (ask) => act(change(ask)));
export const noKey = (operation: string) =>
  asks(operation, (ask) => ({ ...ask, headers: { ...ask.headers, 'idempotency-key': undefined } }));
export const all = (...faults: Fault[]): Fault => ({
  schemas: (...args) => {
    for (const fault of faults) fault.schemas?.(...args);
  },
  freight: (freight) => {
    for (const fault of faults) fault.freight?.(freight);
  },
});
export const localTime = (moment: string) => `${moment.slice(0, 19)}Z`;
export const refuses = (
  operation: string,
  isRefused: (ask: Ask, freight: Freight) => boolean,
  status: number,
): Fault =>
  acts(
    operation,
    (act, freight) => (ask) => (isRefused(ask, freight) ? freight.refuse(status, 'No') : act(ask)),
  );
export const anyReference = (operation: string) =>
  acts(operation, (act, freight) => (ask) => {
    const { has } = freight;
    freight.has = () => true;
    const reply = act(ask);
    freight.has = has;
    return reply;
  });
/** The row that a path identifies. */
export const rowOf = (freight: Freight, name: string, { params }: Ask) =>
  freight.all(name).find(({ id }) => id === Object.values(params)[0]) ?? {};
/** Runs before an operation. */
export const first = (operation: string, act: (freight: Freight, ask: Ask) => void): Fault =>
  acts(operation, (next, freight) => (ask) => {
    const reply = next(ask);
    act(freight, ask);
    return reply;
  });
export const later = (change: (job: Row, freight: Freight) => void): Fault =>
  replies('startImport', ({ status, body }, freight) => {
    const job = freight.all('jobs').find(({ id }) => id === (body as Row).id);
    if (status === 202) setTimeout(() => change(job ?? {}, freight), 31);
    return {};
  });
export const secretIn = (operation: string) =>
  shows(operation, (body) =>
    Array.isArray(body) ? body.map((row) => ({ ...row, secret: 's_1' })) : { ...body, secret: 's_1' },
  );
/** Stores a secret, and returns it whenever the object is read. */
export const keepsSecret = (operation: string, name: string): Fault =>
  acts(operation, (act, freight) => (ask) => {
    const reply = act(ask);
    const [row] = freight.all(name);
    if (row) Object.assign(row, { secret: (reply.body as Row).secret });
    return reply;
  });

/** By name: the violated sentence or line of the document, and the fault. */
export type FreightFaults = Readonly<Record<string, readonly [says: string, fault: Fault]>>;
