import type { CertificateFiles, ForwardCertificates, ServerCertificate } from './certificates.ts';
import { httpsFolder } from './stored.ts';

/** Whether a server uses https: with a generated certificate for localhost (`true`), or with the user's. */
export type Https = boolean | CertificateFiles;

/** Undefined: plain http. @throws RangeError for unusable files */
export async function serverCertificate(https: Https): Promise<ServerCertificate | undefined> {
  if (https === false) return undefined;
  if (https !== true) return (await import('./certificates.ts')).readCertificate(https);
  const { localCertificate } = await import('./certificates.ts');
  return localCertificate().catch((error: Error) =>
    refuse('https', error, 'name another folder in XDG_CACHE_HOME, or a certificate of your own'),
  );
}

/**
 * Certificates for hosts that a proxy decrypts. If all hosts are local, their authority is that for localhost.
 * @param hosts names and addresses, without brackets
 * @throws RangeError if nothing can be stored
 */
export async function certificatesFor(hosts: readonly string[]): Promise<ForwardCertificates> {
  const { forwardCertificates } = await import('./certificates.ts');
  return forwardCertificates(hosts).catch((error: Error) =>
    refuse('forward', error, 'name another folder in XDG_CACHE_HOME'),
  );
}

function refuse(option: string, { message }: Error, remedy: string): never {
  throw new RangeError(
    `option ${option}: no certificate can be kept in ${httpsFolder()}: ${message}; ${remedy}`,
  );
}
