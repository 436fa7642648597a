/** Certificates for https on this machine: those of mock and proxy, and the authorities that the suite trusts. */
export type { CertificateFiles, ForwardCertificates, ServerCertificate } from './certificates.ts';
export { certificatesFor, type Https, serverCertificate } from './server-certificate.ts';
export { authorityFile, keptAuthority, keptForwardAuthorities, trustedHere } from './stored.ts';
