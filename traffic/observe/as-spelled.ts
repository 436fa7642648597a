import { isRecord, memberShape, type Shape } from '#spec';
import { equalJson } from '../../contract-tests/laws/equal-json.ts';

type Data = Readonly<Record<string, unknown>>;

/** Formats whose values are the same in another case. */
const CASELESS = new Set(['email', 'idn-email', 'hostname', 'idn-hostname', 'uri', 'url', 'uuid', 'iri']);

/**
 * A body with those values as a record shows them that are the same but for their spelling. The suite sends values that
 * have one spelling; clients send `2030-01-01T01:00:00+01:00` and get `2030-01-01T00:00:00Z`.
 */
export function asSpelled(sent: Data, shown: Data, shape: Shape): Data {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const other = shown[name];
      const member = memberShape(shape, name);
      if (isRecord(value) && isRecord(other) && member) return [name, asSpelled(value, other, member)];
      return [name, isSameText(value, other, member) ? other : value];
    }),
  );
}

function isSameText(sent: unknown, shown: unknown, member: Shape | undefined): boolean {
  if (typeof sent !== 'string' || typeof shown !== 'string' || equalJson(sent, shown)) return false;
  const format = String(member?.find('format')?.value ?? '');
  if (isInstant(sent) && isInstant(shown)) return Date.parse(sent) === Date.parse(shown);
  const [one, other] = [sent, shown].map((text) => text.trim().normalize('NFC')) as [string, string];
  if (one === other) return true;
  if (!CASELESS.has(format)) return false;
  return one.toLowerCase().replace(/\/$/, '') === other.toLowerCase().replace(/\/$/, '');
}

function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/i.test(text) && !Number.isNaN(Date.parse(text));
}
