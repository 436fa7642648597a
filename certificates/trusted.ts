import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';
import { authorityFile } from './cache-folder.ts';

/** The authority of this user as it is kept; undefined: there is none, or its file holds something else. */
export function keptAuthority():
  | { readonly file: string; readonly cert: string; readonly end: Date }
  | undefined {
  const file = authorityFile();
  try {
    const cert = readFileSync(file, 'utf8');
    return { file, cert, end: new Date(new X509Certificate(cert).validTo) };
  } catch {
    return undefined;
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
