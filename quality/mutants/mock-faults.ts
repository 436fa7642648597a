import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BUILT_IN_KEY, createMock, defaultParts, type MockOptions, type Parts } from '#mock';
import { isRecord, parseJson, stringifyJson } from '#spec';
import { convert, type Data } from './record-changes.ts';
import type { Service } from './suspect.ts';

/** The building blocks of faults in the mock, for any document. */
export type MockFault = Partial<Parts>;

/** The mock of a document in the fixtures, or of any file of this clone if the path starts with `./`. */
export function mockOf(file: string, options: Partial<MockOptions> = {}): Service<MockFault> {
  const path = file.startsWith('./') ? file : `./fixtures/specs/${file}`;
  const document = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  return {
    document,
    async start(parts) {
      // An exception in a fault is not a bug of the mock.
      const mock = await createMock({ document, onBug: () => {}, ...options, parts });
      return { url: mock.url, apiKey: BUILT_IN_KEY, close: () => mock.close() };
    },
  };
}

type Actions = Parts['actions'];
export type ActionName = keyof Actions;
type Context = Parameters<Actions['list']>[0];
export type Act = NonNullable<ReturnType<Actions['list']>>;
type Outcome = Awaited<ReturnType<Act>>;
type Response = Exclude<Outcome, { refuse: unknown }>;
export type Store = Awaited<ReturnType<Parts['store']>>;
export type Collection = Parameters<Store['read']>[0];
export type Id = Parameters<Store['read']>[1];
type Edit = Parameters<Store['change']>[3];
export type Given = ReturnType<Edit>;
type Query = Parameters<Store['list']>[1];
type Refuse = ReturnType<Parts['refuse']>;

/** Changes the behaviour of an action. */
export function action(name: ActionName, change: (act: Act, context: Context) => Act): MockFault {
  return {
    around(context) {
      const { collection } = context;
      const isMeant = context.action === name || (name === 'list' && context.action === 'view');
      if (!collection || !isMeant) return undefined;
      // Created once, since the next step is the same for all requests, and some changes keep state between them.
      let changed: Act | undefined;
      return (task, next) => {
        changed ??= change(next, { ...context, collection });
        return changed(task);
      };
    },
  };
}

export type Task = Parameters<Act>[0];

/** The same fault in several actions. */
export const inEach = (names: readonly ActionName[], fault: (name: ActionName) => MockFault): MockFault => {
  const all = names.map(fault);
  return { around: (context) => all.map((one) => one.around?.(context)).find((run) => run !== undefined) };
};

/** Changes the successful responses of an action. */
export const response = (
  name: ActionName,
  change: (response: Response, task: Task, context: Context) => Outcome | Promise<Outcome>,
): MockFault =>
  action(name, (act, context) => async (task) => {
    const outcome = await act(task);
    return 'refuse' in outcome ? outcome : change(outcome, task, context);
  });

/** Changes the status of an action's responses. */
export const answerAs = (name: ActionName, status: number): MockFault =>
  response(name, (reply) => ({ ...reply, status }));

/** Refuses the requests that satisfy a condition; a returned text is the reason. */
export const refuseIf = (
  name: ActionName,
  holds: (body: Data, task: Task) => boolean | string | undefined,
  refuse: 'invalid' | 'conflict' | 'not acceptable' = 'invalid',
): MockFault =>
  action(name, (act) => (task) => {
    const held = holds(isRecord(task.values.body) ? task.values.body : {}, task);
    return held ? { refuse, message: typeof held === 'string' ? held : 'not here' } : act(task);
  });

/** Changes the JSON body of an action's successful responses. */
export const responseBody = (name: ActionName, change: (body: Data) => unknown): MockFault =>
  response(name, (reply) => {
    const body = parseJson(String(reply.body));
    return { ...reply, body: stringifyJson(change(body as Data)) };
  });

/** Changes the records of a list in a member of the body. */
export const eachOf = (member: string, change: (record: Data) => unknown) => (body: Data) => {
  const records = body[member];
  return Array.isArray(records) ? { ...body, [member]: records.map(change) } : body;
};

/** Changes methods of the store, for the records that the document describes. */
export const store = (change: (store: Store) => Partial<Store>): MockFault => ({
  async store(collections) {
    const base = await defaultParts.store(collections);
    const faulty = change(base);
    const { remove, removeAll = remove && oneByOne(base, remove) } = faulty;
    const methods = Object.entries({ ...faulty, ...(removeAll && { removeAll }) }).map(([name, method]) => {
      const baseMethod = base[name as keyof Store] as (...all: unknown[]) => unknown;
      const other = method as typeof baseMethod;
      const isOwn = (of: unknown) => isRecord(of) && of.isInternal === true;
      return [name, (...all: unknown[]) => (isOwn(all[0]) ? baseMethod : other)(...all)] as const;
    });
    return { ...base, ...Object.fromEntries(methods) };
  },
});

