import { fromBase64 } from '#platform';
import { reasonOf } from '../../forwarder/reason.ts';
import type { DeliveryAttempt } from '../sessions/outbox.ts';

/** The request to a receiver. */
export interface OutgoingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

/** In milliseconds. */
const TIMEOUT = 5000;

/** RFC 9110: the same request may succeed later. */
const MAY_PASS = new Set([408, 425, 429]);

export interface Attempted extends DeliveryAttempt {
  /** Undefined: it was received. True: a retry may succeed. */
  readonly again: boolean | undefined;
}

/** Sends a request once. Redirects are not followed, since they may lead to forbidden hosts. Never rejects. */
export async function attemptOnce(
  { url, method, headers, body }: OutgoingRequest,
  time: () => number,
  ended: AbortSignal,
  timeout = TIMEOUT,
): Promise<Attempted> {
  const at = time();
  const begun = performance.now();
  const signal = AbortSignal.any([ended, AbortSignal.timeout(timeout)]);
  const took = () => Math.round((performance.now() - begun) * 1000) / 1000;
  try {
    const sent = { method, headers, redirect: 'manual', signal } as const;
    const response = await fetch(url, { ...sent, ...(body && { body }) });
    // A connection with an unread body cannot be reused.
    await response.body?.cancel();
    const { status } = response;
    return { at, ms: took(), status: status || undefined, ...judgeStatus(status) };
  } catch (error) {
    return { at, ms: took(), status: undefined, ...explainFailure(error, new URL(url), timeout) };
  }
}

function judgeStatus(status: number): Pick<Attempted, 'reason' | 'again'> {
  if (status >= 200 && status < 300) return { reason: undefined, again: undefined };
  // Browsers report status 0 for a redirect that they do not follow.
  if (status === 0 || (status >= 300 && status < 400))
    return { reason: 'the receiver redirects, which is not followed', again: false };
  if (status === 410) return { reason: 'the receiver answers 410: it wants nothing more', again: false };
  const again = status >= 500 || MAY_PASS.has(status);
  return { reason: `the receiver answers ${status}`, again };
}

function explainFailure(error: unknown, { host }: URL, timeout: number): Pick<Attempted, 'reason' | 'again'> {
  const { name, message, cause } = error as Error & { readonly cause?: Error & { readonly code?: string } };
  if (name === 'TimeoutError') return { reason: `no response within ${timeout / 1000} s`, again: true };
  if (name === 'AbortError') return { reason: 'the mock has ended', again: false };
  if (!cause) return { reason: message, again: false };
  const reason = `${host}: ${reasonOf(cause)}`;
  // A rejected certificate stays rejected.
  return { reason, again: cause.code !== undefined && !reason.includes('certificate') };
}

const PREFIX = 'whsec_';

/** The bytes of a secret such as `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`. Undefined: it is no valid secret. */
export function secretBytes(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  if (text === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  return Uint8Array.from(fromBase64(text), (sign) => sign.charCodeAt(0));
}

/**
 * The signature headers of a message (Standard Webhooks 1.0.0): `v1,` and HMAC-SHA256 over `ID.TIMESTAMP.BODY`, in base64;
 * the time in seconds since 1970.
 */
export async function signMessage(
  secret: Uint8Array<ArrayBuffer>,
  id: string,
  at: number,
  body: Uint8Array,
): Promise<Readonly<Record<`webhook-${'id' | 'timestamp' | 'signature'}`, string>>> {
  const timestamp = String(Math.floor(at / 1000));
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(head.length + body.length);
  message.set(head);
  message.set(body, head.length);
  const signature = new Uint8Array(await subtle.sign('HMAC', key, message));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  };
}
