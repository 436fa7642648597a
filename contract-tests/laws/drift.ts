import type { Breach, LawName } from './law.ts';

type Data = Readonly<Record<string, unknown>>;

/** Fewer looks at a record show no direction. */
export const LOOKS = 3;

/**
 * The numbers of one record that go on in one direction from look to look, while nobody changes it: an age, a time that is
 * left, what decays. No request is the reason why such a member is not as it was.
 */
export function driftingMembers(looks: readonly Data[]): string[] {
  if (looks.length < LOOKS) return [];
  return Object.keys(looks[0] ?? {}).filter((name) => isDrift(looks.map((look) => look[name])));
}

function isDrift(values: readonly unknown[]): boolean {
  if (!values.every((value) => typeof value === 'number')) return false;
  const steps = values.slice(1).map((value, index) => value - (values[index] ?? 0));
  const isOneWay = steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
  return isOneWay && steps.filter((step) => step !== 0).length >= LOOKS - 1;
}

/** Laws by which a member must be as something else was. */
const OF_VALUES: ReadonlySet<LawName> = new Set<LawName>([
  'created-equals-sent',
  'exact-integers',
  'created-can-be-read',
  'created-is-listed',
  'list-and-read-agree',
  'replaced-is-replaced',
  'merged-is-merged',
  'neighbours-untouched',
  'refused-changes-nothing',
  'earlier-records-stay',
]);

/** Whether a breach is about the value of a drifting member. */
export function isAboutDrift(breach: Pick<Breach, 'law' | 'part'>, drifting: ReadonlySet<string>): boolean {
  const member = memberOf(breach);
  return member !== undefined && drifting.has(member);
}

/** The member whose value a breach is about. */
export function memberOf({ law, part }: Pick<Breach, 'law' | 'part'>): string | undefined {
  const [, member] = part?.split('/') ?? [];
  return OF_VALUES.has(law) ? member?.replaceAll('~1', '/').replaceAll('~0', '~') : undefined;
}
