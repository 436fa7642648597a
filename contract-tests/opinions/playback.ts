import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer as it came once, or as it is made up to try a judge. */
export interface Played {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/**
 * A server on loopback that gives answers of the run once more. Judges get to see just what the suite has seen, as
 * often as they like, and the target is asked nothing again: no write is repeated, no record is made for an opinion.
 */
export interface Playback {
  readonly url: string;
  /** The answer to be played to requests with this value in the header {@link EXCHANGE}. */
  put(answer: Played): string;
  /** Whether it has been played in full. */
  readonly wasPlayed: (id: string) => boolean;
  /** It is asked for no more: a long hearing keeps no answer that it is done with. */
  drop(id: string): void;
  close(): Promise<void>;
}

export const EXCHANGE = 'paddock-exchange';

/** They belong to a connection, or are set anew with the body (RFC 9110 §7.6.1). A judge must follow no redirect. */
const LEFT_OUT = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'location',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export async function startPlayback(): Promise<Playback> {
  const answers = new Map<string, Played>();
  const played = new Set<string>();
  let last = 0;
  const server = createServer((request, response) => {
    const id = String(request.headers[EXCHANGE] ?? '');
    const answer = answers.get(id);
    if (answer && play(answer, request, response)) played.add(id);
    else response.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put(answer) {
      last += 1;
      answers.set(String(last), answer);
      return String(last);
    },
    wasPlayed: (id) => played.has(id),
    drop(id) {
      answers.delete(id);
      played.delete(id);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** False: the answer is none that can be written by the rules of HTTP. */
function play(
  { status, headers, body }: Played,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  request.resume();
  try {
    const kept = headers.filter(([name]) => !LEFT_OUT.has(name.toLowerCase()));
    response.writeHead(status, kept.flat());
    response.end(body);
    return true;
  } catch {
    return false;
  }
}
