import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { httpsFolder } from './cache-folder.ts';
import type { Issued } from './issue.ts';
import { ownAuthority } from './own-authority.ts';
import { readIssued, writeWhole } from './stored.ts';

/** What a server needs for https, PEM. */
export interface ServerCertificate extends Issued {
  /** The file (PEM) of the authority that clients have to trust; undefined: that is for whoever has made the certificate. */
  readonly authority: string | undefined;
}

/** A certificate that ends sooner is made anew. */
const SERVER_LEFT_DAYS = 60;

/**
 * A certificate for localhost, 127.0.0.1 and ::1, signed by an authority of the user's own. Both are kept in the user's cache
 * folder until shortly before their end; programs that start side by side share them.
 * @throws the system's error where the folder cannot be written
 */
export async function localCertificate(now = Date.now()): Promise<ServerCertificate> {
  const authority = await ownAuthority([], now);
  const file = join(httpsFolder(), 'localhost.key');
  const kept = readIssued(file, now, SERVER_LEFT_DAYS);
  if (kept && isSignedBy(kept, authority)) return { ...kept, authority: authority.file };
  const { issueServer } = await import('./issue.ts');
  const made = await issueServer(authority);
  writeWhole(file, made.key + made.cert, 0o600);
  return { ...made, authority: authority.file };
}

function isSignedBy({ cert }: Issued, authority: Issued): boolean {
  const { publicKey } = new X509Certificate(authority.cert);
  return new X509Certificate(cert).verify(publicKey);
}
