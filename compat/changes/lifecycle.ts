import type { RuleName } from './rules.ts';

/** The announced future of an operation, a parameter or a member. */
export interface Lifecycle {
  readonly deprecated: boolean;
  /** `x-sunset`: the day of its removal. */
  readonly sunset: string | undefined;
}

interface LifecycleChange {
  readonly rule: RuleName;
  readonly keyword: 'deprecated' | 'x-sunset';
  readonly from: string;
  readonly to: string;
}

const DAY = 86_400_000;

/** @param days that must remain until the removal, from today; 0: any number */
export function lifecycleChanges(
  what: 'operation' | 'parameter' | 'property',
  old: Lifecycle,
  next: Lifecycle,
  days: number,
): LifecycleChange[] {
  const changes: LifecycleChange[] = [];
  const say = (rule: RuleName, keyword: LifecycleChange['keyword'], from = '', to = '') =>
    void changes.push({ rule, keyword, from, to });
  if (old.deprecated !== next.deprecated)
    say(`${what}-${next.deprecated ? 'deprecated' : 'reactivated'}`, 'deprecated');
  const { sunset } = next;
  const isNew = sunset !== old.sunset;
  if (isNew && sunset !== undefined && Number.isNaN(Date.parse(sunset)))
    say('sunset-unreadable', 'x-sunset', old.sunset, sunset);
  else if (isNew && sunset !== undefined) say('sunset-changed', 'x-sunset', old.sunset, sunset);
  else if (isNew && next.deprecated) say('sunset-removed', 'x-sunset', old.sunset);
  if (days === 0 || !next.deprecated || (old.deprecated && !isNew)) return changes;
  if (sunset === undefined) say('sunset-missing', 'deprecated');
  else if (!(Date.parse(sunset) >= Date.now() + days * DAY))
    say('sunset-too-soon', 'x-sunset', old.sunset, `${sunset}, less than ${days} days from today`);
  return changes;
}
