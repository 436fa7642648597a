import { mkdirSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Issued } from './issue.ts';
import { authorityFile, forwardFolder, httpsFolder, readIssued, readText, writeWhole } from './stored.ts';

export interface OwnAuthority extends Issued {
  /** Its certificate (PEM), which clients have to trust. */
  readonly file: string;
}

/** A certificate that ends sooner is made anew. */
const LEFT_DAYS = 500;

/**
 * An authority of the user's own, kept in their cache folder until shortly before its end; programs that start side by side
 * share it.
 * @param hosts that it vouches for: there is one for each first host, and one for this machine where there are none
 * @throws the system's error where the folder cannot be written
 */
export async function ownAuthority(hosts: readonly string[], now: number): Promise<OwnAuthority> {
  const [first] = hosts;
  const folder = first === undefined ? httpsFolder() : forwardFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = first === undefined ? authorityFile() : join(folder, `${fileNameOf(first)}.pem`);
  const authority = await keptOrMade(file.replace(/\.pem$/, '.key'), hosts, now);
  if (readText(file) !== authority.cert) writeWhole(file, authority.cert, 0o644);
  return { ...authority, file };
}

async function keptOrMade(file: string, hosts: readonly string[], now: number): Promise<Issued> {
  const kept = readIssued(file, now, LEFT_DAYS);
  const text = readText(file);
  const known = kept ? hostsIn(text) : [];
  const [first] = hosts;
  if (kept && hosts.every((host) => known.includes(host))) return kept;
  const { asCommonName, issueAuthority } = await import('./issue.ts');
  const subject = first === undefined ? 'Paddock' : `Paddock, ${first}`;
  const name = asCommonName(`${subject}, for ${userName()} on ${hostname()}`);
  const all = [...new Set([...hosts, ...known])];
  const isOfThisMachine = first === undefined;
  const key = isOfThisMachine || known.length > 0 ? kept?.key : undefined;
  const made = await issueAuthority(name, isOfThisMachine ? undefined : all, key);
  const hostsLine = isOfThisMachine ? '' : `${HOSTS}${all.join(' ')}\n`;
  // What another program has made in the meantime is shared; what cannot be used any more is replaced.
  const isNew = text === undefined;
  const written = writeWhole(file, hostsLine + made.key + made.cert, 0o600, isNew ? 'keep' : 'replace');
  return written ? made : keptOrMade(file, hosts, now);
}

/**
 * Before the key: readers of PEM ignore what stands outside of its blocks (RFC 7468 §2). Up to version 1.0 it was `Hosts: `, and
 * such an authority vouches for all below its hosts: it is not used again.
 */
const HOSTS = 'For: ';

function hostsIn(text = ''): readonly string[] {
  const [line = ''] = text.split('\n');
  return line.startsWith(HOSTS) ? line.slice(HOSTS.length).split(' ') : [];
}

/** Addresses of IPv6 have characters that no file name has on Windows. */
function fileNameOf(host: string): string {
  return host.replace(/[^a-z0-9.-]/gi, '_');
}

/** A container may run as a number that belongs to no user. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'without a name'}`;
  }
}
