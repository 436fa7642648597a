import { mkdirSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Issued } from './issue.ts';
import { authorityFile, forwardFolder, httpsFolder, readIssued, readText, writeWhole } from './stored.ts';

export interface OwnAuthority extends Issued {
  /** Its certificate (PEM), which clients must trust. */
  readonly file: string;
}

/** An authority that expires sooner is renewed. */
const LEFT_DAYS = 500;

/**
 * The user's own authority, kept in the cache folder until shortly before it expires; concurrent programs share it.
 * @param hosts that it may sign for. There is one authority for each first host, and one for this machine if there are
 * none
 * @throws the system's error if the folder cannot be written
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
  const storedHosts = kept ? hostsIn(text) : [];
  const [first] = hosts;
  if (kept && hosts.every((host) => storedHosts.includes(host))) return kept;
  const { asCommonName, issueAuthority } = await import('./issue.ts');
  const subject = first === undefined ? 'Paddock' : `Paddock, ${first}`;
  const name = asCommonName(`${subject}, for ${userName()} on ${hostname()}`);
  const all = [...new Set([...hosts, ...storedHosts])];
  const isOfThisMachine = first === undefined;
  const key = isOfThisMachine || storedHosts.length > 0 ? kept?.key : undefined;
  const made = await issueAuthority(name, isOfThisMachine ? undefined : all, key);
  const hostsLine = isOfThisMachine ? '' : `${HOSTS}${all.join(' ')}\n`;
  // If another program has created one meanwhile, that is shared; an unusable one is replaced.
  const isNew = text === undefined;
  const written = writeWhole(file, hostsLine + made.key + made.cert, 0o600, isNew ? 'keep' : 'replace');
  return written ? made : keptOrMade(file, hosts, now);
}

/**
 * In front of the key, since PEM readers ignore text outside the blocks (RFC 7468 §2). Up to version 1.0 this was
 * `Hosts: `, and such an authority may sign for all subdomains of its hosts, so it is not used any more.
 */
const HOSTS = 'For: ';

function hostsIn(text = ''): readonly string[] {
  const [line = ''] = text.split('\n');
  return line.startsWith(HOSTS) ? line.slice(HOSTS.length).split(' ') : [];
}

/** IPv6 addresses contain characters that are invalid in file names on Windows. */
function fileNameOf(host: string): string {
  return host.replace(/[^a-z0-9.-]/gi, '_');
}

/** A container may run with an id that belongs to no user. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'without a name'}`;
  }
}
