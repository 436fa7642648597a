import { h } from 'preact';
import { isTokenWanted, refuseToken, token, tokenHeaders } from './admin.ts';
import { adminUrl, SERVER } from './place.ts';
import { readEvents } from './read-events.ts';
import { createValue, useValue, type Value } from './value.ts';

/** `refused`: the mock responds, and lets this page not listen. */
export type Connection = 'connecting' | 'live' | 'lost' | 'refused';

export const connection = createValue<Connection>('connecting');

/** Each time that events begin to come: what a page knows may be old. */
const OPEN = 'open';

const listeners = new Map<string, Set<(data: string) => void>>();

/** Listens to the events of one name, as JSON text; returns what ends that. */
export function onEvent(event: string, listener: (data: string) => void): () => void {
  const all = listeners.get(event) ?? new Set();
  listeners.set(event, all.add(listener));
  return () => all.delete(listener);
}

/** Calls at once if events come, and whenever they begin to come again. */
export function onOpen(listener: () => void): () => void {
  if (connection.get() === 'live') listener();
  return onEvent(OPEN, listener);
}

/** Loads a value that is loaded again when the connection, which says what is wrong, is back: a failure needs no word. */
export async function refresh<T>(value: Value<T>, asked: Promise<T>): Promise<void> {
  await value.load(asked).catch(() => {});
}

function publish(event: string, data: string): void {
  for (const listener of listeners.get(event) ?? []) listener(data);
}

/** Milliseconds between two attempts. */
const PAUSES = [300, 700, 1500, 2500];

/** Listens to the session for as long as the page is open. */
export async function keepConnected(): Promise<never> {
  for (let failures = 0; ; ) {
    const wasLive = await listenOnce();
    if (isTokenWanted.get()) {
      await nextToken();
      failures = 0;
      continue;
    }
    if (connection.get() !== 'refused') connection.set('lost');
    failures = wasLive ? 0 : failures + 1;
    await new Promise((resolve) => setTimeout(resolve, PAUSES[Math.min(failures, PAUSES.length - 1)]));
  }
}

/** Whether any events could come before it ended. */
async function listenOnce(): Promise<boolean> {
  let isLive = false;
  try {
    const response = await fetch(adminUrl('events'), { headers: tokenHeaders(), cache: 'no-store' });
    if (response.status === 401) refuseToken();
    if (!response.ok || !response.body) {
      connection.set('refused');
      return false;
    }
    isLive = true;
    connection.set('live');
    publish(OPEN, '');
    await readEvents(response.body as ReadableStream<BufferSource>, publish);
  } catch {
    // What cannot be reached ends like what has ended.
    if (connection.get() !== 'live') connection.set('lost');
  }
  return isLive;
}

function nextToken(): Promise<void> {
  return new Promise((resolve) => {
    const stop = token.subscribe(() => {
      if (token.get() === undefined) return;
      stop();
      resolve();
    });
  });
}

const TEXTS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost',
  refused: 'Refused',
};

/** Always in the header, and announced when it changes. */
export function ConnectionStatus() {
  const state = useValue(connection);
  const isLocked = useValue(isTokenWanted);
  return h('span', { class: `status status-${isLocked ? 'refused' : state}`, role: 'status' }, [
    h('span', { class: 'status-dot', 'aria-hidden': 'true' }),
    isLocked ? 'Token required' : TEXTS[state],
  ]);
}

/** What a lost connection means for the page. */
export function ConnectionBanner() {
  const state = useValue(connection);
  const isLocked = useValue(isTokenWanted);
  if (isLocked || state === 'live' || state === 'connecting') return null;
  const text =
    state === 'lost'
      ? `The ${SERVER} at ${location.host} does not respond. This page may be out of date. It reconnects when the ${SERVER} is back.`
      : `The ${SERVER} at ${location.host} refuses to send live updates to this page. The console will try again.`;
  return h('p', { class: 'banner', role: 'alert' }, text);
}
