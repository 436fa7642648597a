import { isRecord } from '#spec';
import { shownValue } from '../../http/refusal.ts';

/** Something that is wrong with a rule, at this path within it. */
export interface RuleProblem {
  readonly path: readonly string[];
  /** What follows the name of the member, such as `must be true`. */
  readonly message: string;
}

export type ReportProblem = (path: readonly string[], message: string) => void;

/** Reads a member's value; undefined: it is not allowed, which was reported. */
export type ReadMember = (value: unknown, path: readonly string[], report: ReportProblem) => unknown;

/** A member that must be what a sentence says; `read` returns undefined for anything else. */
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

/** RFC 9110 §5.5: what Node sends of it, each character a byte. */
export const isFieldValue = (line: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(line);

/** An object of the members that a table names, and of no other. */
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

/** An object of values by name, each read in the same way. */
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
