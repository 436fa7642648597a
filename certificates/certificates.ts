import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Issued } from './issue.ts';
import { ownAuthority } from './own-authority.ts';
import { httpsFolder, readIssued, writeWhole } from './stored.ts';

/** What a server needs for https, PEM. */
export interface ServerCertificate extends Issued {
  /**
   * The file (PEM) of the authority that clients must trust; undefined: the user provides the certificate and its
   * authority.
   */
  readonly authority: string | undefined;
}

/** A certificate that expires sooner is renewed. */
const SERVER_LEFT_DAYS = 60;

/**
 * A certificate for localhost, 127.0.0.1 and ::1, signed by an authority of the user. Both are kept in the user's cache
 * folder until shortly before they expire; concurrent programs share them.
 * @throws the system's error if the folder cannot be written
 */
export async function localCertificate(now = Date.now()): Promise<ServerCertificate> {
  const authority = await ownAuthority([], now);
  const file = join(httpsFolder(), 'localhost.key');
  const kept = readIssued(file, now, SERVER_LEFT_DAYS);
  if (kept && isSignedBy(kept, authority)) return { ...kept, authority: authority.file };
  const made = await issue(authority);
  writeWhole(file, made.key + made.cert, 0o600);
  return { ...made, authority: authority.file };
}

/** The library is imported on demand. */
async function issue(authority: Issued, hosts?: readonly string[]): Promise<Issued> {
  return (await import('./issue.ts')).issueServer(authority, hosts);
}

function isSignedBy({ cert }: Issued, authority: Issued): boolean {
  const { publicKey } = new X509Certificate(authority.cert);
  return new X509Certificate(cert).verify(publicKey);
}

/** Certificates for the hosts that a proxy decrypts. */
export interface ForwardCertificates {
  /** The file (PEM) of the authority that clients must trust. */
  readonly authority: string;
  /** Created on first use, and kept while the program runs. */
  certificateFor(host: string): Promise<Issued>;
}

/** @param hosts names and addresses; if all belong to this machine, the authority is the one for localhost */
export async function forwardCertificates(hosts: readonly string[]): Promise<ForwardCertificates> {
  const others = hosts.filter((host) => !isLocal(host));
  const named = others.length > 0 ? [...others, ...hosts.filter(isLocal)] : [];
  const authority = await ownAuthority(named, Date.now());
  const made = new Map<string, Promise<Issued>>();
  return {
    authority: authority.file,
    certificateFor(host) {
      const certificate = made.get(host) ?? issue(authority, [host]);
      made.set(host, certificate);
      return certificate;
    },
  };
}

/** Whether the authority for localhost may sign for a host. */
function isLocal(host: string): boolean {
  return host === '::1' || /^(?:.+\.)?localhost$/.test(host) || /^127(?:\.\d+){3}$/.test(host);
}

/** Paths of a certificate and its private key, PEM. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads the user's certificate with its chain, and checks whether a server can use it.
 * @throws RangeError naming the faulty file: `option https.cert: ...`
 */
export function readCertificate(
  { cert: certFile, key: keyFile }: CertificateFiles,
  now = Date.now(),
): ServerCertificate {
  const cert = usable('cert', `cannot read ${certFile}`, () => readFileSync(certFile, 'utf8'));
  const key = usable('key', `cannot read ${keyFile}`, () => readFileSync(keyFile, 'utf8'));
  const first = usable('cert', `${certFile} holds no certificate (PEM)`, () => new X509Certificate(cert));
  usable('key', `${keyFile} holds no private key (PEM) that is not encrypted`, () =>
    createSecureContext({ key }),
  );
  usable('key', `the private key in ${keyFile} is not that of the certificate in ${certFile}`, () =>
    createSecureContext({ cert, key }),
  );
  const { validFrom, validTo } = first;
  if (Date.parse(validTo) < now)
    throw problem('cert', `the certificate in ${certFile} has expired on ${dayOf(validTo)}: renew it`);
  if (Date.parse(validFrom) > now)
    throw problem('cert', `the certificate in ${certFile} is not valid before ${dayOf(validFrom)}`);
  return { cert, key, authority: undefined };
}

function problem(option: keyof CertificateFiles, message: string): RangeError {
  return new RangeError(`option https.${option}: ${message}`);
}

function dayOf(text: string): string {
  return new Date(text).toISOString().slice(0, 10);
}

function usable<T>(option: 'cert' | 'key', message: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw problem(option, `${message}: ${(error as Error).message}`);
  }
}
