import { exec } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLoopback, isRecord, memberAt, pointerTokens, tryJson } from '#spec';
import { type Client, WireError } from '../send/client.ts';
import type { WireRequest, WireResponse } from '../send/wire.ts';
import type { CredentialSource, GrantSource, Issued, LoginSource } from './source.ts';

/** A credential could not be obtained: the run cannot continue. The message gives the reason, without a secret. */
export class CredentialFailed extends Error {
  override name = 'CredentialFailed';
}

/** A request for a credential. */
export interface Asking {
  readonly scheme: string;
  readonly base: URL;
  /** The documented URL for tokens. */
  readonly documented: (grant: GrantSource['grant']) => string | undefined;
  readonly former: string | undefined;
  /** The client for a URL: the target's is reached like the target itself. */
  readonly clientFor: (url: URL) => Client;
  /** Receives notices before a secret is sent. */
  readonly notice: (text: string) => void;
  /** Receives a secret that came with the credential, such as a refresh token. */
  readonly keepSecret: (secret: string) => void;
}

/**
 * Obtains credentials from a source, one after the other.
 * @throws CredentialFailed
 */
export type Obtain = (asking: Asking) => Promise<Issued>;

export function compileSource(source: CredentialSource): Obtain {
  if (typeof source === 'string') return async () => ({ value: source });
  if (typeof source === 'function') return (asking) => call(source, asking);
  if ('command' in source) {
    const { command, expiresIn } = source;
    return async () => ({ value: await outputOf(command), expiresIn });
  }
  if ('grant' in source) return compileGrant(source);
  if ('login' in source) return (asking) => logIn(source, asking);
  throw new CredentialFailed('its variable was not read');
}

async function call(
  source: Extract<CredentialSource, (...args: never) => unknown>,
  { scheme, base, former }: Asking,
): Promise<Issued> {
  let result: string | Issued;
  try {
    result = await source({ scheme, target: base.href, former });
  } catch (error) {
    // Reports show the reason in one line, with the place where it was thrown.
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const lines = told.split(/\n\s*/);
    const at = lines.find((line) => line.startsWith('at '));
    throw new CredentialFailed(`its function failed: ${[lines[0], at].filter(Boolean).join(' ')}`);
  }
  const issued = typeof result === 'string' ? { value: result } : result;
  if (isRecord(issued) && typeof issued.value === 'string') return issued;
  throw new CredentialFailed(
    'its function must return a text, or { value, expiresIn, expiresAt } with a text as its value',
  );
}

/** In milliseconds. */
const LONGEST_COMMAND = 60_000;

function outputOf(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    exec(command, { timeout: LONGEST_COMMAND }, (error, stdout, stderr) => {
      const [line = ''] = stdout.trim().split(/\r?\n/, 1);
      if (!error && line !== '') return resolve(line);
      const why = error
        ? error.killed
          ? 'it took longer than 60 s'
          : `exit code ${error.code}`
        : 'it prints nothing';
      const told = stderr.trim() === '' ? '' : `: ${stderr.trim().slice(-LONGEST_TOLD)}`;
      reject(new CredentialFailed(`\`${command}\` failed (${why})${told}`));
    });
  });
}

const LONGEST_TOLD = 500;

/** A response may replace the refresh token (RFC 6749 §6), which is then kept for the next request. */
function compileGrant(source: GrantSource): Obtain {
  let refreshToken = source.refreshToken as string | undefined;
  let isNoticed = false;
  return async (asking) => {
    const text = source.tokenUrl ?? asking.documented(source.grant);
    if (text === undefined)
      throw new CredentialFailed('the document names no tokenUrl for this grant: say it');
    const url = safeUrl(text, asking.base);
    // Without the user's URL, the author of the document decides where this secret is sent.
    if (source.tokenUrl === undefined && url.origin !== asking.base.origin && !isNoticed) {
      isNoticed = true;
      asking.notice(
        `the credential of ${asking.scheme} is requested from ${url.origin}${url.pathname}, as the document says, which is another origin than that of the target; a tokenUrl in the source says that it is right`,
      );
    }
    const response = await ask(asking, grantRequest({ ...source, refreshToken }, url));
    const body = jsonOf(response);
    const token = isRecord(body) ? body.access_token : undefined;
    if (typeof token !== 'string' || token === '') throw refusedBy(url, response, body);
    const { expires_in: seconds, refresh_token: next } = body as Record<string, unknown>;
    if (typeof next === 'string' && next !== '') {
      asking.keepSecret(next);
      refreshToken = next;
    }
    const expiresIn = Number(seconds);
    return { value: token, ...(expiresIn > 0 && { expiresIn }) };
  };
}

