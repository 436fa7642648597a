import { fileURLToPath } from 'node:url';
import { type Contract, loadContract } from '#spec';
import type { ActionName } from './answer/actions/action.ts';
import { compileCollections } from './answer/collection.ts';
import { compileEndpoint } from './answer/endpoint.ts';
import { createEngine } from './answer/engine.ts';
import type { Refusal } from './answer/refusal.ts';
import { compileAccess } from './control/access.ts';
import { createControl } from './control/control.ts';
import { controlPages } from './control/pages.ts';
import { CONTROL_PATH } from './control/path.ts';
import { compileShowEntry } from './control/requests.ts';
import { compileSteering } from './control/steering.ts';
import { curlLine } from './curl-line.ts';
import { type MockOptions, resolveOptions } from './options.ts';
import { createAwkward } from './seed/awkward.ts';
import { createFake } from './seed/fake.ts';
import { createSeedValues } from './seed/values.ts';
import { listen } from './server/listen.ts';
import { compileRedaction } from './server/log-entry.ts';
import { startClock } from './session/clock.ts';
import { type MockSession, openMockSession } from './session/mock-session.ts';
import { createSession } from './session/session.ts';
import { createSessions } from './session/sessions.ts';
import { seedFrom } from './snapshot/fixtures.ts';
import { compileReadSnapshot } from './snapshot/read-snapshot.ts';
import { compileTakeSnapshot } from './snapshot/snapshot.ts';

/** A running mock; it is itself the session of all requests that name none. */
export interface Mock extends MockSession {
  /** Where the mock itself can be asked: `http://127.0.0.1:4020/__admin`. */
  readonly controlUrl: string;
  readonly contract: Contract;
  readonly operations: readonly MockedOperation[];
  /** A state of its own, for tests that run at once; the same name means the same session. */
  session(name: string): MockSession;
  /** A curl command that is answered with success; undefined: the document has no operation to read with. */
  curlLine(key: string): string | undefined;
  /** Takes no new request; resolves when the last one is answered. */
  close(): Promise<void>;
}

/** What the mock does for an operation. */
export interface MockedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** `sample`: answered from the document's examples or schema; any other action is stateful. */
  readonly action: ActionName;
  /** Why it is not stateful. */
  readonly reason: string | undefined;
}

/**
 * Starts a mock of an OpenAPI document.
 * @throws DocumentError when the document is broken; the system's error when the address cannot be had.
 */
export async function createMock(options: MockOptions): Promise<Mock> {
  const { parts, time, now, ...settings } = resolveOptions(options);
  const contract = await contractOf(options.document);
  const { operations, validators } = contract;
  const basePath = settings.basePath ? contract.basePath : '';

  const seeds = createSeedValues(settings.seed, createFake(validators), createAwkward(validators));
  const collections = compileCollections(contract.resources, validators, seeds, settings.count);
  const recordCollections = [...collections.values()];
  const readSnapshot = compileReadSnapshot(recordCollections, validators);
  const takeSnapshot = compileTakeSnapshot(recordCollections);
  const store = await parts.store(await seedFrom(settings.fixtures, recordCollections, readSnapshot));
  const world = { contract, parts, keys: settings.apiKeys, basePath, seeds, collections };
  const endpoints = operations.map((operation) => compileEndpoint(operation, world));

  const clock = now === undefined ? undefined : startClock(now, time);
  const sessions = createSessions({
    open: (name) => createSession(name, name === '' ? store : store.fork(name), clock),
    most: settings.maxSessions,
    idle: settings.sessionIdle,
    time,
    notice: settings.notice,
  });
  const showEntry = compileShowEntry(operations, settings.apiKeys);
  const steering = compileSteering({ contract, takeSnapshot, readSnapshot, showEntry, time });
  let origin = 'http://localhost';
  const elsewhere = {
    pages: controlPages(contract, basePath),
    control: createControl(steering, sessions, compileAccess(settings.adminToken, settings.host)),
    baseUrl: (prefix: string) => origin + prefix + basePath,
    refuse: parts.refuse(undefined, contract),
    finish: parts.reply(undefined, contract, basePath),
  };
  const find = parts.route(basePath, endpoints);
  const engine = createEngine({ ...settings, find, elsewhere, sessions, time, showEntry });
  const { port } = settings;
  const refuse = (refusal: Refusal) => elsewhere.finish(elsewhere.refuse(refusal));
  const redact = compileRedaction(operations);
  const server = port === false ? undefined : await listen(engine, { ...settings, port, refuse, redact });
  if (server) origin = server.origin;

  const sessionNamed = (name: string) =>
    openMockSession({
      ...settings,
      name,
      origin,
      basePath,
      contract,
      engine,
      sessions,
      takeSnapshot,
      readSnapshot,
      showEntry,
      time,
    });
  const main = sessionNamed('');
  return {
    ...main,
    controlUrl: origin + CONTROL_PATH,
    contract,
    operations: endpoints.map(({ operation: { id, method, path }, action, reason }) => {
      return { id, method, path, action, reason };
    }),
    session: sessionNamed,
    curlLine: (key) => curlLine(endpoints, collections, main.url, key),
    async close() {
      sessions.close();
      await server?.close();
      await store.close();
    },
  };
}

function contractOf(document: MockOptions['document']): Promise<Contract> | Contract {
  if (typeof document === 'string') return loadContract(document);
  if (!(document instanceof URL)) return document;
  return loadContract(document.protocol === 'file:' ? fileURLToPath(document) : document.href);
}
