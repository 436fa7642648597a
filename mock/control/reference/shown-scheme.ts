import { isRecord } from '#spec';

const NAMES: Readonly<Record<string, string>> = { oauth2: 'OAuth 2.0', openIdConnect: 'OpenID Connect' };

/**
 * A Security Scheme Object as the mock checks it: of OAuth 2.0 and OpenID Connect it sees the bearer token alone
 * (RFC 6750), and the servers that issue tokens know none for a mock.
 */
export function shownScheme(scheme: unknown): unknown {
  if (!isRecord(scheme)) return scheme;
  const name = Object.hasOwn(NAMES, String(scheme.type)) ? NAMES[String(scheme.type)] : undefined;
  if (name === undefined) return scheme;
  const note = `${name} in the document; this mock accepts its key as the bearer token.`;
  const texts = [scheme.description, note].filter((text) => typeof text === 'string');
  return { type: 'http', scheme: 'bearer', description: texts.join('\n\n') };
}
