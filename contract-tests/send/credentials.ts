import type { Credential, Operation } from '#spec';

/** A credential as it stands in a request: headers and query parameters to add. */
export interface Presented {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

export const NO_CREDENTIAL: Presented = { headers: [], query: [] };

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

/** A credential as the document wants it, with the key for its secret. */
export function present(credential: Credential, key: string): Presented {
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

export function inHeader(name: string, value: string): Presented {
  return { headers: [[name, value]], query: [] };
}

function joined(parts: readonly Presented[]): Presented {
  return { headers: parts.flatMap(({ headers }) => headers), query: parts.flatMap(({ query }) => query) };
}
