import type { Answer, Ask, Behaviour, Shop, Written } from './by-hand/behaviour.ts';
import { correct, isStatus, readBody } from './by-hand/correct.ts';
import { isInt64 } from './by-hand/exact-json.ts';
import { startShop } from './by-hand/shop.ts';
import type { Data, RecordChange } from './record-changes.ts';
import { type Service, SHIPPED_DOCUMENT } from './suspect.ts';

/** The building blocks of faults in the hand-written Pet Store. A fault with state is created anew at each start. */
export type ShopFault = Partial<Behaviour> | (() => Partial<Behaviour>);

export const petStore: Service<ShopFault> = {
  document: SHIPPED_DOCUMENT,
  start: (fault) => startShop(typeof fault === 'function' ? fault() : fault),
};

type Operation = 'list' | 'create' | 'read';
export type ResponseChange = Answer | ((response: Answer, ask: Ask, shop: Shop) => Answer);

const apply = (change: ResponseChange, ...[response, ask, shop]: [Answer, Ask, Shop]): Answer =>
  typeof change === 'function' ? change(response, ask, shop) : change;

/** Replaces or changes the responses of an operation with this status. */
export const response = (operation: Operation, status: number, change: ResponseChange): Partial<Behaviour> =>
  around(operation, (reply, ask, shop) =>
    reply.status === status ? apply(change, reply, ask, shop) : reply,
  );

/** Responds to the selected requests instead of the operation. */
export const respond = (
  operation: Operation,
  matches: (ask: Ask, shop: Shop) => boolean,
  instead: Answer,
): Partial<Behaviour> => ({
  [operation]: (ask: Ask, shop: Shop) => (matches(ask, shop) ? instead : correct[operation](ask, shop)),
});

/** Changes all responses of an operation. */
export const around = (
  operation: Operation,
  change: (response: Answer, ask: Ask, shop: Shop) => Answer,
): Partial<Behaviour> => ({
  [operation]: (ask: Ask, shop: Shop) => change(correct[operation](ask, shop) as Answer, ask, shop),
});

/** Changes the body of a successful response. */
export const listed = (change: (records: readonly Data[]) => unknown) =>
  response('list', 200, body(change as (value: unknown) => unknown));
export const read = (change: RecordChange) => response('read', 200, body(change as () => unknown));
export const created = (change: RecordChange) => response('create', 201, body(change as () => unknown));

/** Changes the body, and keeps the status. */
export const body =
  (change: (value: unknown) => unknown): ResponseChange =>
  (reply) => ({ ...reply, body: change(reply.body) });

/** Replaces the response to the selected requests. */
export const when =
  (matches: (ask: Ask) => boolean, instead: Answer): ResponseChange =>
  (reply, ask) =>
    matches(ask) ? instead : reply;

/** The documented error body, with other values or without some members. */
export const error = (code: number, members: Data = {}): Answer => ({
  status: code,
  body: { code: 'x', message: 'x', status: code, ...members },
});

/** Replaces or changes the refusal of a request without a valid key. */
export const unauthorized = (change: ResponseChange): Partial<Behaviour> => ({
  authenticate(ask, shop) {
    const refusal = correct.authenticate(ask, shop);
    return refusal && apply(change, refusal, ask, shop);
  },
});

/** Accepts the selected requests without a valid key, too. */
export const admit = (
  also: (authorization: string, key: string, ask: Ask) => boolean,
): Partial<Behaviour> => ({
  authenticate: (ask, shop) =>
    also(ask.headers.authorization ?? '', shop.key, ask) ? undefined : correct.authenticate(ask, shop),
});

/** The body of a create, if it is valid. */
export function validBody(ask: Ask, { does }: Shop): Data | undefined {
  const sent = readBody(ask, does);
  return 'body' in sent && does.problemOf(sent.body) === undefined ? (sent.body as Data) : undefined;
}

/** Refuses the selected valid bodies. */
export const refuseBody = (status: number, refuses: (body: Data, ask: Ask, shop: Shop) => boolean) =>
  respond(
    'create',
    (ask, shop) => {
      const body = validBody(ask, shop);
      return body !== undefined && refuses(body, ask, shop);
    },
    error(status),
  );

/** Changes a valid body before it is stored. */
export const stored = (change: (sent: Data) => Data): Partial<Behaviour> => ({
  made: (sent, id) => correct.made(change(sent), id),
});

type OnWire = (written: Written, response: Answer, ask: Ask) => Partial<Written>;

/** Changes status, headers or bytes of a response on the wire, after the service has created it correctly. */
export const wire = (change: Partial<Written> | OnWire): Partial<Behaviour> => ({
  write(reply, ask) {
    const written = correct.write(reply, ask);
    return { ...written, ...(typeof change === 'function' ? change(written, reply, ask) : change) };
  },
});

/** Changes only responses with these statuses on the wire. */
export const wireIf = (matches: (status: number) => boolean, change: Partial<Written> | OnWire) =>
  wire((written, reply, ask) => {
    if (!matches(written.status)) return {};
    return typeof change === 'function' ? change(written, reply, ask) : change;
  });

/** Changes the bytes of every body. */
export const bytes = (change: (body: Buffer, text: string) => Buffer | string) =>
  wire(({ body: buffer }) => ({ body: Buffer.from(change(buffer, buffer.toString()) as Buffer) }));

/** Adds headers to every response. */
export const addHeaders = (...fields: Written['headers']) =>
  wire(({ headers }) => ({ headers: [...headers, ...fields] }));

export const mediaType = (type: string) => ({ headers: [['Content-Type', type]] }) as const;
export const content = (type: string, text: string) => ({ ...mediaType(type), body: Buffer.from(text) });

export const isKnownStatus = (value: unknown) =>
  value === null || ['available', 'pending', 'sold'].includes(value as string);

const kind = (matches: (value: unknown) => boolean, example: unknown) => ({ matches, example });
const text = (pattern: RegExp, example: string) =>
  kind((value) => typeof value === 'string' && pattern.test(value), example);

/** Kinds of values that some members of an animal do not allow. */
export const KINDS = {
  missing: kind((value) => value === undefined, undefined),
  null: kind((value) => value === null, null),
  number: kind((value) => typeof value === 'bigint', 12n),
  fraction: kind((value) => typeof value === 'number', 1.5),
  'beyond int64': kind((value) => typeof value === 'bigint' && !isInt64(value), 2n ** 63n),
  text: text(/^(?!-?\d+$)/, 'reserved'),
  'empty text': text(/^$/, ''),
  digits: text(/^-?\d+$/, '17'),
  'upper case': kind((value) => isStatus(String(value).toLowerCase()), 'SOLD'),
  padded: kind((value) => typeof value === 'string' && isStatus(value.trim()), ' sold '),
  'in array': kind((value) => Array.isArray(value) && (isInt64(value[0]) || isStatus(value[0])), [7n]),
};
type Kind = keyof typeof KINDS;

/** The kinds that each member does not allow. */
export const FORBIDDEN: Readonly<Record<'name' | 'categoryId' | 'status', readonly Kind[]>> = {
  name: ['missing', 'null', 'number'],
  categoryId: ['missing', 'null', 'fraction', 'beyond int64', 'text', 'empty text', 'digits', 'in array'],
  status: ['null', 'number', 'text', 'empty text', 'upper case', 'padded', 'in array'],
};