/** Performs a removal of several records, such as those of a removed parent, as single removals. */
const oneByOne =
  ({ read }: Store, remove: Store['remove']): Store['removeAll'] =>
  async (collection, ids, where, allows) => {
    const removed: { id: Id; text: string }[] = [];
    for (const id of ids) {
      const text = (await read(collection, id, where)) ?? '';
      if (await remove(collection, id, where, allows)) removed.push({ id, text });
    }
    return removed;
  };

/** A completed write. Texts are those of the record; `input` is derived from the request. */
export interface Write {
  readonly kind: 'create' | 'change' | 'remove';
  readonly collection: Collection;
  readonly id: Id;
  readonly before: string;
  readonly after: string;
  readonly input: Given | undefined;
}

/** Runs after each write. */
export const afterWrites = (
  { create, change, remove, read }: Store,
  act: (write: Write) => unknown,
): Partial<Store> => ({
  async create(collection, input) {
    const entry = await create(collection, input);
    if (entry === 'taken') return entry;
    await act({ kind: 'create', collection, id: entry.id, before: '', after: entry.text, input });
    return entry;
  },
  async change(collection, id, where, edit, allows) {
    let [before, input] = ['', undefined as Given | undefined];
    const remember = (text: string) => {
      before = text;
      input = edit(text);
      return input;
    };
    const after = await change(collection, id, where, remember, allows);
    if (after) await act({ kind: 'change', collection, id, before, after, input });
    return after;
  },
  async remove(collection, id, where, allows) {
    const before = (await read(collection, id, where)) ?? '';
    const isRemoved = await remove(collection, id, where, allows);
    if (isRemoved) await act({ kind: 'remove', collection, id, before, after: '', input: undefined });
    return isRemoved;
  },
});

/** Returns whether no other call (or at most `most` in all) runs within this number of milliseconds. */
export function aloneFor(ms: number, most = 1): () => Promise<boolean> {
  let atWork = 0;
  return async () => {
    atWork += 1;
    await sleep(ms / 2);
    const isAlone = atWork <= most;
    await sleep(ms / 2);
    atWork -= 1;
    return isAlone;
  };
}

/** Acknowledges a change without storing it. */
export const acknowledge =
  ({ read }: Store): Store['change'] =>
  async (collection, id, where, edit) => {
    const text = await read(collection, id, where);
    return text === undefined ? undefined : collection.complete(id, edit(text)).text;
  };

/** Acknowledges a removal without performing it. */
export const acknowledgeRemoval =
  ({ read }: Store): Store['remove'] =>
  async (collection, id, where) =>
    (await read(collection, id, where)) !== undefined;

/** Changes the members of a record before it is stored. */
export const storedMembers = (change: (members: Data) => Data): MockFault =>
  store(({ create }) => ({
    create: (collection, input) => create(collection, { ...input, members: change({ ...input.members }) }),
  }));

/** Changes one member of a record before it is stored. */
export const storedMember = <Value>(member: string, to: (value: Value) => unknown): MockFault =>
  storedMembers(convert(member, to));

/** Responds with the new record without storing it. */
export const acknowledgeCreate: Store['create'] = (collection, input) => {
  const id = input.id ?? collection.idOf(90_000);
  return collection.complete(id, { ...input, id });
};
export const loseCreated = store(() => ({ create: acknowledgeCreate }));

/** Responds as if the record was removed, but keeps it. */
export const keepRemoved = store((all) => ({ remove: acknowledgeRemoval(all) }));

/** Merges a replacement into the existing record. */
export const replaceMerges: MockFault = {
  actions: { ...defaultParts.actions, replace: defaultParts.actions.update },
};

/** Changes the query of a list: filters and page. */
export const listQuery = (change: (query: Query) => Partial<Query>): MockFault =>
  store(({ list }) => ({ list: (collection, query) => list(collection, { ...query, ...change(query) }) }));

/** A list responds to a query other than the one sent. */
export const otherQuery = (change: (query: Data, sent: Data) => Data): MockFault =>
  action('list', (act) => (task) => {
    const { parameters } = task.values;
    const sent = Object.fromEntries(new URLSearchParams(task.request.query));
    const query = change(parameters.query, sent);
    return act({ ...task, values: { ...task.values, parameters: { ...parameters, query } } });
  });

/** Changes the body of a request before an action gets it. */
export const requestBody = (name: ActionName, change: (body: Data) => Data): MockFault =>
  action(
    name,
    (act) => (task) => act({ ...task, values: { ...task.values, body: change(task.values.body as Data) } }),
  );

type Read = ReturnType<Parts['read']>;
type Guard = ReturnType<Parts['authenticate']>;
type Operation = Parameters<Parts['authenticate']>[0];

/** Changes how requests are read. */
export const reading = (change: (read: Read, operation: Operation) => Read): MockFault => ({
  read: (operation, validators) => change(defaultParts.read(operation, validators), operation),
});

/** Reads bodies of any media type as one of these; default: JSON. */
export const takeAnyMediaType = (matches = (type: string) => /json/.test(type)): MockFault =>
  reading((read, { body }) => {
    const type = body?.content.find((media) => matches(media.type))?.type;
    return (raw) => read(type ? { ...raw, headers: { ...raw.headers, 'content-type': type } } : raw);
  });

