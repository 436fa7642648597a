import { type Contract, credentialsByScheme, type Problem, stringifyJson } from '#spec';
import { type Code, unknownOperations } from './code/coded-operations.ts';
import { type Access, compileAccess } from './control/access.ts';
import type { Control } from './control/control.ts';
import type { ChangedOverlay } from './control/meaning-endpoint.ts';
import type { Relay } from './engine/endpoint.ts';
import { createEngine, type Engine } from './engine/engine.ts';
import { firstRequest } from './first-request.ts';
import type { Keys } from './http/authenticate.ts';
import type { Awaitable } from './http/exchange.ts';
import { onFirstCall } from './http/memoize.ts';
import { type ShowPictures, withAddresses } from './pictures/picture.ts';
import { fillFirst } from './records/snapshot/initial-records.ts';
import { BUILT_IN_KEY, type ResolvedOptions } from './resolve-options.ts';
import { compileService, type Service, type ServiceOptions } from './service.ts';
import { createDocumentChanges, type DroppedRecord, type NewChange } from './sessions/document-changes.ts';
import { createJournalRoom } from './sessions/journal.ts';
import { NO_RULES, replacedBook } from './sessions/preferences/rules.ts';
import { createShelf, type Shelf } from './sessions/preferences/scenarios.ts';
import { createSession, followSettings, startClock } from './sessions/session.ts';
import { createSessions, type Sessions } from './sessions/sessions.ts';
import { type Memo, StoreUnavailable } from './store/port.ts';
import { createSwitch } from './store/record-events.ts';
import type { Followed } from './stored-document.ts';
import { compileSources } from './upstream/sources.ts';

/** Serves the current document, which can be replaced. */
export interface Serving {
  /** The same function for every service. */
  readonly engine: Engine;
  readonly service: () => Service;
  readonly sessions: Sessions;
  readonly access: Access;
  readonly scenarios: Shelf;
  /** Changes nothing unless the whole new document can be served. */
  changeDocument(contract: Contract): Promise<void>;
  /**
   * Replaces the user's code; records and rules stay. Changes nothing if the code cannot be used.
   * @throws RangeError for code of operations that the document does not have; errors of seed code
   */
  changeCode(code: Code): Promise<void>;
  /** Notifies sessions of a changed document that cannot be used; without problems, that it equals the served one again. */
  refuseDocument(problems: readonly Problem[]): Promise<void>;
  close(): Awaitable<void>;
}

/** Compiles the first contract, and each that replaces it. */
export type CompileService = (contract: Contract, options: ServiceOptions) => Promise<Service>;

export interface OverlayReader {
  contract(): Contract;
  changeDocument(contract: Contract): Promise<void>;
}

type OpenOverlay = (reader: OverlayReader) => ChangedOverlay;

/** A loaded contract, and how its files are watched. */
export interface Opened {
  readonly contract: Contract;
  /** Undefined: no overlay is a local file. */
  readonly overlay?: OpenOverlay | undefined;
  /** Undefined: for a single document. */
  readonly compile: CompileService | undefined;
  readonly follow: (serving: Serving) => Promise<{ close(): void }>;
}

type ServingOptions = Omit<ServiceOptions, 'keys' | 'sessionOf'> &
  Pick<ResolvedOptions, 'apiKeys' | 'credentials'> & {
    /** Undefined: the mock is in front of no real service. */
    readonly relayFor?: ((service: Service) => Relay) | undefined;
    /** Where scenarios are stored. Default: in memory. */
    readonly shelf?: Shelf | undefined;
    readonly overlay?: OpenOverlay | undefined;
  };

