import { foldedName } from '../meaning/names.ts';
import type { Operation } from '../operation.ts';
import type { Header } from '../parameter.ts';
import { Shape } from '../schema/shape.ts';
import { bodyShape, successOf } from './record-schema.ts';

type Credential = Operation['security'][number][number];

/** A session cookie. */
export interface SessionCookie extends Credential {
  readonly in: 'cookie';
}

/**
 * The cookie of a security scheme, else the one that an example of a response sets. Undefined: the document has
 * no session cookie.
 */
export function sessionCookie(operations: readonly Operation[]): SessionCookie | undefined {
  const credentials = operations.flatMap(({ security }) => security.flat());
  const cookie = credentials.find(
    (credential): credential is SessionCookie =>
      credential.in === 'cookie' && !/csrf|xsrf/i.test(credential.name),
  );
  if (cookie) return cookie;
  const set = operations.map(setCookie).find((header) => header !== undefined);
  const sent = credentials.find(({ in: place, name }) => place === 'header' && name === 'cookie');
  const spot = set?.spot ?? sent?.spot;
  if (!spot) return undefined;
  const [example] = [
    ...(set?.examples.values() ?? []),
    ...(set?.schema ? Shape.of([set.schema]).examples : []),
  ];
  const name = /^([\w.-]+)=/.exec(String(example))?.[1] ?? 'session';
  return { scheme: '', kind: 'apiKey', in: 'cookie', name, scopes: [], spot };
}

/** The header by which an operation sets a cookie. */
export function setCookie(operation: Operation): Header | undefined {
  return successOf(operation)?.headers.find(({ name }) => name === 'set-cookie');
}

/** Last words of the names of secrets that only a user knows. */
const SECRETS = 'password passphrase passwd passcode pass secret'.split(' ');
const SHORT_SECRETS = ['otp', 'pin'];

/** The members of a body that are secrets of the user. */
export function secretsOf(operation: Operation): string[] {
  return [...(bodyShape(operation)?.properties ?? [])].flatMap(([name, member]) => {
    const isNamed =
      SHORT_SECRETS.includes(foldedName(name)) || SECRETS.some((end) => foldedName(name).endsWith(end));
    return isNamed || member.find('format')?.value === 'password' ? name : [];
  });
}
