import { type BodyLength, responseBodyLength } from './body-length.ts';
import { type Field, listOf, parseFields } from './fields.ts';
import { forwardedLines } from './forwarded-fields.ts';
import { MalformedMessage } from './malformed-message.ts';

/** What a response says before its body. */
export interface ResponseHead {
  readonly status: number;
  readonly firstLine: string;
  readonly fields: readonly Field[];
  readonly length: BodyLength;
  /** The target ends the connection after it. */
  readonly closes: boolean;
  /** All that it says, but for Date: what two equal responses have in common. */
  readonly identity: string;
  /** The field lines that are sent to the client. */
  readonly lines: readonly string[];
  /** The head as a whole; undefined: as it came. */
  readonly forwarded: Buffer | undefined;
}

/**
 * @param method of the request
 * @throws MalformedMessage
 */
export function parseResponseHead(head: string, method: string): ResponseHead {
  const end = head.indexOf('\r\n');
  const firstLine = head.slice(0, end);
  const [, version, code] = /^(HTTP\/1\.[01]) (\d{3})(?: [^\r\n\0]*)?$/.exec(firstLine) ?? [];
  if (code === undefined) throw new MalformedMessage('the first line is not "HTTP/1.1 STATUS"');
  const status = Number(code);
  const fields = parseFields(head, end + 2);
  const isCoded = fields.some(({ key }) => key === 'transfer-encoding');
  if (isCoded && version === 'HTTP/1.0') throw new MalformedMessage('HTTP/1.0 has no Transfer-Encoding');
  const length = responseBodyLength(fields, status, method);
  const options = listOf(fields, 'connection');
  // RFC 9112 §6.3: of two lengths that of the coding counts, and no other reader may see the other.
  const lines = forwardedLines(fields, ({ key, line }) =>
    key === 'content-length' && isCoded ? undefined : line,
  );
  const isSame = lines.length === fields.length && lines.every((line, at) => line === fields[at]?.line);
  return {
    status,
    firstLine,
    fields,
    length,
    closes:
      length === 'until close' ||
      options.includes('close') ||
      (version === 'HTTP/1.0' && !options.includes('keep-alive')),
    identity: [firstLine, ...fields.filter(({ key }) => key !== 'date').map(({ line }) => line)].join('\n'),
    lines,
    forwarded: isSame ? undefined : headBytes(firstLine, lines),
  };
}

export function headBytes(firstLine: string, lines: readonly string[]): Buffer {
  return Buffer.from(`${[firstLine, ...lines].join('\r\n')}\r\n\r\n`, 'latin1');
}