/** Changes how credentials are checked. */
export const guarding = (change: (guard: Guard, operation: Operation) => Guard): MockFault => ({
  authenticate: (operation, keys) => change(defaultParts.authenticate(operation, keys), operation),
});

/** Responds with a status to all requests of a method (on paths that contain `part`), whatever else is wrong. */
export const always = (method: string, status: number, part = ''): MockFault =>
  guarding((guard, operation) =>
    operation.method === method && operation.path.includes(part)
      ? () => ({ refuse: 'forced', status, message: 'no' })
      : guard,
  );

type Finish = ReturnType<Parts['reply']>;

/** Responds with a status to invalid requests, where the operation documents it. */
export const invalidGets = (status: number): MockFault => ({
  refuse(operation, contract) {
    const refuse = defaultParts.refuse(operation, contract);
    const isDocumented = operation?.responses.some(({ key }) => key === String(status));
    return (refused) =>
      refuse(refused.refuse === 'invalid' && isDocumented ? { ...refused, status } : refused);
  },
});

type Content = Parameters<Finish>[0];

/** Changes the responses that satisfy a condition. */
const finishing = (
  isMeant: (content: Content, path: string) => boolean,
  change: (content: Content) => Partial<Content>,
): MockFault => ({
  reply(operation, contract) {
    const finish = defaultParts.reply(operation, contract);
    const { path = '' } = operation ?? {};
    return (content) => finish(isMeant(content, path) ? { ...content, ...change(content) } : content);
  },
});

/** Changes responses with this media type. */
export const replying = (type: string, change: (content: Content) => Partial<Content>) =>
  finishing((content) => content.type === type, change);

/** Turns successful responses of paths with this ending into errors. */
export const failing = (end: string, status: number) =>
  finishing(
    (content, path) => path.endsWith(end) && content.status < 300,
    () => ({ status, type: 'application/json', body: '{"error":"no"}' }),
  );

type Feed = Extract<ReturnType<Finish>['body'], (...args: never[]) => unknown>;

/** Changes the streams of the operation with this id. */
export const changingStream = (id: string, change: (feed: Feed) => Feed): MockFault => ({
  reply(operation, contract) {
    const finish = defaultParts.reply(operation, contract);
    if (operation?.id !== id) return finish;
    return (content) => {
      const response = finish(content);
      const { body } = response;
      return typeof body === 'function' ? { ...response, body: change(body) } : response;
    };
  },
});

type Reader = Parameters<Feed>[0];
/** A stream reader that receives changed chunks. */
export const writing = (reader: Reader, write: Reader['write']): Reader => ({
  write,
  end: () => reader.end(),
  taken: () => reader.taken(),
  breakOff: (text) => reader.breakOff(text),
});

/** Changes each message of a stream, which is one write; undefined drops it. */
export const onMessages = (id: string, change: (text: string, index: number) => string | undefined) =>
  changingStream(id, (feed) => (reader) => {
    let index = 0;
    const write: Reader['write'] = (part) => {
      const changed = change(String(part), index++);
      if (changed !== undefined) reader.write(changed);
    };
    return feed(writing(reader, write));
  });

/** Operations with these methods require no key. */
export const skipAuthentication = (...methods: string[]): MockFault =>
  guarding((guard, { method }) => (methods.includes(method) ? () => undefined : guard));

/** Operations with these methods accept invalid requests of this kind. */
export const skipValidation = (
  methods: readonly string[],
  accepts: (values: ReturnType<Read>) => boolean = () => true,
): MockFault =>
  reading((read, { method }) => (raw) => {
    const values = read(raw);
    return methods.includes(method) && accepts(values) ? { ...values, violations: [] } : values;
  });

/** Changes the responses of refused requests. */
export const refusal = (
  change: (response: ReturnType<Refuse>, refusal: Parameters<Refuse>[0]) => ReturnType<Refuse>,
): MockFault => ({
  refuse: (operation, contract) => {
    const refuse = defaultParts.refuse(operation, contract);
    return (refused) => change(refuse(refused), refused);
  },
});

/** Operations of a method refuse requests without a key, but perform them all the same. */
export const actUnauthorized = (method: string, name: ActionName): MockFault => ({
  ...skipAuthentication(method),
  ...action(name, (act) => async (task) => {
    const outcome = await act(task);
    const isRefused = task.request.headers.authorization === undefined;
    return isRefused ? { refuse: 'unauthorized', message: 'no key' } : outcome;
  }),
});

type Reason = Parameters<Refuse>[0]['refuse'];

/** Changes the responses of requests that are refused for this reason. */
export const respondTo = (
  reason: Reason,
  status: number,
  type = 'text/html',
  body = '<h1>no</h1>',
): MockFault =>
  refusal((reply, { refuse }) => (refuse === reason ? { ...reply, status, type, body } : reply));
