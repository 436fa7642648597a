import { bodyFields, isRecord, mediaTypeFor } from '#spec';
import { headerOf } from '../send/wire.ts';
import type { Evidence } from './evidence.ts';

type Data = Readonly<Record<string, unknown>>;

/**
 * The members of a request's body that are to be members of the record: of a form all but its files, which services
 * return as a URL or not at all, and its empty fields, which may mean null; of a text or bytes none. Undefined: the body
 * is no record.
 */
export function sentMembers({ operation, request, exchange }: Evidence): Data | undefined {
  const { body } = request;
  if (typeof body === 'string') return {};
  if (!isRecord(body)) return undefined;
  const type = headerOf(exchange.request, 'content-type') ?? '';
  const media = mediaTypeFor(operation.body?.content ?? [], type);
  const fields = media && !media.isJson ? bodyFields(media) : new Map();
  if (fields.size === 0) return body;
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== '' && !fields.get(name)?.isFile),
  );
}
