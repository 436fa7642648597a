import type { IncomingMessage } from 'node:http';
import type { MockRequest } from '../http/exchange.ts';
import type { Refusal } from '../http/refusal.ts';

/** uri-host and port of RFC 9112 §3.2; empty where a client's URL has no authority. */
const HOST =
  /^(?:\[(?:[\da-f:.]+|v[\da-f]+\.[\w.~!$&'()*+,;=:-]+)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** The absolute-form of RFC 9112 §3.2.2, as clients of a proxy send it: authority, path and query. */
const ABSOLUTE = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)(.*)$/is;

/** Path, query and headers of a request; or why HTTP requires that it is refused. */
export function readTarget(
  request: IncomingMessage,
): Pick<MockRequest, 'path' | 'query' | 'headers'> | Refusal {
  const { headers } = request;
  const problem = hostProblem(request);
  if (problem !== undefined) return { refuse: 'malformed', message: problem };
  const url = request.url as string;
  const [, authority, rest = ''] = (!url.startsWith('/') && ABSOLUTE.exec(url)) || [];
  if (authority === undefined) return { ...split(url), headers };
  if (authority === '' || !HOST.test(authority))
    return { refuse: 'malformed', message: `The target of the request names no host: ${url}` };
  // Host stays as it was sent: the control API knows foreign pages by it, and no page can send a target in this form.
  return { ...split(rest.startsWith('/') ? rest : `/${rest}`), headers };
}

function split(target: string): { path: string; query: string } {
  const mark = target.indexOf('?');
  if (mark < 0) return { path: target, query: '' };
  return { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** RFC 9112 §3.2. Node itself would refuse a missing Host without a body, and takes the first of several. */
function hostProblem(request: IncomingMessage): string | undefined {
  const { host } = request.headers;
  if (host === undefined) return request.httpVersion === '1.1' ? 'The header Host is missing' : undefined;
  if (!HOST.test(host)) return `The header Host is no host with a port: ${host}`;
  const { rawHeaders } = request;
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1 ? 'There is more than one header Host' : undefined;
}