function grantRequest(source: GrantSource, url: URL): WireRequest {
  const {
    grant,
    clientId,
    clientSecret,
    clientAuth = clientSecret === undefined ? 'body' : 'basic',
  } = source;
  const fields = new URLSearchParams({ grant_type: grant, ...source.parameters } as Record<string, string>);
  const add = (name: string, value: unknown) => value !== undefined && fields.set(name, String(value));
  if (grant === 'password') {
    add('username', source.username);
    add('password', source.password);
  }
  if (grant === 'refresh_token') add('refresh_token', source.refreshToken);
  add('scope', source.scope);
  const headers: [string, string][] = [
    ['Accept', 'application/json'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
  ];
  if (clientAuth === 'basic') {
    // Each part is form-encoded (RFC 6749 §2.3.1).
    const encoded = [clientId ?? '', clientSecret ?? ''].map((secret) =>
      new URLSearchParams({ a: String(secret) }).toString().slice(2),
    );
    headers.push(['Authorization', `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`]);
  } else {
    add('client_id', clientId);
    add('client_secret', clientSecret);
  }
  return { method: 'POST', url, headers, body: Buffer.from(fields.toString()), chunked: false };
}

async function logIn(source: LoginSource, asking: Asking): Promise<Issued> {
  const { login, body, form, headers = {}, take, expiresIn } = source;
  const [method = '', place = ''] = login.split(' ');
  const url = safeUrl(
    place.startsWith('/') ? asking.base.href.replace(/\/$/, '') + place : place,
    asking.base,
  );
  const isJson = form === undefined && body !== undefined;
  const sent = form
    ? new URLSearchParams(form as Record<string, string>).toString()
    : isJson
      ? JSON.stringify(body)
      : undefined;
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const fields = Object.entries(headers as Record<string, string>);
  const isNamed = fields.some(([name]) => name.toLowerCase() === 'content-type');
  const response = await ask(asking, {
    method,
    url,
    headers: [
      ['Accept', 'application/json, */*;q=0.5'],
      ...(sent === undefined || isNamed ? [] : [['Content-Type', type] as const]),
      ...fields,
    ],
    body: sent === undefined ? undefined : Buffer.from(sent),
    chunked: false,
  });
  const answer = jsonOf(response);
  if (response.status >= 400) throw refusedBy(url, response, answer);
  const { value, lasts } = takenFrom(response, answer, take);
  if (value === undefined || value === '') {
    const [[where, name] = []] = Object.entries(take);
    throw new CredentialFailed(
      `${method} ${url.href} answers ${response.status} without the ${where} ${name}`,
    );
  }
  const seconds =
    typeof expiresIn === 'string' ? Number(memberAt(answer, pointerTokens(expiresIn))) : (expiresIn ?? lasts);
  return { value, ...(seconds !== undefined && seconds > 0 && { expiresIn: seconds }) };
}

function takenFrom(
  { headers }: WireResponse,
  body: unknown,
  take: LoginSource['take'],
): { readonly value: string | undefined; readonly lasts?: number | undefined } {
  if ('body' in take) {
    const value = memberAt(body, pointerTokens(take.body));
    return { value: value === undefined || value === null || isRecord(value) ? undefined : String(value) };
  }
  if ('header' in take) {
    const name = take.header.toLowerCase();
    const value = headers.find(([one]) => one.toLowerCase() === name)?.[1];
    // `Authorization: Bearer TOKEN`: the scheme is added again when it is sent.
    return { value: value?.replace(/^(?:Bearer|Basic)\s+/i, '') };
  }
  const cookies = headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value);
  const cookie = cookies.findLast((one) => one.startsWith(`${take.cookie}=`));
  const [pair = '', ...attributes] = cookie?.split(/;\s*/) ?? [];
  const age = attributes
    .map((attribute) => /^max-age=(\d+)$/i.exec(attribute)?.[1])
    .find((one) => one !== undefined);
  return {
    value: cookie && pair.slice(take.cookie.length + 1),
    lasts: age === undefined ? undefined : Number(age),
  };
}

/** Secrets are sent unencrypted only to this machine (RFC 6749 §3.2), or if the target itself is unencrypted. */
function safeUrl(text: string, base: URL): URL {
  if (!URL.canParse(text, `${base.href.replace(/\/$/, '')}/`))
    throw new CredentialFailed(`"${text}" is no URL`);
  const url = new URL(text, `${base.href.replace(/\/$/, '')}/`);
  const isNear = isLoopback(url.hostname) || url.host === base.host;
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isNear)) return url;
  throw new CredentialFailed(`${url.href} is not https: a secret is not sent there`);
}

const TRIES = 3;
const FIRST_WAIT = 200;

/** Sends a request, with retries if the environment prevents a response, but not after an error. */
async function ask({ clientFor }: Asking, request: WireRequest): Promise<WireResponse> {
  const client = clientFor(request.url);
  const label = `${request.method} ${request.url.href}`;
  for (let attempt = 1; ; attempt++) {
    const result = await client.send(request).catch((error: unknown) => {
      if (error instanceof WireError) return error;
      throw error;
    });
    const isPassing = result instanceof WireError || result.status >= 500 || result.status === 429;
    if (!isPassing) return result;
    if (attempt >= TRIES) {
      const why = result instanceof WireError ? result.message : `answers ${result.status}`;
      throw new CredentialFailed(`${label}: ${why}, ${TRIES} times`);
    }
    await sleep(FIRST_WAIT * 2 ** attempt);
  }
}

/** RFC 6749 §5.2: the server's error description contains no secret. */
function refusedBy(url: URL, { status }: WireResponse, body: unknown): CredentialFailed {
  const { error, error_description: described } = isRecord(body) ? body : {};
  const words = [error, described].filter((one) => typeof one === 'string');
  const told = words.length > 0 ? `: ${words.join(': ')}` : '';
  return new CredentialFailed(`${url.origin}${url.pathname} answers ${status}${told}`);
}

const jsonOf = ({ body }: WireResponse) => tryJson(Buffer.from(body).toString());
