import { isRecord } from '#spec';
import type { HeaderPair } from './recorded-exchange.ts';

/** Members of an entry as they may be: files of all tools lack some, or have `null` or text in place of a number. */
export type Members = Readonly<Record<string, unknown>>;

export function membersAt(value: unknown, name: string): Members {
  const found = isRecord(value) ? value[name] : undefined;
  return isRecord(found) ? found : {};
}

export function textAt(value: Members, name: string): string | undefined {
  const found = value[name];
  return typeof found === 'string' ? found : undefined;
}

/** Undefined: it is not there, or no number; HAR 1.2 has -1 for what is not known. */
export function sizeAt(value: Members, name: string): number | undefined {
  const found = Number(value[name] ?? Number.NaN);
  return Number.isFinite(found) && found >= 0 ? found : undefined;
}

/** Lists of names and values: headers, cookies, parameters. */
export function pairsAt(value: Members, name: string): readonly HeaderPair[] {
  const list = value[name];
  if (!Array.isArray(list)) return [];
  return list.flatMap((pair): readonly HeaderPair[] => {
    const key = isRecord(pair) ? textAt(pair, 'name') : undefined;
    return key ? [[key, textAt(pair, 'value') ?? '']] : [];
  });
}
