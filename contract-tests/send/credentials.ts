import { type Credential, type Operation, type Random, randomOf } from '#spec';

/** A credential as it stands in a request: headers and query parameters to add. */
export interface Presented {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

export const NO_CREDENTIAL: Presented = { headers: [], query: [] };

/** A credential that must be refused, and why. */
export interface Refused {
  readonly name: string;
  readonly title: string;
  readonly presented: Presented;
}

/** The first alternative that the operation documents, filled with the key; `{}` in the list needs no key. */
export function presentKey(operation: Operation, key: string | undefined): Presented {
  const requirement = operation.security[0];
  if (!requirement || key === undefined) return NO_CREDENTIAL;
  return joined(requirement.map((credential) => present(credential, key)));
}

/** True when every alternative asks for a credential. */
export function needsKey(operation: Operation): boolean {
  return operation.security.length > 0 && operation.security.every((requirement) => requirement.length > 0);
}

function present(credential: Credential, key: string): Presented {
  switch (credential.kind) {
    case 'bearer':
      return inHeader('Authorization', `Bearer ${key}`);
    case 'basic':
      return inHeader('Authorization', `Basic ${Buffer.from(key).toString('base64')}`);
    case 'apiKey':
      if (credential.in === 'query') return { headers: [], query: [[credential.name, key]] };
      return credential.in === 'cookie'
        ? inHeader('Cookie', `${credential.name}=${key}`)
        : inHeader(credential.name, key);
  }
}

function inHeader(name: string, value: string): Presented {
  return { headers: [[name, value]], query: [] };
}

function joined(parts: readonly Presented[]): Presented {
  return { headers: parts.flatMap(({ headers }) => headers), query: parts.flatMap(({ query }) => query) };
}

/**
 * Credentials that no service may accept. Near misses of the key itself tell a prefix or a length check from a
 * comparison, but come close to the key: only where the target is the user's own machine, or on request.
 */
export function refusedCredentials(operation: Operation, key: string | undefined, near: boolean): Refused[] {
  const [credential] = operation.security[0] ?? [];
  if (!credential) return [];
  const madeUp = madeUpKey(key ?? 'paddock-made-up-key', randomOf('made-up key'));
  const wrong = (name: string, title: string, presented: Presented): Refused => ({ name, title, presented });
  return [
    wrong('no-credential', 'without a credential', NO_CREDENTIAL),
    wrong('wrong-key', 'with a wrong key', present(credential, madeUp)),
    ...malformed(credential, key ?? madeUp).map(([name, title, presented]) => wrong(name, title, presented)),
    ...(near && key ? nearMisses(key) : []).map(([name, title, miss]) =>
      wrong(name, title, present(credential, miss)),
    ),
  ];
}

/** The key itself in a form that is not the documented one: only `Bearer KEY` (RFC 6750 §2.1) is a bearer credential. */
function malformed(credential: Credential, key: string): [string, string, Presented][] {
  if (credential.name !== 'authorization')
    return [['empty-key', 'with an empty key', present(credential, '')]];
  const scheme = credential.kind === 'bearer' ? 'Bearer' : 'Basic';
  const other = credential.kind === 'bearer' ? 'Basic' : 'Bearer';
  return [
    ['empty-key', 'with a scheme and no key', inHeader('Authorization', scheme)],
    ['no-scheme', 'with a key and no scheme', inHeader('Authorization', key)],
    ['other-scheme', `with the scheme ${other}`, inHeader('Authorization', `${other} ${key}`)],
  ];
}

function nearMisses(key: string): [string, string, string][] {
  const misses: [string, string, string][] = [
    ['key-cut', 'with the key cut by one character', key.slice(0, -1)],
    ['key-extended', 'with the key and one character more', `${key}x`],
    [
      'key-changed',
      'with the last character of the key changed',
      key.slice(0, -1) + otherCharacter(key.at(-1) ?? ''),
    ],
  ];
  return misses.filter(([, , miss]) => miss !== '' && miss !== key);
}

/** A key of the same shape that shares no character with the real one. */
function madeUpKey(key: string, random: Random): string {
  return [...key].map((character) => otherCharacter(character, random)).join('');
}

function otherCharacter(character: string, random?: Random): string {
  const alphabet = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'].find((set) =>
    set.includes(character),
  );
  const others = [...(alphabet ?? '')].filter((other) => other !== character);
  return others.length === 0 ? character : random ? random.pick(others) : (others[0] as string);
}
