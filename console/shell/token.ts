import { createValue } from './value.ts';

const KEY = 'paddock-admin-token';

/** The token of the control API; it is forgotten with the browser's tab. */
export const token = createValue(sessionStorage.getItem(KEY) ?? undefined);

/** Whether the mock wants a token, or another one than it got. */
export const isTokenWanted = createValue(false);

export function enterToken(text: string): void {
  sessionStorage.setItem(KEY, text);
  isTokenWanted.set(false);
  token.set(text);
}

export function refuseToken(): void {
  sessionStorage.removeItem(KEY);
  isTokenWanted.set(true);
  token.set(undefined);
}

export function tokenHeaders(own = token.get()): Record<string, string> {
  return own === undefined ? {} : { Authorization: `Bearer ${own}` };
}
