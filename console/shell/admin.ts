import { h } from 'preact';
import { AdminError, readError } from './admin-error.ts';
import { parseJson, stringifyJson } from './exact-json.ts';
import { adminUrl, SERVER } from './place.ts';
import { TokenForm } from './token-form.ts';
import { createValue } from './value.ts';

export { AdminError };

export interface AdminRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string>>;
  /** Any JSON value; a text is sent as it is. */
  readonly body?: unknown;
  /** Default: the one that the page has. */
  readonly token?: string;
}

/**
 * Asks the control API, in the session of the page; integers are exact.
 * @throws AdminError when it refuses; TypeError when it cannot be reached.
 */
export async function admin<Answer>(endpoint: string, request: AdminRequest = {}): Promise<Answer> {
  const text = await adminText(endpoint, request);
  return (text === '' ? undefined : parseJson(text)) as Answer;
}

/** The same, as it was sent. */
export async function adminText(endpoint: string, request: AdminRequest = {}): Promise<string> {
  const { method = 'GET', query, body, token } = request;
  const response = await fetch(adminUrl(endpoint, query), {
    method,
    headers: { ...tokenHeaders(token), ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : stringifyJson(body) }),
  });
  const text = await response.text();
  if (response.ok) return text;
  if (response.status === 401 && token === undefined) refuseToken();
  throw readError(response.status, text, SERVER);
}

/** Why a request failed, for a person. */
export function explainFailure(error: unknown): string {
  if (error instanceof AdminError) return error.message;
  return error instanceof TypeError ? `The ${SERVER} cannot be reached.` : String(error);
}

const KEY = 'paddock-admin-token';

/** The token of the control API; it is forgotten with the browser's tab. */
export const token = createValue(sessionStorage.getItem(KEY) ?? undefined);

/** Whether the mock wants a token, or another one than it got. */
export const isTokenWanted = createValue(false);

function enterToken(text: string): void {
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

/** Asks for the token that the mock was started with. */
export function AccessForm() {
  const onEnter = async (given: string) => {
    try {
      await admin('contract', { token: given });
      enterToken(given);
      return undefined;
    } catch (error) {
      return explainFailure(error);
    }
  };
  return h(TokenForm, {
    class: 'card token-form',
    heading: h('h2', {}, `This ${SERVER} requires a token`),
    kept: 'The token stays in this browser tab.',
    action: 'Open the console',
    onEnter,
  });
}
