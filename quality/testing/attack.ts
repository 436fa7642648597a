import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { listening, type MockProcess, startPaddock } from './paddock.ts';
import type { Measure } from './probe.ts';

// The common part of all attacks: start something, make attempts on it, check that it withstands each of them, and that
// it returns to its initial state. The attempts are a table in the room under attack.

/** Generated attempts. */
export interface Attack<Attempt> {
  readonly attempts: fc.Arbitrary<Attempt>;
  /** Rejects if the target fails. */
  stands(attempt: Attempt, at: number): Promise<void>;
  /** The text that reproduces it. */
  shown(attempt: Attempt): string;
  /** The number of concurrent attempts; default: 1. */
  readonly workers?: number;
}

/** The same seed gives the same attempts; `EFFORT=10` makes ten times as many. */
export const SEED = Number(process.env.SEED ?? 1);
export const EFFORT = Number(process.env.EFFORT ?? 1);

/** The attempts of one batch are generated at once; all of them would take some hundred megabytes. */
const BATCH = 1000;

/** Makes this number of attempts. @returns the failures, with what reproduces them */
export async function faultsOf<Attempt>(
  { attempts, stands, shown, workers = 1 }: Attack<Attempt>,
  count: number,
  seed = SEED,
): Promise<string[]> {
  const faults: string[] = [];
  for (let begun = 0; begun < count; begun += BATCH) {
    const numRuns = Math.min(BATCH, count - begun);
    const queue = fc.sample(attempts, { numRuns, seed: seed + begun }).entries();
    const work = async () => {
      for (const [at, attempt] of queue)
        await stands(attempt, begun + at).catch((error: Error) => {
          faults.push(`${error.message.slice(0, 600)}: ${shown(attempt)}`);
        });
    };
    await Promise.all(Array.from({ length: workers }, work));
  }
  return faults;
}

/** Changes a few characters of a text: removes some, and inserts some of these. */
export function broken(
  text: string,
  cut: fc.Arbitrary<number>,
  put: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  const change = fc.record({ at: fc.nat(text.length), cut, put });
  return fc
    .array(change, { minLength: 1, maxLength: 4 })
    .map((changes) =>
      changes.reduce((all, { at, cut, put }) => all.slice(0, at) + put + all.slice(at + cut), text),
    );
}

/** Preloaded, so that the program under test does not know about it. */
const PROBE = new URL('./probe.ts', import.meta.url).href;

/** A mock or proxy that reports its memory, handles and event loop delay on request. */
export interface Attacked extends MockProcess {
  readonly adminUrl: string;
  measure(): Promise<Measure>;
}

/** Starts `paddock mock` or `paddock proxy` on a free port, and waits until it listens. */
export async function startAttacked(verb: 'mock' | 'proxy', ...args: readonly string[]): Promise<Attacked> {
  const attacked = await listening(startPaddock([verb, '--port', '0', ...args], { preload: PROBE }));
  const { child, url } = attacked;
  const measure = async () => {
    child.send('measure');
    const [measured] = await once(child, 'message');
    return measured as Measure;
  };
  return { ...attacked, adminUrl: new URL('/__admin', url).href, measure };
}

/** Restores the seeded records, and closes its connection, which would count as a handle. */
export async function reset({ adminUrl }: Attacked): Promise<void> {
  await fetch(`${adminUrl}/reset`, { method: 'POST', headers: { connection: 'close' } });
}

