import { isRecord } from '#spec';
import { shownValue } from '../../http/refusal.ts';

/** A problem of a rule, at a path within it. */
export interface RuleProblem {
  readonly path: readonly string[];
  /** The predicate after the member's name, such as `must be true`. */
  readonly message: string;
}

export type ReportProblem = (path: readonly string[], message: string) => void;

/** Reads a member's value. Undefined: it is invalid, which was reported. */
export type ReadMember = (value: unknown, path: readonly string[], report: ReportProblem) => unknown;

/** A member whose allowed values a sentence describes; `read` returns undefined for others. */
export function must(allowed: string, read: (value: unknown) => unknown): ReadMember {
  return (value, path, report) => {
    const result = read(value);
    if (result === undefined) report(path, `must be ${allowed}, not ${shownValue(value)}`);
    return result;
  };
}

export const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

export const integer = (low: number, high: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= low && Number(value) <= high ? value : undefined;

/** RFC 9110 §5.5: text that Node can send, each character as a byte. */
export const isFieldValue = (line: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(line);

/** An object that only has members of a table. */
export function readObject(
  what: string,
  members: Readonly<Record<string, ReadMember>>,
  example: string,
): (value: unknown, path: readonly string[], report: ReportProblem) => Record<string, unknown> | undefined {
  return (value, path, report) => {
    if (!isRecord(value)) {
      const message = `must be an object such as ${example}, not ${shownValue(value)}`;
      report(path, path.length === 0 ? `${what} ${message}` : message);
      return undefined;
    }
    const object: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      const read = Object.hasOwn(members, name) ? members[name] : undefined;
      if (!read) {
        const names = Object.keys(members).join(', ');
        report([...path, name], `is no member of ${what}; there are ${names}`);
        continue;
      }
      const result = read(member, [...path, name], report);
      if (result !== undefined) object[name] = result;
    }
    return object;
  };
}

/** An object of named values, all read in the same way. */
export function readByName(
  example: string,
  read: ReadMember,
  nameOf: (name: string, path: readonly string[], report: ReportProblem) => string = (name) => name,
): ReadMember {
  return (value, path, report) => {
    if (!isRecord(value) || Object.keys(value).length === 0) {
      report(path, `must be an object such as ${example}, not ${shownValue(value)}`);
      return undefined;
    }
    const entries = Object.entries(value).map(([name, member]) => {
      const inner = [...path, name];
      return [nameOf(name, inner, report), read(member, inner, report)] as const;
    });
    return Object.fromEntries(entries);
  };
}
