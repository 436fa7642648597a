import { fromBase64 } from '#platform';

/** The headers of the Standard Webhooks specification 1.0.0. */
export interface SignatureHeaders {
  readonly 'webhook-id': string;
  /** Seconds since 1970. */
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

const PREFIX = 'whsec_';

/** The bytes of a secret such as `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`; undefined: it is none. */
export function secretBytes(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  if (text === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  return Uint8Array.from(fromBase64(text), (sign) => sign.charCodeAt(0));
}

/** Signs a message: `v1,` and HMAC-SHA256 over `ID.TIMESTAMP.BODY`, in base64. */
export async function signMessage(
  secret: Uint8Array<ArrayBuffer>,
  id: string,
  at: number,
  body: Uint8Array,
): Promise<SignatureHeaders> {
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
