import { h } from 'preact';
import { useState } from 'preact/hooks';
import { access, adminUrl } from './access.ts';
import { textInput } from './controls.ts';
import { parseJson, stringifyJson } from './exact-json.ts';
import { createValue } from './value.ts';

/** A refusal by the control API, with its message. */
export class AdminError extends Error {
  readonly status: number;
  /** The single problems, if listed. */
  readonly details: readonly { readonly where: string; readonly message: string }[];

  constructor(status: number, message: string, details: AdminError['details'] = []) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

export interface AdminRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string>>;
  /** Any JSON value; text is sent as it is. */
  readonly body?: unknown;
  /** Default: the page's token. */
  readonly token?: string;
}

/**
 * Sends a request to the control API, in the session of the page; integers are exact.
 * @throws AdminError if it refuses; TypeError if it is unreachable.
 */
export async function admin<Answer>(endpoint: string, request: AdminRequest = {}): Promise<Answer> {
  const text = await adminText(endpoint, request);
  return (text === '' ? undefined : parseJson(text)) as Answer;
}

/** The response as text. */
export async function adminText(endpoint: string, request: AdminRequest = {}): Promise<string> {
  const { method = 'GET', query, body, token } = request;
  const response = await access().fetch(adminUrl(endpoint, query), {
    method,
    headers: { ...tokenHeaders(token), ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : stringifyJson(body) }),
  });
  const text = await response.text();
  if (response.ok) return text;
  if (response.status === 401 && token === undefined) refuseToken();
  throw readError(response.status, text);
}

function readError(status: number, text: string): AdminError {
  try {
    const { message, details } = JSON.parse(text);
    return new AdminError(status, String(message), details);
  } catch {
    return new AdminError(status, `The ${access().server} responded with ${status}`);
  }
}

/** Why a request failed, for people. */
export function explainFailure(error: unknown): string {
  if (error instanceof AdminError) return error.message;
  return error instanceof TypeError ? `The ${access().server} cannot be reached.` : String(error);
}

/** Whether the mock requires a token, or rejects the current one. */
export const isTokenWanted = createValue(false);

export function refuseToken(): void {
  isTokenWanted.set(true);
  access().token.set(undefined);
}

export function tokenHeaders(token = access().token.get()): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/** Asks for the mock's token. */
export function AccessForm() {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');

  async function enter(event: Event): Promise<void> {
    event.preventDefault();
    const token = text.trim();
    if (token === '') return setProblem('Enter the token.');
    try {
      await admin('contract', { token });
      isTokenWanted.set(false);
      access().token.set(token);
    } catch (error) {
      setProblem(explainFailure(error));
    }
  }

  return h('form', { class: 'card token-form', onSubmit: enter }, [
    h('h2', {}, `This ${access().server} requires a token`),
    h(
      'p',
      {},
      'It was started with ',
      h('code', {}, '--admin-token'),
      '. The token stays in this browser tab.',
    ),
    h('label', { for: 'token' }, 'Token'),
    textInput(text, setText, {
      id: 'token',
      type: 'password',
      autocomplete: 'off',
      'aria-invalid': problem !== '',
      'aria-describedby': 'token-problem',
    }),
    h('p', { id: 'token-problem', class: 'problem', role: 'alert' }, problem),
    h('button', { class: 'button primary', type: 'submit' }, 'Connect'),
  ]);
}
