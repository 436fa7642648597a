import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contract } from '#spec';
import type { WireResponse } from '../send/wire.ts';
import { bundleDocument } from './bundle-document.ts';

/** A response as it was received once, or as it is generated to try a judge. */
export type Played = Pick<WireResponse, 'status' | 'headers' | 'body'>;

/**
 * A server on loopback that plays responses of a run back, beside a copy of the document. Judges see what the suite
 * has seen and the target gets no further request: no write is repeated, no record is created for an opinion.
 */
export interface Playback {
  readonly url: string;
  /** A folder of its own, for the judge's files as well. */
  readonly folder: string;
  /** The document as one JSON file. */
  readonly document: string;
  /** Gives the value of the header {@link EXCHANGE} that asks for the response; the response repeats it. */
  add(response: Played): string;
  close(): Promise<void>;
}

export const EXCHANGE = 'paddock-exchange';

/** They belong to a connection or are set with the body (RFC 9110 §7.6.1). */
const LEFT_OUT = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export async function startPlayback(contract: Contract): Promise<Playback> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  const document = join(folder, 'document.json');
  await writeFile(document, bundleDocument(contract));
  const responses: Played[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const id = String(request.headers[EXCHANGE]);
    play(responses[Number(id)], id, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    folder,
    document,
    add: (response) => String(responses.push(response) - 1),
    async close() {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function play(played: Played | undefined, id: string, response: ServerResponse): void {
  try {
    if (!played) throw new Error('not recorded');
    const kept = played.headers.filter(([name]) => !isLeftOut(name.toLowerCase(), played.status));
    response.writeHead(played.status, [...kept.flat(), EXCHANGE, id]);
    response.end(played.body);
  } catch {
    // Not a response that Node can write.
    response.destroy();
  }
}

/** A judge must follow no redirect. */
function isLeftOut(name: string, status: number): boolean {
  return LEFT_OUT.has(name) || (name === 'location' && status >= 300 && status < 400);
}
