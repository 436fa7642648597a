import { httpsFolder } from './cache-folder.ts';
import type { ServerCertificate } from './local-certificate.ts';
import type { CertificateFiles } from './own-certificate.ts';

/** Whether a server speaks https: with a certificate for localhost of its own (`true`), or with one of the user's. */
export type Https = boolean | CertificateFiles;

/** Undefined: plain http. @throws RangeError for files that cannot be used */
export async function serverCertificate(https: Https): Promise<ServerCertificate | undefined> {
  if (https === false) return undefined;
  if (https !== true) return (await import('./own-certificate.ts')).readCertificate(https);
  const { localCertificate } = await import('./local-certificate.ts');
  return localCertificate().catch((error: Error) => {
    const remedy = 'name another folder in XDG_CACHE_HOME, or a certificate of your own';
    throw new RangeError(
      `option https: no certificate can be kept in ${httpsFolder()}: ${error.message}; ${remedy}`,
    );
  });
}
