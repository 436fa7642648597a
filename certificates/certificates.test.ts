import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCertificates } from '../quality/testing/network.ts';
import { forwardCertificates, localCertificate } from './certificates.ts';
import { issueAuthority, issueServer } from './issue.ts';
import { serverCertificate } from './server-certificate.ts';
import { authorityFile, cacheFolder, keptAuthority, keptForwardAuthorities, trustedHere } from './stored.ts';
import { ownCache } from './testing/own-cache.ts';

const DAY_MS = 86_400_000;

test.each([
  ['XDG_CACHE_HOME wins everywhere', { XDG_CACHE_HOME: '/x' }, 'darwin', '/x/paddock'],
  ['Windows', { LOCALAPPDATA: '/local' }, 'win32', '/local/paddock'],
  ['macOS', {}, 'darwin', /\/Library\/Caches\/paddock$/],
  ['any other', {}, 'linux', /\/\.cache\/paddock$/],
] as const)('the cache folder: %s', (_, env, platform, want) => {
  expect(cacheFolder(env, platform)).toEqual(typeof want === 'string' ? want : expect.stringMatching(want));
});

test('is for localhost, 127.0.0.1 and ::1, and its authority can vouch for no other host', async () => {
  await ownCache();
  const { cert, authority } = await localCertificate();
  const own = new X509Certificate(readFileSync(authority as string));
  const leaf = new X509Certificate(cert);
  expect(leaf.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
  expect([leaf.ca, own.ca, leaf.verify(own.publicKey), leaf.checkIssued(own)]).toEqual([
    false,
    true,
    true,
    true,
  ]);
  // OpenSSL as an independent implementation, which also checks the constraints.
  const text = execFileSync('openssl', ['x509', '-in', authority as string, '-noout', '-text']).toString();
  expect(text).toMatch(
    /Name Constraints: critical\s+Permitted:\s+DNS:localhost\s+IP:127\.0\.0\.0\/255\.0\.0\.0\s+IP:0:0:0:0:0:0:0:1\/FFFF/,
  );
  const days = (Date.parse(leaf.validTo) - Date.now()) / DAY_MS;
  expect(days).toBeGreaterThan(390);
  expect(days).toBeLessThan(398);
});

test.each(['Жанна 李 Zoë', '🐕'.repeat(40)])('vouches for a user called %s', async (name) => {
  const authority = await issueAuthority(name);
  const { cert } = await issueServer(authority);
  const own = new X509Certificate(authority.cert);
  expect(own.subject).toBe(`CN=${name}`);
  expect(new X509Certificate(cert).checkIssued(own)).toBe(true);
});

// Containers may run this way (`docker run --user 54321`); the test needs root for it.
test.skipIf(process.getuid?.() !== 0)('is made for a number that belongs to no user', async () => {
  const folder = await ownCache();
  chownSync(folder, 54_321, 54_321);
  const script = "import('./certificates/index.ts').then(({ serverCertificate }) => serverCertificate(true))";
  execFileSync(process.execPath, ['-e', script], { uid: 54_321, gid: 54_321, stdio: 'pipe' });
  expect(new X509Certificate(keptAuthority()?.cert as string).subject).toMatch(
    /^CN=Paddock\\, for user 54321 on /,
  );
});

test('is kept, with keys that nobody else can read', async () => {
  const folder = join(await ownCache(), 'paddock', 'https');
  const first = await localCertificate();
  expect(await localCertificate()).toEqual(first);
  const modeOf = (name: string) => statSync(join(folder, name)).mode & 0o777;
  expect(['', 'authority.key', 'localhost.key', 'authority.pem'].map(modeOf)).toEqual([
    0o700, 0o600, 0o600, 0o644,
  ]);
});

test('is shared by those who start side by side', async () => {
  await ownCache();
  const all = await Promise.all(Array.from({ length: 4 }, () => localCertificate()));
  const kept = new X509Certificate(keptAuthority()?.cert as string);
  for (const { cert } of all) expect(new X509Certificate(cert).verify(kept.publicKey)).toBe(true);
});

test('is made anew before it ends, by the same authority; and that, before it ends itself', async () => {
  await ownCache();
  const first = await localCertificate();
  const authority = keptAuthority()?.cert;
  const second = await localCertificate(Date.now() + 340 * DAY_MS);
  expect(second.cert).not.toBe(first.cert);
  expect(keptAuthority()?.cert).toBe(authority);
  await localCertificate(Date.now() + 3200 * DAY_MS);
  expect(keptAuthority()?.cert).not.toBe(authority);
});

test('for other hosts there is an authority that vouches for them alone; for further ones it stays the same', async () => {
  const folder = join(await ownCache(), 'paddock', 'https');
  const { authority, certificateFor } = await forwardCertificates([
    'staging.example',
    '192.0.2.7',
    'localhost',
  ]);
  expect(authority).toBe(join(folder, 'forward/staging.example.pem'));
  const own = readFileSync(authority, 'utf8');
  const leaf = new X509Certificate((await certificateFor('staging.example')).cert);
  expect([leaf.subjectAltName, leaf.checkIssued(new X509Certificate(own))]).toEqual([
    'DNS:staging.example',
    true,
  ]);
  const text = execFileSync('openssl', ['x509', '-in', authority, '-noout', '-text']).toString();
  expect(text).toMatch(
    /Permitted:\s+DNS:staging\.example\s+IP:192\.0\.2\.7\/255\.255\.255\.255\s+DNS:localhost\s+Excluded:\s+DNS:\.staging\.example\s/,
  );
  expect((await forwardCertificates(['staging.example'])).authority).toBe(authority);
  expect(readFileSync(authority, 'utf8')).toBe(own);
  await forwardCertificates(['staging.example', 'api.example']);
  const wider = readFileSync(authority, 'utf8');
  expect(wider).not.toBe(own);
  expect(leaf.checkIssued(new X509Certificate(wider))).toBe(true);
  expect(statSync(join(folder, 'forward/staging.example.key')).mode & 0o777).toBe(0o600);
  expect(keptForwardAuthorities().map(({ file }) => file)).toEqual([authority]);
});

test.each([
  [
    ['a.example', '192.0.2.7'],
    'a.example 192.0.2.7',
    'b.a.example b.example 192.0.2.8 127.0.0.1 localhost ::2',
  ],
  [['com'], 'com', 'b.com com.com localhost 192.0.2.7 ::1'],
  [['192.0.2.7'], '192.0.2.7', 'a.example localhost 127.0.0.1'],
  // A name below one host must be permitted for the other.
  [
    ['a.example', 'b.a.example', 'localhost'],
    'a.example b.a.example localhost',
    'c.b.a.example b.example 127.0.0.1',
  ],
])('OpenSSL accepts a certificate for each host of %j, and for no other', async (hosts, good, bad) => {
  const folder = await ownCache();
  const { authority, certificateFor } = await forwardCertificates(hosts);
  const isVerified = async (host: string) => {
    const file = join(folder, 'leaf.pem');
    writeFileSync(file, (await certificateFor(host)).cert);
    return spawnSync('openssl', ['verify', '-CAfile', authority, file]).status === 0;
  };
  const verified: string[] = [];
  for (const host of `${good} ${bad}`.split(' ')) if (await isVerified(host)) verified.push(host);
  expect(verified.join(' ')).toBe(good);
});

test('a key that others could have read is not used again', async () => {
  const folder = join(await ownCache(), 'paddock', 'https');
  await localCertificate();
  const authority = keptAuthority()?.cert;
  chmodSync(join(folder, 'authority.key'), 0o644);
  await localCertificate();
  expect(keptAuthority()?.cert).not.toBe(authority);
});

test('what was cut off is made anew', async () => {
  const folder = join(await ownCache(), 'paddock', 'https');
  const { cert } = await localCertificate();
  writeFileSync(join(folder, 'localhost.key'), cert.slice(0, 100), { mode: 0o600 });
  const again = await localCertificate();
  expect(
    new X509Certificate(again.cert).verify(new X509Certificate(readFileSync(authorityFile())).publicKey),
  ).toBe(true);
});

test('nobody is trusted who was never made', async () => {
  const folder = await ownCache();
  expect(trustedHere()).toBeUndefined();
  await localCertificate();
  expect(trustedHere()?.at(-1)).toBe(readFileSync(join(folder, 'paddock/https/authority.pem'), 'utf8'));
});

test('a folder that cannot be written is named, with what helps', async () => {
  const folder = await ownCache();
  process.env.XDG_CACHE_HOME = join(folder, 'a-file');
  writeFileSync(join(folder, 'a-file'), '');
  await expect(serverCertificate(true)).rejects.toThrow(
    /^option https: no certificate can be kept in .*a-file\/paddock\/https: .*; name another folder in XDG_CACHE_HOME/,
  );
});

test('files of the user: each that cannot be used is named', async () => {
  const folder = await ownCache();
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [good, other, old] = [makeCertificates(['a']), makeCertificates(['b']), makeCertificates(['c'], -2)];
  const cert = file('cert.pem', good.certificate);
  const key = file('key.pem', good.key);
  await expect(serverCertificate({ cert, key })).resolves.toEqual({
    cert: good.certificate,
    key: good.key,
    authority: undefined,
  });
  const table: [cert: string, key: string, problem: RegExp][] = [
    [join(folder, 'no.pem'), key, /^option https\.cert: cannot read .*no\.pem: ENOENT/],
    [cert, join(folder, 'no.pem'), /^option https\.key: cannot read .*no\.pem: ENOENT/],
    [key, key, /^option https\.cert: .*key\.pem holds no certificate \(PEM\)/],
    [cert, cert, /^option https\.key: .*cert\.pem holds no private key \(PEM\) that is not encrypted/],
    [
      cert,
      file('other.pem', other.key),
      /^option https\.key: the private key in .*other\.pem is not that of the certificate/,
    ],
    [
      file('old.pem', old.certificate),
      file('old.key', old.key),
      /^option https\.cert: .* has expired on \d{4}-\d\d-\d\d: renew it/,
    ],
  ];
  for (const [certFile, keyFile, problem] of table)
    await expect(serverCertificate({ cert: certFile, key: keyFile })).rejects.toThrow(problem);
});
