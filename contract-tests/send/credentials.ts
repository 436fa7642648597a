import type { Credential, Operation } from '#spec';
import { base64Of, type KeyedText, keyed, literalText, theKey } from './keyed-text.ts';

/** A credential as it stands in a request: headers and query parameters to add. */
export interface Presented {
  readonly headers: readonly (readonly [name: string, value: KeyedText])[];
  readonly query: readonly (readonly [name: string, value: KeyedText])[];
}

export const NO_CREDENTIAL: Presented = { headers: [], query: [] };

/** The first alternative that the operation documents, filled with the key; `{}` in the list needs no key. */
export function presentKey(operation: Operation, key: string | undefined): Presented {
  const requirement = operation.security[0];
  if (!requirement || key === undefined) return NO_CREDENTIAL;
  return joined(requirement.map((credential) => present(credential, theKey(key))));
}

/** True when every alternative asks for a credential. */
export function needsKey(operation: Operation): boolean {
  return operation.security.length > 0 && operation.security.every((requirement) => requirement.length > 0);
}

/** A credential as the document wants it, with the key for its secret. */
export function present(credential: Credential, key: KeyedText): Presented {
  switch (credential.kind) {
    case 'bearer':
      return inHeader('Authorization', keyed`Bearer ${key}`);
    case 'basic':
      return inHeader('Authorization', keyed`Basic ${base64Of(key)}`);
    case 'apiKey':
      if (credential.in === 'query') return { headers: [], query: [[credential.name, key]] };
      return credential.in === 'cookie'
        ? inHeader('Cookie', keyed`${literalText(credential.name)}=${key}`)
        : inHeader(credential.name, key);
  }
}

export function inHeader(name: string, value: KeyedText): Presented {
  return { headers: [[name, value]], query: [] };
}

function joined(parts: readonly Presented[]): Presented {
  return { headers: parts.flatMap(({ headers }) => headers), query: parts.flatMap(({ query }) => query) };
}
