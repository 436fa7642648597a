import type { LoggedRequest, OperationView } from '../wire.ts';

/** What a request needs no more, or curl and `fetch` send by themselves. */
export const LEFT_OUT =
  /^(?:host|connection|content-length|accept-encoding|accept-language|cache-control|dnt|origin|paddock-session|pragma|referer|sec-.*|te|transfer-encoding|upgrade-insecure-requests|user-agent)$/;

export const REDACTED = '***';

/** The placeholder of a body that the mock did not keep. */
export const NOT_KEPT = '(too long to be kept)';

/**
 * A command that sends a logged request again. What was redacted is filled in with `key`, where the operation says that it is
 * the key: a name that the shell replaces, such as `$PADDOCK_API_KEY`, is quoted so that it is.
 */
export function curlOf(
  request: LoggedRequest,
  operation: OperationView | undefined,
  key: string,
  urlOf: (target: string) => string,
): string {
  const { method, body, headers } = request;
  const credentials = operation?.security ?? [];
  const hasBody = body !== undefined && body !== NOT_KEPT;
  const parts = ['curl'];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== (hasBody ? 'POST' : 'GET')) parts.push('-X', method);
  for (const [name, value] of Object.entries(headers)) {
    if (LEFT_OUT.test(name) || (name === 'accept' && value === '*/*')) continue;
    const credential = credentials.find((one) =>
      one.in === 'cookie' ? name === 'cookie' : one.in === 'header' && one.name === name,
    );
    if (value !== REDACTED || !credential) parts.push('-H', quote(`${name}: ${value}`));
    else if (credential.kind === 'basic') parts.push('-u', quote(key.includes(':') ? key : `${key}:`));
    else if (credential.in === 'cookie') parts.push('-b', quote(`${credential.name}=${key}`));
    else parts.push('-H', quote(`${name}: ${credential.kind === 'bearer' ? 'Bearer ' : ''}${key}`));
  }
  if (hasBody) parts.push('--data-raw', quote(body));
  parts.push(quote(urlOf(withKey(request.target, key))));
  return parts.join(' ');
}

/** A path and query with the key where it was redacted. */
export function withKey(target: string, key: string): string {
  return target.replace(/(?<=[?&][^=&]*=)\*\*\*(?=&|$)/g, key);
}

/** For a POSIX shell: single quotes, but for what the shell is to replace. */
function quote(text: string): string {
  if (text.includes('$PADDOCK_API_KEY')) return `"${text.replace(/["\\`]|\$(?!PADDOCK_API_KEY)/g, '\\$&')}"`;
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
