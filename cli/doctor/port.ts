import { createServer } from 'node:net';
import { createClient } from '#target';
import { listenProblem } from '../usage-error.ts';
import { about, type Remark } from './remark.ts';

const { good, warning, wrong } = about('port');

/** The address that the mock would listen on. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Milliseconds for whoever has the port to say what it is. */
const PATIENCE = 2000;

/** Listens on the address of the mock for a moment; says who else does. */
export async function examinePort(address: Address): Promise<Remark> {
  const { host, port } = address;
  const error = await tryToListen(address);
  if (!error) return good(port === 0 ? `${host} has free ones` : `${host}:${port} is free for the mock`);
  if (error.code !== 'EADDRINUSE') return wrong((listenProblem(error, address) ?? error).message);
  const other = 'start the mock on another port: paddock mock --port 0';
  const paddock = await askPaddock(address);
  return paddock === undefined
    ? wrong(`${host}:${port} is taken by another program`, `end it, or ${other}`)
    : warning(`${host}:${port} is taken by Paddock: ${paddock}`, `use it, or ${other}`);
}

function tryToListen({ host, port }: Address): Promise<NodeJS.ErrnoException | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** What the control API of a mock or a proxy says of its document; undefined: whatever answers is no Paddock. */
async function askPaddock({ host, port }: Address): Promise<string | undefined> {
  const reached = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  // Whoever it is: it is asked for its name, and told nothing.
  const tls = { rejectUnauthorized: false } as const;
  const client = createClient({ timeout: PATIENCE, direct: true, tls });
  const ask = async (scheme: string) => {
    const url = new URL(`${scheme}://${reached}:${port}/__admin/health`);
    return client.send({ method: 'GET', url, headers: [], body: undefined, chunked: false });
  };
  try {
    const plain = await ask('http');
    const { body } = plain.status === 200 ? plain : await ask('https');
    const { status, document } = JSON.parse(Buffer.from(body).toString());
    return status === 'ok' ? `${document.title} ${document.version}`.trim() : undefined;
  } catch {
    // No HTTP, no JSON, or JSON of another kind.
    return undefined;
  } finally {
    client.close();
  }
}
