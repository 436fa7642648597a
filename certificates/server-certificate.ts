import type { CertificateFiles, ForwardCertificates, ServerCertificate } from './certificates.ts';
import { httpsFolder } from './stored.ts';

/** Whether a server speaks https: with a certificate for localhost of its own (`true`), or with one of the user's. */
export type Https = boolean | CertificateFiles;

/** Undefined: plain http. @throws RangeError for files that cannot be used */
export async function serverCertificate(https: Https): Promise<ServerCertificate | undefined> {
  if (https === false) return undefined;
  if (https !== true) return (await import('./certificates.ts')).readCertificate(https);
  const { localCertificate } = await import('./certificates.ts');
  return localCertificate().catch((error: Error) =>
    refuse('https', error, 'name another folder in XDG_CACHE_HOME, or a certificate of your own'),
  );
}

/**
 * Certificates for hosts that a proxy decrypts. Their authority is that for localhost, where no other host is among them.
 * @param hosts names and addresses, without brackets
 * @throws RangeError where nothing can be kept
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
