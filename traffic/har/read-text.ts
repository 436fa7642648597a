import type { Members } from './read-members.ts';
import { sizeAt, textAt } from './read-members.ts';
import type { Remark } from './remark.ts';

/** Reads a file that lies beside the HAR; undefined: there is none. */
export type ReadAttachment = (name: string) => Promise<Uint8Array | undefined>;

/** What a file has of a body. */
export interface RecordedText {
  /** Undefined: nothing. */
  readonly bytes: Buffer | undefined;
  /** It was base64, or a file of its own: exactly these bytes were sent, or what they decode to. */
  readonly isBinary: boolean;
  /** It is known to be longer. */
  readonly isPartial: boolean;
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** The text of `postData` or `content`, or the file that Playwright has put beside the HAR instead. */
export async function readText(
  holder: Members,
  readAttachment: ReadAttachment,
  remark: (one: Remark) => void,
): Promise<RecordedText> {
  const file = textAt(holder, '_file');
  if (file !== undefined) {
    const bytes = await readAttachment(file);
    if (bytes) remark('attached-body');
    return { bytes: bytes && Buffer.from(bytes), isBinary: true, isPartial: false };
  }
  const text = textAt(holder, 'text');
  const encoding = textAt(holder, 'encoding')?.toLowerCase() ?? '';
  if (text === undefined || !['', 'base64', 'utf-8', 'utf8'].includes(encoding)) {
    return { bytes: undefined, isBinary: false, isPartial: false };
  }
  const isBinary = encoding === 'base64';
  const compact = isBinary ? text.replaceAll(/\s/g, '') : text;
  if (isBinary && !BASE64.test(compact)) return { bytes: undefined, isBinary, isPartial: false };
  const bytes = isBinary ? Buffer.from(compact, 'base64') : Buffer.from(text);
  return { bytes, isBinary, isPartial: bytes.length < (sizeAt(holder, 'size') ?? 0) };
}
