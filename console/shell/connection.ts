import { h } from 'preact';
import { access, adminUrl } from './access.ts';
import { isTokenWanted, refuseToken, tokenHeaders } from './admin.ts';
import { createValue, useValue, type Value } from './value.ts';

/** `refused`: the mock responds, but this page may not listen. */
export type Connection = 'connecting' | 'live' | 'lost' | 'refused';

export const connection = createValue<Connection>('connecting');

/** Emitted whenever events start, as the page's data may be outdated. */
const OPEN = 'open';

const listeners = new Map<string, Set<(data: string) => void>>();

/** Listens to events by name, as JSON text; returns a function that stops it. */
export function onEvent(events: string | readonly string[], listener: (data: string) => void): () => void {
  const all = [events].flat().map((event) => {
    const heard = listeners.get(event) ?? new Set();
    listeners.set(event, heard.add(listener));
    return () => void heard.delete(listener);
  });
  return together(...all);
}

/** Combines functions that stop something. */
export const together =
  (...stops: readonly (() => void)[]) =>
  () => {
    for (const stop of stops) stop();
  };

/** Calls at once if connected, and at every reconnection. */
export function onOpen(listener: () => void): () => void {
  if (connection.get() === 'live') listener();
  return onEvent(OPEN, listener);
}

/** Loads a value that is reloaded after a reconnection; errors are ignored, since the connection status shows them. */
export async function refresh<T>(value: Value<T>, asked: Promise<T>): Promise<void> {
  await value.load(asked).catch(() => {});
}

function publish(event: string, data: string): void {
  for (const listener of listeners.get(event) ?? []) listener(data);
}

/** Combines all calls within some milliseconds into one at their end. */
export function throttle(act: () => void, milliseconds: number): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      act();
    }, milliseconds);
  };
}

/** Milliseconds between two attempts. */
const PAUSES = [300, 700, 1500, 2500];

/** Listens to the session until the page is closed, or the signal aborts. */
export async function keepConnected(signal?: AbortSignal): Promise<void> {
  for (let failures = 0; !signal?.aborted; ) {
    const wasLive = await listenOnce(signal);
    if (signal?.aborted) return;
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

/** Returns whether a connection was established before it ended. */
async function listenOnce(signal: AbortSignal | undefined): Promise<boolean> {
  let isLive = false;
  try {
    const init = { headers: tokenHeaders(), cache: 'no-store', ...(signal && { signal }) } as const;
    const response = await access().fetch(adminUrl('events'), init);
    if (response.status === 401) refuseToken();
    if (!response.ok || !response.body) {
      connection.set('refused');
      return false;
    }
    isLive = true;
    connection.set('live');
    publish(OPEN, '');
    await readEvents(response.body as ReadableStream<BufferSource>, publish, signal);
  } catch {
    // A failed request counts as a lost connection.
    if (connection.get() !== 'live') connection.set('lost');
  }
  return isLive;
}

/** Reads server-sent events (WHATWG HTML §9.2) from a response, until it ends; EventSource cannot send a token. */
async function readEvents(
  body: ReadableStream<BufferSource>,
  receive: (event: string, data: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream(), signal && { signal }).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = fieldOf(block, 'event');
      const data = fieldOf(block, 'data');
      if (event !== undefined && data !== undefined) receive(event, data);
    }
  }
}

function fieldOf(block: string, name: string): string | undefined {
  const start = block.startsWith(`${name}: `) ? 0 : block.indexOf(`\n${name}: `) + 1;
  if (start === 0 && !block.startsWith(`${name}: `)) return undefined;
  const end = block.indexOf('\n', start);
  return block.slice(start + name.length + 2, end < 0 ? undefined : end);
}

function nextToken(): Promise<void> {
  return new Promise((resolve) => {
    const { token } = access();
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

/** Explains a lost connection. */
export function ConnectionBanner() {
  const state = useValue(connection);
  const isLocked = useValue(isTokenWanted);
  if (isLocked || state === 'live' || state === 'connecting') return null;
  const { server, origin } = access();
  const name = `The ${server} at ${new URL(origin).host}`;
  const text =
    state === 'lost'
      ? `${name} does not respond. This page may be out of date. It reconnects when the ${server} is back.`
      : `${name} refuses to send live updates to this page. The console will try again.`;
  return h('p', { class: 'banner', role: 'alert' }, text);
}
