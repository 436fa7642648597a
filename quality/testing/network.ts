import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { forward } from './forward.ts';

/** A host name of the network that other machines cannot resolve. */
export const HOST = 'staging.paddock.example';

/** A company network: a target with a certificate from a private authority, and an HTTP proxy that leads to it. */
export interface Network {
  /** The port of the target, which also requests a client certificate. */
  readonly port: number;
  /** For each request to the target, whether the client showed its certificate. */
  readonly shown: boolean[];
  /** The URL of the HTTP proxy, which sends every host to the target. */
  readonly proxyUrl: string;
  /** The proxy's request lines: `GET http://...` for HTTP, `CONNECT host:port` for a tunnel. */
  readonly received: string[];
  /**
   * The path of a certificate or key: `authority.pem` for the target, `client.pem` and `client.key` for clients,
   * `both.pem` with both, `other.pem` and `other.key` that nobody trusts, and `no.pem`.
   */
  file(name: string): string;
  close(): Promise<void>;
}

/**
 * @param target handles the requests to the target; `isKnown`: the client showed its certificate
 * @param plain the port that requests for `http://` hosts are sent to
 */
export async function startNetwork(
  target: (isKnown: boolean, ...exchange: Parameters<RequestListener>) => void,
  plain: number,
): Promise<Network> {
  const [service, client, other] = [
    makeCertificates([HOST, 'localhost']),
    makeCertificates(['client']),
    makeCertificates(['other']),
  ];
  const folder = await mkdtemp(join(tmpdir(), 'network-'));
  const file = (name: string) => join(folder, name);
  const files = {
    'authority.pem': service.authority,
    'client.pem': client.certificate,
    'client.key': client.key,
    'both.pem': client.certificate + client.key,
    'other.pem': other.certificate,
    'other.key': other.key,
    'no.pem': 'no certificate',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(file(name), text);
  const hasCertificate: boolean[] = [];
  const options = { key: service.key, cert: service.certificate, ca: client.authority };
  const server = createHttpsServer(
    { ...options, requestCert: true, rejectUnauthorized: false },
    (...exchange) => {
      const { authorized } = exchange[0].socket as TLSSocket;
      hasCertificate.push(authorized);
      target(authorized, ...exchange);
    },
  );
  const port = await listen(server);
  const received: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    received.push(`${incoming.method} ${incoming.url}`);
    const { pathname, search } = new URL(incoming.url ?? '');
    forward(plain, incoming, outgoing, { path: pathname + search });
  });
  proxy.on('connect', ({ url }, socket) => {
    received.push(`CONNECT ${url}`);
    const onward = connect(url?.endsWith(':443') ? port : plain, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  const proxyUrl = `http://127.0.0.1:${await listen(proxy)}`;
  async function close(): Promise<void> {
    for (const one of [server, proxy]) one.close().closeAllConnections();
    await rm(folder, { recursive: true });
  }
  return { port, shown: hasCertificate, proxyUrl, received, file, close };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A certificate authority for one test, and a certificate that it issued; PEM texts. */
export interface Certificates {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/**
 * @param names hosts of the certificate, besides 127.0.0.1
 * @param days until it expires; it became valid a day ago, or a day before its end if that is earlier
 */
export function makeCertificates(names: readonly string[], days = 1): Certificates {
  const ca = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const hosts = names.map((name) => der(0x82, Buffer.from(name)));
  const alternatives = sequence(...hosts, der(0x87, Buffer.from([127, 0, 0, 1])));
  // RFC 5280 §4.2.1.9 and §4.2.1.6.
  const isAuthority = extension([0x55, 0x1d, 0x13], true, sequence(TRUE));
  const isFor = extension([0x55, 0x1d, 0x11], false, alternatives);
  return {
    authority: issue('An authority of a test', ca.publicKey, ca.privateKey, 1, isAuthority),
    certificate: issue('A server of a test', leaf.publicKey, ca.privateKey, days, isFor),
    key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

/** A self-signed certificate and its key; PEM texts. */
export function makeSelfSigned(days = 1): Pick<Certificates, 'certificate' | 'key'> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const isFor = extension([0x55, 0x1d, 0x11], false, sequence(der(0x87, Buffer.from([127, 0, 0, 1]))));
  return {
    // The name of the issuer.
    certificate: issue('An authority of a test', publicKey, privateKey, days, isFor),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

const DAY_MS = 86_400_000;
const TRUE = der(0x01, Buffer.from([0xff]));
const ECDSA_WITH_SHA256 = sequence(der(0x06, Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])));
const COMMON_NAME = der(0x06, Buffer.from([0x55, 0x04, 0x03]));

/** RFC 5280 §4.1: a certificate of version 3. */
function issue(
  subject: string,
  publicKey: KeyObject,
  signer: KeyObject,
  days: number,
  ...extensions: Buffer[]
): string {
  const end = Date.now() + days * DAY_MS;
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, subject.length])),
    ECDSA_WITH_SHA256,
    nameOf('An authority of a test'),
    sequence(moment(Math.min(Date.now(), end) - DAY_MS), moment(end)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', toBeSigned, { key: signer, dsaEncoding: 'der' });
  const certificate = sequence(
    toBeSigned,
    ECDSA_WITH_SHA256,
    der(0x03, Buffer.concat([Buffer.of(0), signature])),
  );
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));
}

function extension(id: readonly number[], critical: boolean, value: Buffer): Buffer {
  return sequence(der(0x06, Buffer.from(id)), ...(critical ? [TRUE] : []), der(0x04, value));
}

/** An ASN.1 GeneralizedTime, to the second. */
function moment(ms: number): Buffer {
  return der(0x18, Buffer.from(new Date(ms).toISOString().replace(/\.\d+|[-:T]/g, '')));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

/** Encodes X.690 §8.1: tag, length and content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
