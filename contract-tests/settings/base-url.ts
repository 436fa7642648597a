import { createSecureContext } from 'node:tls';
import { trustedHere } from '#certificates';
import { type Contract, namesLoopback } from '#spec';
import type { TlsSettings } from '../send/client.ts';
import { type CheckOptions, readText, SettingsError } from './check-options.ts';

/** @throws SettingsError if the text is no base URL */
export function parseBase(text: string): URL {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) {
    throw new SettingsError(
      `"${text}" is no base URL: it must begin with http:// or https://, such as http://127.0.0.1:4020/v1`,
    );
  }
  if (url.username || url.password) {
    throw new SettingsError(
      'the base URL must not hold a user or password: give them in PADDOCK_API_KEY, as USER:PASSWORD',
    );
  }
  if (url.search || url.hash) {
    throw new SettingsError(
      `the base URL must end with its path (${url.origin}${url.pathname}), without "?" or "#"`,
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** Suggests a base URL if the given one leads to something else than the service. */
export function baseUrlHint(
  { origin, pathname }: URL,
  { basePaths, servers }: Pick<Contract, 'basePaths' | 'servers'>,
): string {
  const path = pathname.replace(/\/+$/, '');
  const others = [...new Set(basePaths)].filter((one) => one !== path);
  const [server] = others;
  if (server === undefined) {
    const open = [...new Set(servers.flatMap((one) => one.open))].map((name) => `{${name}}`).join(', ');
    const more =
      open === '' ? '' : `, and at the value of ${open} in its path, which the document leaves open`;
    return `the base URL ends with the document's server path ${path || '/'}, so look at its host and port${more}`;
  }
  const doubled = others.find((one) => one !== '' && path.endsWith(one + one));
  const isWithin = others.find((one) => one !== '' && path.endsWith(one));
  const tries =
    doubled !== undefined
      ? [path.slice(0, -doubled.length)]
      : isWithin !== undefined
        ? [isWithin]
        : [...others, ...(path === '' || server === '' ? [] : [path + server])];
  const urls = [...new Set(tries)].map((one) => origin + one).join(' or ');
  const paths = others.map((one) => one || '/').join(', ');
  return `the document's server path is ${paths}: try ${urls}`;
}

/** @throws SettingsError if a certificate or key cannot be read or used */
export function readTls(
  { clientCert = [], insecure }: Pick<CheckOptions, 'clientCert' | 'insecure'>,
  base: URL,
): TlsSettings {
  const verification = insecure ? ({ rejectUnauthorized: false } as const) : trustOf(base);
  const files = [clientCert].flat();
  if (files.length === 0) return verification;
  if (base.protocol !== 'https:') {
    const message = `option clientCert: ${base.origin} is no https target, and takes no certificate`;
    throw new SettingsError(message, 'clientCert');
  }
  if (files.length > 2)
    throw new SettingsError(
      'option clientCert: name the certificate, and the file of its key at most',
      'clientCert',
    );
  // Certificate and key are read from their PEM blocks.
  const pem = files.map((file) => readText(file, 'option clientCert', 'clientCert')).join('\n');
  const named = files.join(', ');
  usable(`${named} holds no certificate (PEM)`, { cert: pem });
  usable(`${named} holds no private key (PEM) that is not encrypted; name the file of the key as well`, {
    key: pem,
  });
  usable(`the private key in ${named} is not that of the certificate`, { cert: pem, key: pem });
  return { ...verification, cert: pem, key: pem };
}

/**
 * A service on this machine may use the certificate that Paddock makes: only this user can have made it, since only they
 * have the key of its authority, and it is valid for no other host.
 */
function trustOf(base: URL): { ca?: string[] } {
  const ca = base.protocol === 'https:' && namesLoopback(base.hostname) ? trustedHere() : undefined;
  return ca ? { ca } : {};
}

function usable(message: string, pem: { cert?: string; key?: string }): void {
  try {
    createSecureContext(pem);
  } catch (error) {
    throw new SettingsError(`option clientCert: ${message}: ${(error as Error).message}`, 'clientCert');
  }
}
