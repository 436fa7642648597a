import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

/** A plain client that sends and receives JSON. */

/** The time limit of a request, in milliseconds. */
const LIMIT_MS = 20_000;

type Headers = Readonly<Record<string, string>>;

/**
 * Sends a request that must succeed. Returns the body of the response: JSON, or text if it is not JSON.
 * @throws Error unless the status is 2xx
 */
// biome-ignore lint/suspicious/noExplicitAny: the bodies of a dozen services
export async function call(method: string, url: string, body?: unknown, headers: Headers = {}): Promise<any> {
  const { status, text } = await send(method, url, body, headers);
  if (status < 200 || status > 299) throw new Error(`${method} ${url}: ${status} ${text.slice(0, 300)}`);
  return parsed(text);
}

/** Reads for a snapshot of the state: a failed read is a line of it. */
// biome-ignore lint/suspicious/noExplicitAny: the bodies of a dozen services
export async function read(url: string, headers: Headers = {}): Promise<any> {
  const { status, text } = await send('GET', url, undefined, headers);
  return status === 200 ? parsed(text) : { 'cannot be read': status };
}

/**
 * Uses `node:http`, because an assertion in `fetch` of Node 24 ends the process if a connection closes while a response
 * is paused.
 */
function send(method: string, url: string, body: unknown, headers: Headers) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const type: Headers = text === undefined ? {} : { 'Content-Type': 'application/json' };
  const length: Headers = text === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(text)) };
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(
      url,
      { method, headers: { Accept: 'application/json', ...type, ...length, ...headers }, timeout: LIMIT_MS },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        });
      },
    );
    sent.once('error', reject);
    sent.once('timeout', () => sent.destroy(new Error(`${method} ${url}: no response`)));
    sent.end(text);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether a GET gets a 2xx response. */
export async function isUp(url: string, headers: Headers): Promise<boolean> {
  const { status } = await send('GET', url, undefined, headers);
  return status >= 200 && status <= 299;
}

/**
 * Waits until a condition is true; a failed request counts as false. @throws Error after `seconds`, or as soon as it
 * `cannot` become true
 */
export async function until(
  seconds: number,
  what: string,
  holds: () => Promise<boolean>,
  cannot: () => boolean = () => false,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end && !cannot()) {
    if (await holds().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(cannot() ? `${what} failed` : `${what} took more than ${seconds} s`);
}

/** Saves the document that a service serves to a file, and returns the path. */
export async function servedDocument(
  { folder }: { readonly folder: string },
  url: string,
  headers?: Headers,
): Promise<string> {
  const file = join(folder, 'document.json');
  writeFileSync(file, JSON.stringify(await call('GET', url, undefined, headers)));
  return file;
}

/** A session that is valid for a day, signed with a service's own secret (RFC 7519, HS256). */
export function sessionToken(secret: string, session: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ ...session, iat: now, exp: now + 86_400 })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
