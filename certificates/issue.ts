import { generateKeyPair, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import forge from 'node-forge';

/** A certificate and its private key, PEM. */
export interface Issued {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
/** Browsers and operating systems reject server certificates that are valid for longer (CA/Browser Forum, Apple). */
const SERVER_DAYS = 397;

/** The hosts of the certificate for a server on this machine. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '::1'];

/** What its authority may sign for: a name with its subdomains, and addresses, including a range. */
const THIS_MACHINE = ['localhost', '127.0.0.0/8', '::1'];

/**
 * An authority restricted to certain hosts (RFC 5280 §4.2.1.10): whoever trusts it, even in a browser, trusts it for no
 * other host, even if its key is stolen.
 * @param hosts names and addresses; default: this machine
 * @param key of its earlier certificate: certificates signed by that remain valid
 */
export async function issueAuthority(
  name: string,
  hosts: readonly string[] = THIS_MACHINE,
  key?: string,
): Promise<Issued> {
  return issue({
    name,
    days: AUTHORITY_DAYS,
    key,
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      { name: 'subjectKeyIdentifier' },
      { id: '2.5.29.30', critical: true, value: constraints(hosts) },
    ],
  });
}

/** @param hosts names and addresses; default: localhost, 127.0.0.1 and ::1 */
export async function issueServer(
  authority: Issued,
  hosts: readonly string[] = LOCAL_HOSTS,
): Promise<Issued> {
  const [first = ''] = hosts;
  return issue({
    // If the other names are only addresses, OpenSSL checks a common name that may be a host against the permitted
    // names.
    name: asCommonName(isIP(first) ? `Address ${first}` : first),
    days: SERVER_DAYS,
    authority,
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: hosts.map(altName) },
      { name: 'subjectKeyIdentifier' },
    ],
  });
}

/** RFC 5280, appendix A: a common name has at most 64 characters. */
export function asCommonName(text: string): string {
  const [...characters] = text;
  return characters.slice(0, 64).join('');
}

function altName(host: string) {
  return isIP(host) ? { type: 7, ip: host } : { type: 2, value: host };
}

interface Wanted {
  /** The common name of its subject. */
  readonly name: string;
  /** Days until it expires; it is also valid for the past hour, since clocks differ. */
  readonly days: number;
  /** Undefined: it is self-signed. */
  readonly authority?: Issued;
  /** Its private key, PEM; undefined: a new one is created. */
  readonly key?: string | undefined;
  readonly extensions: readonly object[];
}

async function issue({ name, days, authority, extensions, key: existingKey }: Wanted): Promise<Issued> {
  const key = existingKey ?? (await makeKey());
  const { pki, md } = forge;
  const privateKey = pki.privateKeyFromPem(key);
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.setRsaPublicKey(privateKey.n, privateKey.e);
  // RFC 5280 §4.1.2.2: a positive number of at most 20 bytes.
  certificate.serialNumber = `01${randomBytes(18).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() - 3_600_000);
  certificate.validity.notAfter = new Date(Date.now() + days * DAY_MS);
  const issuer = authority && pki.certificateFromPem(authority.cert);
  // Names of users and machines may have letters of any script, which a PrintableString cannot represent.
  const subject = [{ name: 'commonName', value: name, valueTagClass: UTF8 }];
  certificate.setSubject(subject);
  certificate.setIssuer(issuer?.subject.attributes.map(withText) ?? subject);
  const authorityKey = issuer?.generateSubjectKeyIdentifier().getBytes();
  certificate.setExtensions([
    ...extensions,
    ...(authorityKey === undefined ? [] : [{ name: 'authorityKeyIdentifier', keyIdentifier: authorityKey }]),
  ]);
  certificate.sign(authority ? pki.privateKeyFromPem(authority.key) : privateKey, md.sha256.create());
  return { cert: pki.certificateToPem(certificate).replaceAll('\r\n', '\n'), key };
}

/** The library creates keys in JavaScript, and only supports RSA for signing. */
async function makeKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return privateKey;
}

// The library's types declare it as a class.
const UTF8 = forge.asn1.Type.UTF8 as unknown as forge.asn1.Class;

// Missing in its types.
const { bytesFromIP } = forge.util as unknown as { bytesFromIP(address: string): string | null };

/** The library reads a name as bytes, and writes it as text. */
function withText(field: forge.pki.CertificateField): forge.pki.CertificateField {
  return field.valueTagClass === UTF8
    ? { ...field, value: forge.util.decodeUtf8(String(field.value)) }
    : field;
}

/**
 * Name Constraints. A permitted name includes its subdomains, which would be too much for a public suffix, so these are
 * excluded, except for other hosts of the list.
 */
function constraints(hosts: readonly string[]): forge.asn1.Asn1 {
  const { asn1 } = forge;
  const { Class, Type } = asn1;
  const sequence = (parts: readonly forge.asn1.Asn1[]) =>
    asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, [...parts]);
  const subtree = (tag: number, bytes: string) =>
    sequence([asn1.create(Class.CONTEXT_SPECIFIC, tag as forge.asn1.Type, false, bytes)]);
  const subtrees = (tag: number, all: readonly forge.asn1.Asn1[]) =>
    all.length > 0 ? [asn1.create(Class.CONTEXT_SPECIFIC, tag as forge.asn1.Type, true, [...all])] : [];
  const subtreeOf = (host: string) => {
    const [address = '', isRange] = host.split('/');
    const bytes = isIP(address) ? (bytesFromIP(address) ?? '') : undefined;
    if (bytes === undefined) return subtree(2, host);
    return subtree(7, bytes + (isRange ? LOOPBACK_MASK : '\xff'.repeat(bytes.length)));
  };
  const names = hosts.filter((host) => !isIP(host.split('/')[0] ?? ''));
  // Without a permitted name of a type, all names of that type would be permitted, so an impossible one is listed.
  const nobodys = [
    ...(names.length > 0 ? [] : ['invalid']),
    ...(names.length < hosts.length ? [] : ['0.0.0.0']),
  ];
  const alone = names.filter(
    (name) => name !== 'localhost' && !names.some((other) => other.endsWith(`.${name}`)),
  );
  return sequence([
    ...subtrees(0, [...hosts, ...nobodys].map(subtreeOf)),
    ...subtrees(
      1,
      alone.map((name) => subtree(2, `.${name}`)),
    ),
  ]);
}

const LOOPBACK_MASK = '\xff\0\0\0';
