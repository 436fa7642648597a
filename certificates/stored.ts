import { X509Certificate } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as tls from 'node:tls';
import type { Issued } from './issue.ts';

const DAY_MS = 86_400_000;
const KEY = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n/;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/;

/** Undefined: there is none that is valid for this number of days, or other users could read its key. */
export function readIssued(file: string, now: number, days: number): Issued | undefined {
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

function isOpenToOthers(file: string): boolean {
  return process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
}

export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Writes a file atomically. Returns false if another program has written it meanwhile, whose file is kept. */
export function writeWhole(
  file: string,
  text: string,
  mode: number,
  existing: 'replace' | 'keep' = 'replace',
): boolean {
  const temporary = `${file}.${process.pid}.${performance.now()}`;
  try {
    writeFileSync(temporary, text, { mode, flag: 'wx' });
    // The umask may have removed some permissions.
    chmodSync(temporary, mode);
    if (existing === 'replace') renameSync(temporary, file);
    else linkSync(temporary, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder for generated files that can be recreated (XDG Base Directory Specification, and the conventions of other
 * systems).
 */
export function cacheFolder(env: Environment = process.env, platform: string = process.platform): string {
  const home = homedir();
  const ofPlatform = {
    win32: () => env.LOCALAPPDATA || join(home, 'AppData', 'Local'),
    darwin: () => join(home, 'Library', 'Caches'),
  }[platform];
  return join(env.XDG_CACHE_HOME || (ofPlatform?.() ?? join(home, '.cache')), 'paddock');
}

/** The certificate (PEM) of this user's authority, which signs those for localhost; it may not exist. */
export function authorityFile(): string {
  return join(httpsFolder(), 'authority.pem');
}

/** Only the user can enter it. */
export function httpsFolder(): string {
  return join(cacheFolder(), 'https');
}

/** This user's authorities for hosts that a proxy decrypts, each named after its host. */
export function forwardFolder(): string {
  return join(httpsFolder(), 'forward');
}

interface KeptAuthority {
  readonly file: string;
  readonly cert: string;
  readonly end: Date;
}

/** This user's stored authority; undefined if there is none, or its file has other content. */
export function keptAuthority(file = authorityFile()): KeptAuthority | undefined {
  try {
    const cert = readFileSync(file, 'utf8');
    return { file, cert, end: new Date(new X509Certificate(cert).validTo) };
  } catch {
    return undefined;
  }
}

/** The stored authorities for hosts that a proxy decrypts. */
export function keptForwardAuthorities(): readonly KeptAuthority[] {
  const folder = forwardFolder();
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.pem'));
    return names.sort().flatMap((name) => keptAuthority(join(folder, name)) ?? []);
  } catch {
    return [];
  }
}

/** All authorities that Node trusts, and this user's; undefined if the user has none. */
export function trustedHere(): string[] | undefined {
  const kept = keptAuthority();
  return kept && [...trustedByNode(), kept.cert];
}

/** Node 22 does not expose the additional certificates that it trusts. */
function trustedByNode(): readonly string[] {
  const { getCACertificates }: Partial<typeof tls> = tls;
  if (getCACertificates) return getCACertificates('default');
  return [...tls.rootCertificates, ...extraCertificates()];
}

/** Node itself warns about a file that it cannot read, and continues. */
function extraCertificates(): readonly string[] {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  if (!file) return [];
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}
