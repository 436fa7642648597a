/** Certificates for https on this machine: those that mock and proxy show, and whom the suite trusts for them. */
export type { CertificateFiles, ForwardCertificates, ServerCertificate } from './certificates.ts';
export { certificatesFor, type Https, serverCertificate } from './server-certificate.ts';
export { authorityFile, keptAuthority, keptForwardAuthorities, trustedHere } from './stored.ts';