const MIB = 2 ** 20;
const mib = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`;

/**
 * Attacks a process, and waits until its handles are as before.
 * @param attack returns what the process was doing under attack
 * @returns the MiB that its heap has grown by, and the event loop delay
 */
export async function attackedBy(
  { measure }: Attacked,
  attack: () => Promise<Measure>,
): Promise<{ readonly growth: number; readonly delay: number }> {
  const before = await measure();
  const peak = await attack();
  // Does not need a running test, unlike `expect.poll`.
  await vi.waitFor(async () => expect((await measure()).handles).toEqual(before.handles), {
    timeout: 60_000,
  });
  const after = await measure();
  for (const [moment, { heap, rss, delay, handles }] of Object.entries({ before, peak, after }))
    process.stdout.write(
      `  ${moment}: heap ${mib(heap)}, rss ${mib(rss)}, event loop delay ${delay.mean.toFixed(1)} ms on average` +
        ` and ${delay.max.toFixed(0)} ms at most, handles ${JSON.stringify(handles)}\n`,
    );
  return { growth: (after.heap - before.heap) / MIB, delay: peak.delay.max };
}

/** Node raises its soft limit of open files to the hard one at start-up; on some machines that is too low. */
const FILES = Number(execFileSync('sh', ['-c', 'ulimit -Hn']).toString().replace('unlimited', '1e9'));
/** Leaves a thousand for other uses, such as connections of a proxy to its target. */
export const CONNECTIONS = Math.min(10_000, FILES - 1000);
/** The number of connections that a server accepts in one turn of its event loop without refusing any. */
const ACCEPTED = 200;

/** Opens connections, and waits until they are accepted. */
export async function openConnections({ port, measure }: Attacked, count: number) {
  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject);
    });
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const length = Math.min(ACCEPTED, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length }, open))));
  }
  let peak = await measure();
  const accepted = async () => {
    peak = await measure();
    return peak.handles.TCPSocketWrap ?? 0;
  };
  await expect.poll(accepted).toBeGreaterThanOrEqual(count);
  return { sockets, peak };
}

/** Opens this number of connections at once; each gets a response, and is then closed. */
export async function connectAtOnce(attacked: Attacked, count: number): Promise<Measure> {
  const { sockets, peak } = await openConnections(attacked, count);
  const statuses: Record<string, number> = {};
  const requestOn = (socket: Socket) =>
    new Promise<void>((resolve) => {
      socket.once('data', (chunk) => {
        const status = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? 'no response';
        statuses[status] = (statuses[status] ?? 0) + 1;
        socket.resetAndDestroy();
      });
      socket.once('close', () => resolve());
      socket.write('GET /v1/pets/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer paddock-dev-key\r\n\r\n');
    });
  for (let begin = 0; begin < sockets.length; begin += ACCEPTED)
    await Promise.all(sockets.slice(begin, begin + ACCEPTED).map(requestOn));
  expect(statuses).toEqual({ 200: count });
  return peak;
}

/** Runs `paddock check` with the built-in key. */
export async function runCheck(args: readonly string[], env: Record<string, string> = {}) {
  const { child, ended, output } = startPaddock(['check', ...args], {
    env: { PADDOCK_API_KEY: 'paddock-dev-key', NO_COLOR: '1', ...env },
    preload: PROBE,
  });
  /** The maximum resident memory of the process, in bytes. */
  let peak = 0;
  child.on('message', (bytes) => {
    peak = Number(bytes);
  });
  return { code: await ended, output: output().all, peak };
}

/** Bytes to send on one connection. */
export interface Sent {
  readonly pieces: readonly Buffer[];
  /** The pause between two pieces, in milliseconds. */
  readonly pause: number;
  /** When and how the sender closes its side of the connection. */
  readonly ending: 'after the response' | 'half-closed' | 'reset';
}

/** In milliseconds; only a hanging server comes close. */
const TIMEOUT = 15_000;

/** Sends the pieces, and returns everything received until the connection closes. Rejects after the timeout. */
export async function send(port: number, { pieces, pause, ending }: Sent): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const timeout = setTimeout(() => socket.destroy(new Error('hangs')), TIMEOUT);
  let problem: NodeJS.ErrnoException | undefined;
  socket.on('error', (error) => {
    problem = error;
  });
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    // Anything after the first response was sent before this event.
    if (ending === 'after the response') socket.end();
  });
  socket.on('end', () => socket.end());
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await sleep(pause);
    if (socket.destroyed || socket.writableEnded) break;
    socket.write(piece);
  }
  if (ending === 'half-closed') socket.end();
  if (ending === 'reset') socket.resetAndDestroy();
  await closed;
  clearTimeout(timeout);
  if (problem?.message === 'hangs') throw new Error(`neither answered nor closed within ${TIMEOUT} ms`);
  // A client that is refused while it still sends may see a reset after the response: TCP works that way, and it is no
  // fault.
  if (problem && !['ECONNRESET', 'EPIPE'].includes(problem.code ?? '')) throw problem;
  return Buffer.concat(chunks);
}

/** Sends the text of a request, and returns its single response. */
export async function exchange(port: number, text: string): Promise<WireResponse> {
  const pieces = [Buffer.from(text, 'latin1')];
  const { responses } = readResponses(await send(port, { pieces, pause: 0, ending: 'after the response' }));
  if (!responses[0]) throw new Error(`no response to ${JSON.stringify(text.slice(0, 200))}`);
  return responses[0];
}

/** A response as received. */
export interface WireResponse {
  readonly status: number;
  /** By lower-case name; of repeated headers the last one. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]+$/;
const FIELD = /^([!#$%&'*+.^_`|~\w-]+): ([\x20-\x7e]*)$/;

/**
 * Reads the bytes of a connection more strictly than clients do: by RFC 9112 without its leniency for recipients.
 * @param heads how many of the first responses answer HEAD requests, and have no body
 * @returns all responses; `rest` is an incomplete one
 * @throws Error at the first byte that no response can contain
 */
export function readResponses(bytes: Buffer, heads = 0) {
  const responses: WireResponse[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) return { responses, rest };
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(STATUS_LINE.exec(statusLine)?.[1] ?? fail(`no status line: ${statusLine}`));
    const headers = new Map(
      lines.map((line) => {
        const [, name = '', value = ''] = FIELD.exec(line) ?? fail(`no header: ${line}`);
        return [name.toLowerCase(), value];
      }),
    );
    const length = headers.get('content-length');
    const bare = status < 200 || status === 204 || responses.length < heads;
    if (!bare && !/^\d+$/.test(length ?? '')) fail(`no Content-Length: ${lines.join(' | ')}`);
    const begin = end + HEAD_END.length;
    const size = bare ? 0 : Number(length);
    if (rest.length < begin + size) return { responses, rest };
    if (status >= 200) responses.push({ status, headers, body: rest.subarray(begin, begin + size) });
    rest = rest.subarray(begin + size);
  }
}

function fail(message: string): never {
  throw new Error(message);
}
