import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as tls from 'node:tls';
import { authorityFile, forwardFolder } from './stored.ts';

interface KeptAuthority {
  readonly file: string;
  readonly cert: string;
  readonly end: Date;
}

/** The authority of this user as it is kept; undefined: there is none, or its file holds something else. */
export function keptAuthority(file = authorityFile()): KeptAuthority | undefined {
  try {
    const cert = readFileSync(file, 'utf8');
    return { file, cert, end: new Date(new X509Certificate(cert).validTo) };
  } catch {
    return undefined;
  }
}

/** Those for hosts that a proxy decrypts. */
export function keptForwardAuthorities(): readonly KeptAuthority[] {
  const folder = forwardFolder();
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.pem'));
    return names.sort().flatMap((name) => keptAuthority(join(folder, name)) ?? []);
  } catch {
    return [];
  }
}

/** All that Node trusts, and the authority of this user; undefined: there is none. */
export function trustedHere(): string[] | undefined {
  const kept = keptAuthority();
  return kept && [...trustedByNode(), kept.cert];
}

/** Node 22 does not tell what it trusts beside its own list. */
function trustedByNode(): readonly string[] {
  const { getCACertificates }: Partial<typeof tls> = tls;
  if (getCACertificates) return getCACertificates('default');
  return [...tls.rootCertificates, ...extraCertificates()];
}

/** Of a file that cannot be read Node itself warns, and goes on. */
function extraCertificates(): readonly string[] {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  if (!file) return [];
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}
