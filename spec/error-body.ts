import type { Shape } from './schema/shape.ts';

/** Which members of a documented error body say what. Found by type and by the names that the field uses. */
export interface ErrorRoles {
  /** The integer that repeats the HTTP status (RFC 9457 §3.1.3 `status`). */
  readonly status: string | undefined;
  /** The text for people. */
  readonly message: string | undefined;
  /** The text for machines. */
  readonly code: string | undefined;
}

interface Role {
  readonly types: readonly string[];
  /** The surest name first. */
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
      // RFC 9457 §3.1: `title` is the same for all errors of a kind, `detail` speaks of this one.
      /^(?:details?|description|reason)$/i,
      /^title$/i,
      /^error$/i,
    ],
  },
  code: { types: ['string'], names: [/^code$/i, /^error_?code$/i, /^(?:error|slug|key)$/i] },
};

export function errorRoles(shape: Shape): ErrorRoles {
  const members = [...shape.properties];
  const find = (role: keyof ErrorRoles): string | undefined => {
    const { types, names } = ROLES[role];
    const fitting = members.filter(([, member]) => types.includes(member.mainType ?? ''));
    return names.flatMap((pattern) => fitting.filter(([name]) => pattern.test(name)))[0]?.[0];
  };
  const code = find('code');
  const message = find('message');
  return { status: find('status'), message, code: code === message ? undefined : code };
}
