import type { Shape } from '#spec';
import type { Members } from './collect-records.ts';
import { snakeCase } from './meanings.ts';

/** A check of one member, or of two that belong together; `why` undefined: they agree. */
interface Checked {
  readonly members: readonly string[];
  readonly why: string | undefined;
}

/** When something happened, or will, by the words of a member. */
const ROLES = {
  birth: 'birth|birthday|birth_date|birth_day|date_of_birth|dob|born',
  created: 'created|creation|create|inserted|registered|registration|joined|signed_up|added',
  updated:
    'updated|update|modified|modification|changed|edited|last_updated?|last_modified|last_changed|last_edited',
  shipped: 'shipped|sent|dispatched',
  delivered: 'delivered|received',
  published: 'published|publication',
  finished:
    'completed|closed|resolved|paid|cancelled|canceled|deleted|archived|last_login|last_seen|logged_in',
  due: 'due|deadline|expires|expiry|expiration|valid_until|best_before',
} as const;

type Role = keyof typeof ROLES;

const MOMENT = '(?:_(?:at|on|date|time|timestamp|date_time|datetime|day))?';
const PATTERNS = Object.entries(ROLES).map(
  ([role, words]) => [role as Role, new RegExp(`^(?:date_)?(?:${words})${MOMENT}$`)] as const,
);

/** The first is not after the second. */
const ORDERS: readonly (readonly [first: Role, second: Role])[] = [
  ['created', 'updated'],
  ['created', 'shipped'],
  ['created', 'delivered'],
  ['created', 'published'],
  ['created', 'finished'],
  ['created', 'due'],
  ['shipped', 'delivered'],
];

/** What is over when it is said. */
const PAST: ReadonlySet<Role> = new Set([
  ...(['birth', 'created', 'updated', 'shipped', 'delivered', 'finished'] as const),
]);

/** Members that belong together by what stands before: `valid_from` and `valid_to`. */
const STARTS =
  /^(.*?)_?(?:start|starts|started|begin|begins|from|since|opens|check_?in|departure|departs)(?:_(?:at|on|date|time))?$/;
const ENDS =
  /^(.*?)_?(?:end|ends|ended|finish|finished|to|until|till|closes|check_?out|arrival|arrives)(?:_(?:at|on|date|time))?$/;

/** A state in which nothing has been done yet. */
const NOT_YET = /^(?:draft|new|pending|open|todo|placed|created|queued|waiting)$/i;
const DONE: ReadonlySet<Role> = new Set(['shipped', 'delivered', 'published', 'finished']);

/** Holds the moments of one object against each other, and against now. */
export function judgeMoments(
  record: Members,
  shapeOf: (name: string) => Shape | undefined,
  now: number,
): Checked[] {
  const moments = Object.entries(record).flatMap(([name, value]) => {
    const role = PATTERNS.find(([, pattern]) => pattern.test(snakeCase(name)))?.[0];
    const at = momentOf(value, role !== undefined && isStamp(name, shapeOf(name)));
    return at === undefined ? [] : [{ name, role, at }];
  });
  const checked: Checked[] = [];
  for (const { name, role, at } of moments) {
    if (role && PAST.has(role))
      checked.push({ members: [name], why: at > now ? 'is in the future' : undefined });
    const isFirst = role === 'created' || role === 'updated';
    if (isFirst && at < EARLIEST)
      checked.push({ members: [name], why: 'is before there were such services' });
  }
  for (const [first, second] of ORDERS)
    for (const one of moments.filter(({ role }) => role === first))
      for (const other of moments.filter(({ role }) => role === second))
        checked.push({
          members: [one.name, other.name],
          why: isAfter(one.at, other.at) ? 'are the wrong way round' : undefined,
        });
  for (const one of moments) {
    const [, before] = STARTS.exec(snakeCase(one.name)) ?? [];
    const end = moments.find(({ name }) => ENDS.exec(snakeCase(name))?.[1] === before && name !== one.name);
    if (before === undefined || !end) continue;
    checked.push({
      members: [one.name, end.name],
      why: isAfter(one.at, end.at) ? 'ends before it starts' : undefined,
    });
  }
  const [, state] = Object.entries(record).find(([name]) => /^(?:status|state)$/i.test(name)) ?? [];
  if (typeof state === 'string' && NOT_YET.test(state))
    for (const { name, role } of moments)
      if (role && DONE.has(role)) checked.push({ members: [name], why: `is there while it is ${state}` });
  return checked;
}

const DAY = 86_400_000;
const EARLIEST = Date.UTC(1990, 0, 1);

/** A day without a time begins before what is done on it. */
function isAfter(first: number, second: number): boolean {
  return second % DAY === 0 ? first >= second + DAY : first > second;
}

const WRITTEN = /^\d{4}-\d\d-\d\d(?:[T ]|$)/;

/** In milliseconds since 1970; a number may count seconds. */
function momentOf(value: unknown, isNumber: boolean): number | undefined {
  if (typeof value === 'string' && WRITTEN.test(value)) {
    const at = Date.parse(value);
    return Number.isNaN(at) ? undefined : at;
  }
  if (!isNumber || (typeof value !== 'number' && typeof value !== 'bigint')) return undefined;
  return Number(value) > 1e11 ? Number(value) : Number(value) * 1000;
}

/** Whether a number is a moment, and no count of days. */
function isStamp(name: string, shape: Shape | undefined): boolean {
  const format = String(shape?.find('format')?.value);
  const description = String(shape?.find('description')?.value);
  const isNamed = /(?:_at|_timestamp|^created|^updated)$/.test(snakeCase(name));
  return isNamed || /unix|epoch|timestamp/i.test(`${format} ${description}`);
}
