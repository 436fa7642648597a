import { essenceOf, isRecord } from '#spec';
import type { Exchange } from '../send/exchange.ts';

type Data = Readonly<Record<string, unknown>>;

/** Whether the media type of a request promises a merge patch (RFC 7396). */
export function isMergePatch({ request }: Pick<Exchange, 'request'>): boolean {
  return request.headers.some(
    ([name, value]) => /^content-type$/i.test(name) && essenceOf(value) === 'application/merge-patch+json',
  );
}

/** RFC 7396 §2. */
export function mergePatch(target: unknown, patch: Data): Data {
  const merged: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = isRecord(value) ? mergePatch(merged[name], value) : value;
  }
  return merged;
}
