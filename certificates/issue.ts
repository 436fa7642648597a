import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import forge from 'node-forge';

/** A certificate and its private key, PEM. */
export interface Issued {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
/** Browsers and operating systems take no certificate of a server that is valid for longer (CA/Browser Forum, Apple). */
const SERVER_DAYS = 397;

/** What the certificate of a server is for. */
const HOSTS = [
  { type: 2, value: 'localhost' },
  { type: 7, ip: '127.0.0.1' },
  { type: 7, ip: '::1' },
];

/**
 * An authority that can vouch for this machine alone (RFC 5280 §4.2.1.10): whoever trusts it, in a browser too, trusts it
 * for no other host, even if its key is stolen.
 */
export async function issueAuthority(name: string): Promise<Issued> {
  return issue({
    name,
    days: AUTHORITY_DAYS,
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      { name: 'subjectKeyIdentifier' },
      { id: '2.5.29.30', critical: true, value: loopbackOnly() },
    ],
  });
}

/** A certificate for localhost, 127.0.0.1 and ::1. */
export async function issueServer(authority: Issued): Promise<Issued> {
  return issue({
    name: 'localhost',
    days: SERVER_DAYS,
    authority,
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: HOSTS },
      { name: 'subjectKeyIdentifier' },
    ],
  });
}

interface Wanted {
  /** The common name of its subject. */
  readonly name: string;
  /** For which it is valid from now on; it is valid an hour before, too, since clocks differ. */
  readonly days: number;
  /** Undefined: it signs itself. */
  readonly authority?: Issued;
  readonly extensions: readonly object[];
}

async function issue({ name, days, authority, extensions }: Wanted): Promise<Issued> {
  // The library makes keys in JavaScript, and RSA is all that it signs with.
  const { privateKey: key } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const { pki, md } = forge;
  const own = pki.privateKeyFromPem(key);
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.setRsaPublicKey(own.n, own.e);
  // RFC 5280 §4.1.2.2: a positive number of at most 20 bytes.
  certificate.serialNumber = `01${randomBytes(18).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() - 3_600_000);
  certificate.validity.notAfter = new Date(Date.now() + days * DAY_MS);
  const issuer = authority && pki.certificateFromPem(authority.cert);
  // Names of users and machines have letters of all scripts, and a PrintableString has few.
  const subject = [{ name: 'commonName', value: name, valueTagClass: UTF8 }];
  certificate.setSubject(subject);
  certificate.setIssuer(issuer?.subject.attributes.map(withText) ?? subject);
  const authorityKey = issuer?.generateSubjectKeyIdentifier().getBytes();
  certificate.setExtensions([
    ...extensions,
    ...(authorityKey === undefined ? [] : [{ name: 'authorityKeyIdentifier', keyIdentifier: authorityKey }]),
  ]);
  certificate.sign(authority ? pki.privateKeyFromPem(authority.key) : own, md.sha256.create());
  return { cert: pki.certificateToPem(certificate).replaceAll('\r\n', '\n'), key };
}

// The library's types take it for a class.
const UTF8 = forge.asn1.Type.UTF8 as unknown as forge.asn1.Class;

/** The library reads the bytes of a name, and writes its text. */
function withText(field: forge.pki.CertificateField): forge.pki.CertificateField {
  return field.valueTagClass === UTF8
    ? { ...field, value: forge.util.decodeUtf8(String(field.value)) }
    : field;
}

/** The Name Constraints of localhost, 127.0.0.0/8 and ::1. */
function loopbackOnly(): forge.asn1.Asn1 {
  const { asn1 } = forge;
  const { Class, Type } = asn1;
  const sequence = (...parts: forge.asn1.Asn1[]) =>
    asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, [...parts]);
  const subtree = (tag: number, bytes: string) =>
    sequence(asn1.create(Class.CONTEXT_SPECIFIC, tag as forge.asn1.Type, false, bytes));
  const address = (...bytes: number[]) => String.fromCharCode(...bytes);
  const one = [...new Array<number>(15).fill(0), 1];
  const permitted = [
    subtree(2, 'localhost'),
    subtree(7, address(127, 0, 0, 0, 255, 0, 0, 0)),
    subtree(7, address(...one, ...new Array<number>(16).fill(255))),
  ];
  return sequence(asn1.create(Class.CONTEXT_SPECIFIC, 0 as forge.asn1.Type, true, permitted));
}
