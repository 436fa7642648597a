import type { Shape } from '#spec';

/** Texts that tell this run's records from everybody else's: `paddock-k3x9-7`. */
export interface Marks {
  /** A mark that no earlier body bears. */
  next(): string;
  /** The part that all marks of the run share. */
  readonly run: string;
}

/** The run's part comes from the clock: two runs with one seed differ in their marks and in nothing else. */
export function createMarks(now: number): Marks {
  const run = `paddock-${now.toString(36)}${process.pid.toString(36)}`;
  let count = 0;
  return {
    run,
    next: () => {
      count += 1;
      return `${run}-${count}`;
    },
  };
}

const LONGEST_MARK = 40;

/** The member that can bear a mark: an ordinary text, one that must be there before one that may. */
export function markMember(shape: Shape): string | undefined {
  const texts = membersOfAll(shape).filter(([, member]) => isOrdinaryText(member));
  const required = shape.required;
  return (texts.find(([name]) => required.has(name)) ?? texts[0])?.[0];
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
