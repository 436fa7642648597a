import type { LoggedRequest, OperationView } from '../wire.ts';
import { LEFT_OUT, NOT_KEPT, REDACTED, withKey } from './curl.ts';

/**
 * JavaScript that sends a logged request again. What was redacted is filled in with `key`, where the operation says that it is
 * the key.
 */
export function fetchOf(
  request: LoggedRequest,
  operation: OperationView | undefined,
  key: string,
  urlOf: (target: string) => string,
): string {
  const { method, body, target } = request;
  const hasBody = body !== undefined && body !== NOT_KEPT;
  const headers = Object.entries(request.headers).flatMap(([name, value]) => {
    if (LEFT_OUT.test(name) || (name === 'accept' && value === '*/*')) return [];
    const credential = operation?.security.find((one) => one.in === 'header' && one.name === name);
    return [[name, value === REDACTED && credential ? credentialText(credential.kind, key) : literal(value)]];
  });
  const members = [
    ...(method === 'GET' ? [] : [`  method: ${literal(method)},`]),
    ...(headers.length > 0
      ? ['  headers: {', ...headers.map(([name = '', value]) => `    ${literal(name)}: ${value},`), '  },']
      : []),
    ...(hasBody ? [`  body: ${literal(body)},`] : []),
  ];
  const url = literal(urlOf(withKey(target, key)));
  const call = members.length > 0 ? `fetch(${url}, {\n${members.join('\n')}\n})` : `fetch(${url})`;
  return `const response = await ${call};\n`;
}

/** A key that only the environment knows is taken from there. */
function credentialText(kind: string, key: string): string {
  const scheme = kind === 'bearer' ? 'Bearer ' : '';
  const isKnown = !key.startsWith('$');
  if (kind === 'basic') {
    const pair = isKnown
      ? literal(key.includes(':') ? key : `${key}:`)
      : `\`\${process.env.${key.slice(1)}}:\``;
    return `\`Basic \${btoa(${pair})}\``;
  }
  return isKnown ? literal(scheme + key) : `\`${scheme}\${process.env.${key.slice(1)}}\``;
}

/** A text in single quotes, as JavaScript reads it. */
function literal(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}
