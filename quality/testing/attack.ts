import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { listening, type MockProcess, startPaddock } from './paddock.ts';
import type { Measure } from './probe.ts';

// What every attack is made of: something is started, attempts are made on it, it stands each of them, and is afterwards as
// it was before. What is attempted is a table beside the room that is attacked.

/** Attempts that are generated. */
export interface Attack<Attempt> {
  readonly attempts: fc.Arbitrary<Attempt>;
  /** Rejects where what is attacked does not stand it. */
  stands(attempt: Attempt, at: number): Promise<void>;
  /** What reproduces it. */
  shown(attempt: Attempt): string;
  /** How many are made side by side; default: 1. */
  readonly workers?: number;
}

/** The same seed makes the same attempts; `EFFORT=10` makes ten times as many. */
export const SEED = Number(process.env.SEED ?? 1);
export const EFFORT = Number(process.env.EFFORT ?? 1);

/** Attempts of one batch are generated at once; all of them would be some hundred megabytes. */
const BATCH = 1000;

/** Makes so many attempts. @returns what was wrong, with what reproduces it */
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

/** A text with a few of its characters changed: some are cut, and some of these are put there. */
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

/** Preloaded: the program under test does not know it. */
const PROBE = new URL('./probe.ts', import.meta.url).href;

/** A mock or a proxy that reports its memory, handles and event loop delay on request. */
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

/** Back to the seeded records. A connection that is kept open would count as a handle. */
export async function reset({ adminUrl }: Attacked): Promise<void> {
  await fetch(`${adminUrl}/reset`, { method: 'POST', headers: { connection: 'close' } });
}

const MIB = 2 ** 20;
const mib = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`;

/**
 * Attacks a process, and waits until its handles are as before.
 * @param attack gives what the process was in the midst of it
 * @returns MiB that its heap has grown by, and the event loop delay
 */
export async function attackedBy(
  { measure }: Attacked,
  attack: () => Promise<Measure>,
): Promise<{ readonly growth: number; readonly delay: number }> {
  const before = await measure();
  const peak = await attack();
  // Also where no test runs yet, as `expect.poll` needs it.
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

/** Node raises the soft limit of open files to the hard one at its start; some machines allow fewer than we want. */
const FILES = Number(execFileSync('sh', ['-c', 'ulimit -Hn']).toString().replace('unlimited', '1e9'));
/** A thousand are left for all else, such as connections of a proxy to its target. */
export const CONNECTIONS = Math.min(10_000, FILES - 1000);
/** A server accepts so many connections in one turn of its event loop without refusing any. */
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

/** So many connections that are open at once: each gets the response to its request, and is then closed. */
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
  /** The largest resident memory of the process, in bytes. */
  let peak = 0;
  child.on('message', (bytes) => {
    peak = Number(bytes);
  });
  return { code: await ended, output: output().all, peak };
}

/** What is sent on one connection. */
export interface Sent {
  readonly pieces: readonly Buffer[];
  /** Between two pieces, in milliseconds. */
  readonly pause: number;
  /** When and how the sender closes its side of the connection. */
  readonly ending: 'after the response' | 'half-closed' | 'reset';
}

/** Milliseconds; only a server that hangs comes near it. */
const TIMEOUT = 15_000;

/** Sends the pieces, and gives all that comes back until the connection closes. Rejects after the timeout. */
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
    // Whatever follows the first response is sent before this is seen.
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
  // A client that is refused while it still sends may see a reset after the response: that is TCP, and no fault.
  if (problem && !['ECONNRESET', 'EPIPE'].includes(problem.code ?? '')) throw problem;
  return Buffer.concat(chunks);
}

/** Sends a request as it is written here, and gives its one response. */
export async function exchange(port: number, text: string): Promise<WireResponse> {
  const pieces = [Buffer.from(text, 'latin1')];
  const { responses } = readResponses(await send(port, { pieces, pause: 0, ending: 'after the response' }));
  if (!responses[0]) throw new Error(`no response to ${JSON.stringify(text.slice(0, 200))}`);
  return responses[0];
}

/** One response as it came over the wire. */
export interface WireResponse {
  readonly status: number;
  /** By lower-case name; the last one counts. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]+$/;
const FIELD = /^([!#$%&'*+.^_`|~\w-]+): ([\x20-\x7e]*)$/;

/**
 * Reads the bytes of a connection more strictly than clients do: RFC 9112 without its allowances for recipients.
 * @param heads how many of the first responses belong to HEAD requests, and so have no body
 * @returns all responses; `rest` is what is no whole response
 * @throws Error at the first byte that no response can have
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
