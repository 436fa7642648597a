import { decompress } from './decompress.ts';
import { headerOf, readHeaders } from './read-headers.ts';
import { type Members, membersAt, sizeAt, textAt } from './read-members.ts';
import { type ReadAttachment, readText } from './read-text.ts';
import type { RecordedResponse } from './recorded-exchange.ts';
import type { Remark } from './remark.ts';

/** Responses that have no body, whatever their headers say (RFC 9110 §6.4.1). */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** The headers of a compressed body. */
const OF_COMPRESSED = new Set(['content-encoding', 'content-length']);

/** A response as it was sent, decoded, as far as the file has it; undefined: none came. */
export async function readResponse(
  response: Members,
  method: string,
  readAttachment: ReadAttachment,
  /** The longest decoded body in bytes. */
  limit: number,
  remark: (one: Remark) => void,
): Promise<RecordedResponse | undefined> {
  const status = Math.trunc(sizeAt(response, 'status') ?? 0);
  if (status < 100 || status > 999) {
    remark('no-response');
    return undefined;
  }
  const statusText = textAt(response, 'statusText') ?? '';
  const headers = readHeaders(response, remark);
  const none = { status, statusText, headers, body: Buffer.alloc(0), bodyMissing: false };
  if (method === 'HEAD' || WITHOUT_BODY.has(status)) return none;

  const content = membersAt(response, 'content');
  const { bytes, isBinary, isPartial } = await readText(content, readAttachment, remark);
  const size = sizeAt(content, 'size') ?? sizeAt(response, 'bodySize');
  const stated = size ?? Number(headerOf(headers, 'content-length') ?? Number.NaN);
  const isEmpty = stated === 0;
  if (bytes === undefined || (bytes.length === 0 && stated > 0)) {
    if (isEmpty) return none;
    remark('response-body-missing');
    return { ...none, bodyMissing: true };
  }

  const encoding = headerOf(headers, 'content-encoding')?.trim().toLowerCase() ?? '';
  const isEncoded = encoding !== '' && encoding !== 'identity';
  const decoded = isEncoded && isBinary ? await decompress(bytes, encoding, limit) : undefined;
  if (decoded === 'no zstd') {
    remark('zstd-body');
    return { ...none, bodyMissing: true };
  }
  if (isEncoded) remark(decoded ? 'compressed-body' : 'decoded-body');
  const fitting = headers.filter(([name]) => !OF_COMPRESSED.has(name.toLowerCase()));
  // mitmproxy states the size of the compressed body, which says nothing of the text.
  const isOfCompressed = isEncoded && sizeAt(content, 'size') === sizeAt(response, 'bodySize');
  const bodyMissing = isPartial && !decoded && !isOfCompressed;
  if (bodyMissing) remark('response-body-missing');
  return { ...none, headers: isEncoded ? fitting : headers, body: decoded ?? bytes, bodyMissing };
}
