import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { ServerCertificate } from './local-certificate.ts';

/** Paths of a certificate and its private key, PEM. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads a certificate that the user has, with its chain, and looks whether a server can use it.
 * @throws RangeError naming the file to blame: `option https.cert: ...`
 */
export function readCertificate(
  { cert: certFile, key: keyFile }: CertificateFiles,
  now = Date.now(),
): ServerCertificate {
  const cert = read('cert', certFile);
  const key = read('key', keyFile);
  const first = usable('cert', `${certFile} holds no certificate (PEM)`, () => new X509Certificate(cert));
  usable('key', `${keyFile} holds no private key (PEM) that is not encrypted`, () =>
    createSecureContext({ key }),
  );
  usable('key', `the private key in ${keyFile} is not that of the certificate in ${certFile}`, () =>
    createSecureContext({ cert, key }),
  );
  const { validFrom, validTo } = first;
  if (Date.parse(validTo) < now)
    throw problem('cert', `the certificate in ${certFile} has expired on ${dayOf(validTo)}: renew it`);
  if (Date.parse(validFrom) > now)
    throw problem('cert', `the certificate in ${certFile} is not valid before ${dayOf(validFrom)}`);
  return { cert, key, authority: undefined };
}

function problem(option: keyof CertificateFiles, message: string): RangeError {
  return new RangeError(`option https.${option}: ${message}`);
}

function dayOf(text: string): string {
  return new Date(text).toISOString().slice(0, 10);
}

function read(option: 'cert' | 'key', file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw problem(option, `cannot read ${file}: ${(error as Error).message}`);
  }
}

function usable<T>(option: 'cert' | 'key', message: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw problem(option, `${message}: ${(error as Error).message}`);
  }
}
