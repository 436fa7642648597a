import { X509Certificate } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { authorityFile, httpsFolder } from './cache-folder.ts';
import type { Issued } from './issue.ts';

/** What a server needs for https, PEM. */
export interface ServerCertificate extends Issued {
  /** The file (PEM) of the authority that clients have to trust; undefined: that is for whoever has made the certificate. */
  readonly authority: string | undefined;
}

/** A certificate that ends sooner is made anew. */
const AUTHORITY_LEFT_DAYS = 500;
const SERVER_LEFT_DAYS = 60;
const DAY_MS = 86_400_000;

/**
 * A certificate for localhost, 127.0.0.1 and ::1, signed by an authority of the user's own. Both are kept in the user's cache
 * folder until shortly before their end; programs that start side by side share them.
 * @throws the system's error where the folder cannot be written
 */
export async function localCertificate(now = Date.now()): Promise<ServerCertificate> {
  const folder = httpsFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const authority = await ownAuthority(join(folder, 'authority.key'), now);
  if (readText(authorityFile()) !== authority.cert) write(authorityFile(), authority.cert, 0o644);
  const file = join(folder, 'localhost.key');
  const kept = read(file, now, SERVER_LEFT_DAYS);
  if (kept && isSignedBy(kept, authority)) return { ...kept, authority: authorityFile() };
  const { issueServer } = await import('./issue.ts');
  const made = await issueServer(authority);
  write(file, made.key + made.cert, 0o600);
  return { ...made, authority: authorityFile() };
}

async function ownAuthority(file: string, now: number): Promise<Issued> {
  const kept = read(file, now, AUTHORITY_LEFT_DAYS);
  if (kept) return kept;
  const isThere = readText(file) !== undefined;
  const { issueAuthority } = await import('./issue.ts');
  // RFC 5280, appendix A: a common name has at most 64 characters.
  const [...name] = `Paddock, for ${userName()} on ${hostname()}`;
  const made = await issueAuthority(name.slice(0, 64).join(''));
  // What another program has made in the meantime is shared; what cannot be used any more is replaced.
  const written = write(file, made.key + made.cert, 0o600, isThere ? 'replace' : 'keep');
  return written ? made : (read(file, now, AUTHORITY_LEFT_DAYS) ?? made);
}

/** A container may run as a number that belongs to no user. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'without a name'}`;
  }
}

const KEY = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n/;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/;

/** Undefined: there is none that can be used for so many days, or others could have read its key. */
function read(file: string, now: number, days: number): Issued | undefined {
  const text = readText(file);
  const [key] = (text && KEY.exec(text)) || [];
  const [cert] = (text && CERTIFICATE.exec(text)) || [];
  if (!key || !cert || isOpenToOthers(file)) return undefined;
  try {
    const { validFrom, validTo } = new X509Certificate(cert);
    const isOfTime = Date.parse(validFrom) <= now && Date.parse(validTo) >= now + days * DAY_MS;
    return isOfTime ? { cert, key } : undefined;
  } catch {
    return undefined;
  }
}

function isSignedBy({ cert }: Issued, authority: Issued): boolean {
  const { publicKey } = new X509Certificate(authority.cert);
  return new X509Certificate(cert).verify(publicKey);
}

function isOpenToOthers(file: string): boolean {
  return process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Whole or not at all. False: somebody else has written it meanwhile, and that is kept. */
function write(file: string, text: string, mode: number, existing: 'replace' | 'keep' = 'replace'): boolean {
  const own = `${file}.${process.pid}.${performance.now()}`;
  try {
    writeFileSync(own, text, { mode, flag: 'wx' });
    // The umask may have taken more.
    chmodSync(own, mode);
    if (existing === 'replace') renameSync(own, file);
    else linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}