/** @throws RangeError for a credential of a scheme, or code of an operation, that the document does not have */
export async function createServing(
  contract: Contract,
  options: ServingOptions,
  origin: () => string,
  showPictures: ShowPictures = withAddresses(),
  compile: CompileService = compileService,
): Promise<Serving> {
  const { parts, time, now, latency, notice } = options;
  const { keys, shownKey, consoleKey } = keysOf(options, contract);
  let code: Code = options;
  requireOperations(code, contract);
  const sessionOf = (name: string) => sessions.find(name);
  let service = await compile(contract, { ...options, keys, sessionOf });
  let store = await parts.store(service.seeded, notice);
  const followed = store.memo && (await followStored(store.memo));
  await fillFirst(store, service.seeded);

  // Options take precedence over seed files.
  const { settings } = service;
  const firstNow = now ?? settings.now;
  const clock = firstNow === undefined ? undefined : startClock(firstNow, time);
  const firstLatency = latency.high > 0 ? latency : (settings.latency ?? latency);
  const room = createJournalRoom();
  const sessions: Sessions = createSessions({
    open: (name) => {
      const sessionStore = createSwitch(name === '' ? store : store.fork(name));
      const rules = replacedBook(NO_RULES, service.settings.rules ?? []);
      const session = createSession(name, sessionStore, { room, clock, latency: firstLatency, rules, time });
      service.webhooks?.watch(session);
      return session;
    },
    most: options.maxSessions,
    idle: options.sessionIdle,
    time,
    notice,
  });
  store.settings.subscribe?.((name, value) => {
    const session = sessions.all.find((one) => one.name === name);
    if (session) followSettings(session, value);
  });
  const changes = createDocumentChanges();
  const scenarios = options.shelf ?? createShelf();
  const access = compileAccess(options.adminToken, options.host);
  const send: Engine = (request) => engine(request);
  const overlay = options.overlay?.({ contract: () => service.contract, changeDocument });

  /** Loaded with its first request, so that the mock starts faster. */
  async function loadControl(current: Service): Promise<Control> {
    const { createControl } = await import('./control/admin-endpoints.ts');
    const upstream = options.upstream && {
      url: options.upstream.href,
      sourceOf: compileSources(options.sources),
    };
    const [main] = current.documents;
    const first = main && firstRequest(main.endpoints, main.collections);
    const environment = { time, shownKey, consoleKey, send, changes, sessions, upstream, scenarios, overlay };
    const context = { ...current, ...environment, first };
    return createControl(context, access, options.replica);
  }

  function engineOf(current: Service): Engine {
    const control = onFirstCall((): Control => {
      const loaded = loadControl(current);
      return async (request, session) => (await loaded)(request, session);
    });
    const baseUrl = (prefix: string) => {
      const paths = new Set(current.documents.map(({ basePath }) => basePath));
      return [...paths].map((path) => origin() + prefix + path).join(' or ');
    };
    return createEngine({
      ...options,
      ...current,
      sessions,
      unmatched: { ...current, control, baseUrl },
      showPictures,
      relay: options.relayFor?.(current),
    });
  }

  let engine = engineOf(service);
  let moving: Promise<void> | undefined;
  let changing: Promise<unknown> | undefined;

  async function moveTo(next: Service): Promise<DroppedRecord[]> {
    const nextStore = await parts.store(next.seeded, notice);
    const nextEngine = engineOf(next);
    const { moveSessions } = await import('./sessions/watch/change-document.ts');
    // Lets running requests finish, except those that wait.
    await new Promise((resolve) => setTimeout(resolve));
    const lost = await moveSessions({ ...service, store }, { ...next, store: nextStore }, sessions.all);
    const previous = store;
    [service, store, engine] = [next, nextStore, nextEngine];
    for (const session of sessions.all) {
      session.outbox?.stop();
      next.webhooks?.watch(session);
    }
    await previous.close();
    if (store.memo) await (await import('./stored-document.ts')).keepDocument(service, store.memo);
    return lost;
  }

  /** Requests wait until records are moved; changes run one after the other. */
  async function change(compile: () => Promise<Service>): Promise<DroppedRecord[]> {
    const before = changing;
    const turn = (async () => {
      await before?.catch(() => {});
      const next = await compile();
      const lost = moveTo(next);
      moving = lost.then(
        () => {},
        () => {},
      );
      return await lost.finally(() => {
        moving = undefined;
      });
    })();
    changing = turn;
    return turn;
  }

  function notify(change: NewChange, dropped?: readonly DroppedRecord[]): void {
    changes.add(change, time(), dropped);
    for (const { name, events } of sessions.all)
      if (events.hasListeners) events.publish('document', stringifyJson(changes.last(name)));
  }

  async function changeDocument(changed: Contract): Promise<void> {
    const before = service.contract;
    const lost = await change(() => compile(changed, { ...options, ...code, keys, sessionOf }));
    const { describeChange, lostMessages } = await import('./sessions/watch/change-document.ts');
    const { title, version } = changed;
    notice(`the document changed: ${`${title} ${version}`.trim()} is served from now on`);
    for (const line of lostMessages(lost)) notice(line);
    for (const problem of unknownOperations(code.operations, changed.operations))
      notice(`code is not used: ${problem}`);
    notify(describeChange(before, changed), lost);
  }

  /** A store may hold the records of an earlier document, which this start's document replaces. */
  async function followStored(memo: Memo): Promise<Followed | undefined> {
    const { followStoredDocument } = await import('./stored-document.ts');
    try {
      return await followStoredDocument({
        service,
        store,
        memo,
        compile: (former) => compile(former, { ...options, operations: {}, keys, sessionOf: undefined }),
        open: async (collections) => parts.store(collections, notice),
      });
    } catch (error) {
      // The log has the file's problem; undamaged records are served.
      if (!(error instanceof StoreUnavailable)) throw error;
      return undefined;
    }
  }

  if (followed) {
    const { describeChange, lostMessages } = await import('./sessions/watch/change-document.ts');
    const { former, dropped, unserved } = followed;
    for (const line of lostMessages(dropped)) notice(line);
    for (const line of lostMessages(unserved, 'stays in the store, unserved')) notice(line);
    if (former) notify(describeChange(former, contract), dropped);
  }

  return {
    engine(request, takeTrace) {
      const respond = () => engine(request, takeTrace);
      return moving ? moving.then(respond, respond) : engine(request, takeTrace);
    },
    service: () => service,
    sessions,
    access,
    scenarios,
    changeDocument,
    async changeCode({ operations, seedCode }) {
      const next = { operations, seedCode };
      await change(() => {
        requireOperations(next, service.contract);
        return compile(service.contract, { ...options, ...next, keys, sessionOf });
      });
      code = next;
    },
    async refuseDocument(problems) {
      const { describeRefusal } = await import('./sessions/watch/change-document.ts');
      notify(describeRefusal(service.contract, problems));
    },
    close: () => store.close(),
  };
}

function requireOperations({ operations }: Code, contract: Contract): void {
  const problems = unknownOperations(operations, contract.operations);
  if (problems.length > 0) throw new RangeError(`operations: ${problems.join('; ')}`);
}

/**
 * Only the built-in key is public. If users have their own keys, which no response repeats, the mock's pages get a
 * temporary one: it gives no access beyond that of the control API.
 */
function keysOf({ apiKeys, credentials }: ServingOptions, contract: Contract) {
  const schemeKeys = Object.entries(credentialsByScheme(credentials, contract));
  const isBuiltIn = apiKeys === 'any' || apiKeys.includes(BUILT_IN_KEY);
  const shownKey = isBuiltIn ? BUILT_IN_KEY : '$PADDOCK_API_KEY';
  if (isBuiltIn && schemeKeys.length === 0)
    return { keys: { apiKeys, credentials: {} }, shownKey, consoleKey: shownKey };
  const consoleKey = `paddock-console-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  const keys: Keys = {
    apiKeys: apiKeys === 'any' ? apiKeys : [...apiKeys, consoleKey],
    credentials: Object.fromEntries(schemeKeys.map(([scheme, key]) => [scheme, [key, consoleKey]])),
  };
  return { keys, shownKey, consoleKey };
}
