import type { Shape } from '#spec';

/** Texts that tell this run's records from everybody else's: `paddock-k3x9-1200003`. */
export interface Marks {
  /** A mark that no earlier body bears. */
  next(): string;
  /** Marks for the part of a case that runs beside its other parts, counted from 1. */
  apart(part: number): Marks;
}

/** The part that all marks of a run share. It comes from the clock: two runs with one seed differ in nothing else. */
export function createRunMark(now: number): string {
  return `paddock-${now.toString(36)}${process.pid.toString(36)}`;
}

const PER_CASE = 100_000;
const PER_PART = 10_000;

/** The marks of one case: what other cases do at the same time makes no difference to them. */
export function createMarks(run: string, caseNumber: number, part = 0): Marks {
  let number = caseNumber * PER_CASE + part * PER_PART;
  return {
    next: () => {
      number += 1;
      return `${run}-${number}`;
    },
    apart: (other) => createMarks(run, caseNumber, other),
  };
}

const LONGEST_MARK = 40;

/**
 * The member that can bear a mark: an ordinary text, nothing with a form of its own and no id where there is another, one
 * that must be there first.
 */
export function markMember(shape: Shape): string | undefined {
  const names = membersOfAll(shape).flatMap(([name, member]) => (isOrdinaryText(member) ? [name] : []));
  const free = [isFree, (name: string) => !isIdName(name), () => true];
  const texts = free.map((fits) => names.filter(fits)).find((fitting) => fitting.length > 0) ?? [];
  const required = shape.required;
  return texts.find((name) => required.has(name)) ?? texts[0];
}

/** What is named so has a form of its own, whether the document says it or not: services check it. */
const FORMAL =
  /(?:e?mail|url|uri|phone|fax|date|time|zone|country|currency|locale|lang(?:uage)?|colou?r|iban|password)$/i;

const isFree = (name: string) => !isIdName(name) && !FORMAL.test(name);

/** Whether a member's name is that of an id: its own, or that of another record. */
export function isIdName(name: string): boolean {
  return /(?:^|[a-z_-])ids?$/i.test(name);
}

/** Where a body has several forms, those of its members that all forms have. */
function membersOfAll(shape: Shape): [name: string, member: Shape][] {
  const [first, ...others] = shape.alternatives;
  const inAll = [...(first?.properties ?? [])].filter(([name]) =>
    others.every(({ properties }) => {
      const member = properties.get(name);
      return member !== undefined && isOrdinaryText(member);
    }),
  );
  return [...shape.properties, ...inAll];
}

function isOrdinaryText(member: Shape): boolean {
  const unfit = ['enum', 'const', 'format', 'pattern', 'oneOf', 'anyOf'].some((keyword) =>
    member.find(keyword),
  );
  const longest = Number(member.find('maxLength')?.value ?? LONGEST_MARK);
  return member.mainType === 'string' && !unfit && !member.readOnly && longest >= LONGEST_MARK;
}

/** The mark of a run in a text; in JSON it stands as it is. */
export function markIn(text: string, run: string): string | undefined {
  return new RegExp(`${run}-\\d+`).exec(text)?.[0];
}

/** Whether a value bears the mark of a run. */
export function isMarked(value: unknown): value is string {
  return typeof value === 'string' && value.includes('paddock-');
}
