import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Contract } from '#spec';
import { createEngine, type Engine } from './answer/engine.ts';
import type { Awaitable, MockRequest, Reply } from './answer/exchange.ts';
import { compileAccess } from './control/access.ts';
import { createControl } from './control/control.ts';
import { compileSteering } from './control/steering.ts';
import type { ResolvedOptions } from './options.ts';
import { fillLarge } from './seed/large.ts';
import { compileService, type Service } from './service.ts';
import { startClock } from './session/clock.ts';
import { createJournalRoom } from './session/journal.ts';
import { createSession, followNote } from './session/session.ts';
import { createSessions, type Sessions } from './session/sessions.ts';
import { createSwitch } from './store/switch.ts';
import { moveSessions } from './watch/move-sessions.ts';

/** What is served now, and how another document takes its place. */
export interface Serving {
  /** The same one for good, whatever it serves. */
  readonly engine: Engine;
  readonly service: () => Service;
  readonly sessions: Sessions;
  /** Nothing changes unless the new document can be served whole. */
  changeDocument(contract: Contract): Promise<void>;
  close(): Awaitable<void>;
}

export async function createServing(
  contract: Contract,
  options: ResolvedOptions,
  origin: () => string,
): Promise<Serving> {
  const { parts, time, now, notice } = options;
  let service = await compileService(contract, options);
  let store = await parts.store(service.seeded, notice);
  await fillLarge(store, service.seeded);

  const clock = now === undefined ? undefined : startClock(now, time);
  const room = createJournalRoom();
  const sessions = createSessions({
    open: (name) => {
      const own = createSwitch(name === '' ? store : store.fork(name));
      return createSession(name, own, room, clock, { settings: store.settings, time });
    },
    most: options.maxSessions,
    idle: options.sessionIdle,
    time,
    notice,
  });
  store.settings?.subscribe((name, note) => {
    const session = sessions.all.find((one) => one.name === name);
    if (session) followNote(session, note, time);
  });
  const access = compileAccess(options.adminToken, options.host);

  function engineOf(current: Service): Engine {
    const { pages, refuse, finish, basePath } = current;
    const control = createControl(compileSteering({ ...current, time }), sessions, access, options.replica);
    const baseUrl = (prefix: string) => origin() + prefix + basePath;
    const elsewhere = { pages, control, baseUrl, refuse, finish };
    return createEngine({ ...options, ...current, elsewhere, sessions });
  }

  let answer = engineOf(service);
  let moving: Promise<void> | undefined;

  function answerAfter(move: Promise<void>, request: MockRequest): Promise<Reply> {
    const proceed = () => answer(request);
    return move.then(proceed, proceed);
  }

  async function moveTo(next: Service): Promise<void> {
    const before = { service, store };
    const after = { service: next, store: await parts.store(next.seeded, notice) };
    const nextAnswer = engineOf(next);
    // Requests that were being answered come to their end, except those that wait for something.
    await nextTurn();
    const lost = await moveSessions(before, after, sessions.all);
    [service, store, answer] = [next, after.store, nextAnswer];
    await before.store.close();
    const { title, version } = next.contract;
    notice(`the document changed: ${`${title} ${version}`.trim()} is served from now on`);
    for (const text of lost) notice(text);
  }

  return {
    engine(request) {
      return moving ? answerAfter(moving, request) : answer(request);
    },
    service: () => service,
    sessions,
    async changeDocument(changed) {
      const next = await compileService(changed, options);
      moving = moveTo(next).finally(() => {
        moving = undefined;
      });
      await moving;
    },
    close: () => store.close(),
  };
}
