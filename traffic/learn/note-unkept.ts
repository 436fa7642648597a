import { isEqual, isRecord } from '#spec';
import type { ValueTally } from './value-tally.ts';

/** A record as it was sent or shown, and what is learned of such values. */
interface Seen {
  readonly value: unknown;
  readonly tally: ValueTally | undefined;
}

/**
 * Notes which members of what was sent the service has not kept: those that the response shows with another value are set by
 * the service, and those that it does not show are only ever written.
 */
export function noteUnkept(sent: Seen, shown: Seen): void {
  if (!isRecord(sent.value) || !isRecord(shown.value)) return;
  // A response with none of what was sent is about something else: a token, a count.
  const all = shown.value;
  if (!Object.keys(sent.value).some((name) => Object.hasOwn(all, name))) return;
  for (const [name, value] of Object.entries(sent.value)) {
    const tally = sent.tally?.object?.members.get(name);
    const other = { value: all[name], tally: shown.tally?.object?.members.get(name) };
    if (!tally) continue;
    if (!Object.hasOwn(all, name)) tally.isLost ||= value !== null;
    else if (isRecord(value) && isRecord(other.value)) noteUnkept({ value, tally }, other);
    else if (!isSame(value, other.value)) {
      tally.isIgnored = true;
      if (other.tally) other.tally.isSet = true;
    }
  }
}

/** Texts that say the same are written in many ways: an instant in another zone, an address in capitals. */
function isSame(sent: unknown, shown: unknown): boolean {
  if (isEqual(sent, shown)) return true;
  if (typeof sent !== 'string' || typeof shown !== 'string') return false;
  const plain = (text: string) => text.trim().normalize('NFC').toLowerCase().replace(/\/$/, '');
  const isInstant = /^\d{4}-\d\d-\d\dT/.test(sent) && /^\d{4}-\d\d-\d\dT/.test(shown);
  return plain(sent) === plain(shown) || (isInstant && Date.parse(sent) === Date.parse(shown));
}
