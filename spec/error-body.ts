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

const NAMES: Readonly<Record<keyof ErrorRoles, readonly [types: readonly string[], names: RegExp]>> = {
  status: [['integer', 'number'], /^(?:status|status_?code|http_?status(?:_?code)?)$/i],
  message: [
    ['string'],
    /^(?:message|detail|details|description|error_?(?:message|description)|reason|msg|title|error)$/i,
  ],
  code: [['string'], /^(?:code|error_?code|error|slug|key)$/i],
};

export function errorRoles(shape: Shape): ErrorRoles {
  const members = [...shape.properties];
  const find = (role: keyof ErrorRoles): string | undefined => {
    const [types, names] = NAMES[role];
    return members.find(([name, member]) => names.test(name) && types.includes(member.mainType ?? ''))?.[0];
  };
  const code = find('code');
  const message = find('message');
  return { status: find('status'), message, code: code === message ? undefined : code };
}
