import { STATUS_CODES } from 'node:http';

/** A response of the proxy's own, in place of one of the target. */
export interface OwnResponse {
  readonly status: number;
  /** RFC 9457; `detail` says what happened. */
  readonly problem: Readonly<Record<string, unknown>> & { readonly detail: string };
  readonly lines?: readonly string[];
}

/** It names who responds, so that nobody takes it for a response of the target. */
const NAME = 'paddock proxy';

/** The bytes of a response of the proxy itself. */
export function ownResponse(
  { status, problem, lines = [] }: OwnResponse,
  { method, closes }: { readonly method: string; readonly closes: boolean },
): Buffer {
  const title = `${NAME}: ${STATUS_CODES[status] ?? 'Error'}`;
  const body = Buffer.from(`${JSON.stringify({ title, status, ...problem }, undefined, 2)}\n`);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    `Paddock-Proxy: ${JSON.stringify(problem.detail)
      .replace(/[^\x20-\x7e]/g, '?')
      .slice(0, 500)}`,
    ...lines,
    ...(closes ? ['Connection: close'] : []),
  ];
  const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  return method === 'HEAD' ? bytes : Buffer.concat([bytes, body]);
}
