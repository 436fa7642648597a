/** Certificates for https on this machine: those that mock and proxy show, and whom the suite trusts for them. */
export { authorityFile } from './cache-folder.ts';
export type { ForwardCertificates } from './forward-certificates.ts';
export type { ServerCertificate } from './local-certificate.ts';
export type { CertificateFiles } from './own-certificate.ts';
export { certificatesFor, type Https, serverCertificate } from './server-certificate.ts';
export { keptAuthority, keptForwardAuthorities, trustedHere } from './trusted.ts';
