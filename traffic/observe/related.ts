import { isRecord } from '#spec';
import type { Role } from '../../contract-tests/laws/operation-role.ts';
import type { OwnRecord } from '../../contract-tests/laws/own-record.ts';
import type { RequestInput } from '../../contract-tests/send/plan-request.ts';

/** Values of a body are looked at so deep. */
const DEEPEST = 4;

interface Write {
  readonly role: Role | undefined;
  readonly input: RequestInput;
}

/**
 * Whether a write may change a record that is not its own one: it names it in its path or its body, or the record refers
 * to the write's own one, so that what becomes of the one may become of the other, as with what it belongs to.
 */
export function mayTouch({ role, input }: Write, other: OwnRecord): boolean {
  const id = input.path?.[role?.resource.id?.parameter ?? ''];
  if (other.resource === role?.resource) {
    if (String(other.id) === String(id)) return false;
  } else if (names(input, String(other.id))) return true;
  return id !== undefined && refersTo(other, String(id));
}

function names({ path = {}, body }: RequestInput, id: string): boolean {
  return Object.values(path).some((value) => String(value) === id) || hasScalar(body, id);
}

function refersTo({ sent, seen, parents }: OwnRecord, id: string): boolean {
  return Object.values(parents).includes(id) || hasScalar(sent, id) || hasScalar(seen, id);
}

function hasScalar(value: unknown, text: string, depth = 0): boolean {
  if (depth > DEEPEST || value === null || value === undefined) return false;
  if (Array.isArray(value)) return value.some((item) => hasScalar(item, text, depth + 1));
  if (isRecord(value)) return Object.values(value).some((item) => hasScalar(item, text, depth + 1));
  return String(value) === text;
}
