import type { Shape } from './schema/shape.ts';

/** The members of a documented error body by their role, found by type and common name; undefined if there is none. */
export interface ErrorRoles {
  /** The number that repeats the HTTP status (RFC 9457 §3.1.3 `status`). */
  readonly status: string | undefined;
  /** The human-readable text. */
  readonly message: string | undefined;
  /** The machine-readable text. */
  readonly code: string | undefined;
}

interface Role {
  readonly types: readonly string[];
  /** The most specific name first. */
  readonly names: readonly RegExp[];
}

const ROLES: Readonly<Record<keyof ErrorRoles, Role>> = {
  status: {
    types: ['integer', 'number'],
    names: [/^(?:status|status_?code|http_?status(?:_?code)?)$/i],
  },
  message: {
    types: ['string'],
    names: [
      /^(?:message|msg)$/i,
      // RFC 6749 §5.2 has `error` for the code, `error_description` for the text.
      /^error_?(?:message|description)$/i,
      // RFC 9457 §3.1: `title` is the same for all errors of a type, `detail` describes this one.
      /^(?:details?|description|reason)$/i,
      /^title$/i,
      /^error$/i,
    ],
  },
  code: { types: ['string'], names: [/^code$/i, /^error_?code$/i, /^(?:error|slug|key)$/i] },
};

export function errorRoles({ properties }: Shape): ErrorRoles {
  const find = (role: keyof ErrorRoles): string | undefined => {
    const { types, names } = ROLES[role];
    const candidates = [...properties].filter(([, member]) => types.includes(member.mainType ?? ''));
    return names.flatMap((pattern) => candidates.filter(([name]) => pattern.test(name)))[0]?.[0];
  };
  const [status, message, code] = [find('status'), find('message'), find('code')];
  return { status, message, code: code === message ? undefined : code };
}
