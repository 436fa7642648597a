import { headerOf, readHeaders } from './read-headers.ts';
import { type Members, membersAt, pairsAt, sizeAt, textAt } from './read-members.ts';
import { type ReadAttachment, readText } from './read-text.ts';
import type { HeaderPair, RecordedRequest } from './recorded-exchange.ts';
import type { Remark } from './remark.ts';

/** A request as it was sent, as far as the file has it. */
export async function readRequest(
  request: Members,
  method: string,
  url: URL,
  readAttachment: ReadAttachment,
  remark: (one: Remark) => void,
): Promise<RecordedRequest> {
  const sent = readHeaders(request, remark);
  const cookies = pairsAt(request, 'cookies').map(([name, value]) => `${name}=${value}`);
  const lacksCookies = cookies.length > 0 && headerOf(sent, 'cookie') === undefined;
  if (lacksCookies) remark('cookies-only');
  const headers: readonly HeaderPair[] = lacksCookies ? [...sent, ['cookie', cookies.join('; ')]] : sent;

  const posted = membersAt(request, 'postData');
  const { bytes, isPartial } = await readText(posted, readAttachment, remark);
  const form = bytes?.length ? undefined : formOf(posted, headers);
  if (form) remark('form-from-parameters');
  const body = form ?? (bytes?.length ? bytes : undefined);

  const isCompressed = headerOf(headers, 'content-encoding') !== undefined;
  const stated = Math.max(
    sizeAt(request, 'bodySize') ?? 0,
    Number(headerOf(headers, 'content-length') ?? 0) || 0,
  );
  const isShorter = form === undefined && !isCompressed && (body?.length ?? 0) < stated;
  const isAbsent = body === undefined && (stated > 0 || textAt(posted, '_file') !== undefined);
  // A form with a file: the file itself is in no HAR.
  const lacksFiles = form !== undefined && hasFiles(posted);
  const bodyMissing = isPartial || isShorter || isAbsent || lacksFiles;
  if (bodyMissing) remark('request-body-missing');
  return { method, url, headers, body, bodyMissing };
}

/** The body of a form of which the file has the parameters only. */
function formOf(posted: Members, headers: readonly HeaderPair[]): Buffer | undefined {
  const parameters = pairsAt(posted, 'params');
  if (parameters.length === 0) return undefined;
  const type = headerOf(headers, 'content-type') ?? textAt(posted, 'mimeType') ?? '';
  const boundary = /^multipart\/form-data\s*;.*boundary="?([^";\s]+)/i.exec(type)?.[1];
  if (boundary !== undefined) {
    const parts = parameters.map(([name, value]) => {
      const shown = name.replaceAll('"', '%22').replaceAll(/[\r\n]+/g, '%0D%0A');
      return `--${boundary}\r\nContent-Disposition: form-data; name="${shown}"\r\n\r\n${value}\r\n`;
    });
    return Buffer.from(`${parts.join('')}--${boundary}--\r\n`);
  }
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined;
  return Buffer.from(
    new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString(),
  );
}

function hasFiles({ params }: Members): boolean {
  return Array.isArray(params) && params.some((one) => one?.fileName !== undefined);
}
