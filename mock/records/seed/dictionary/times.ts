import { type Subject, sharedRandom } from './subject.ts';

const DAY = 86_400_000;
const YEAR = 365 * DAY;

/**
 * What happens to a record, in the order of its life: each moment lies between its creation and now, those of one row in one
 * part of that time.
 */
const PAST: readonly RegExp[] = [
  /(?:creat|regist|join|post|order|plac|submit|open|issu|add|insert|sign(?:ed)?_?up|upload|request|record|book|sent|receiv|report|purchas|hir|member_since|acquir|born_at|enroll)\w*/,
  /(?:confirm|accept|approv|verif|assign|schedul|activat|publish|releas|launch|first)\w*/,
  /(?:paid|pay|charg|captur|process|start|begin|began|begun|dispatch|ship|sent_out|pick(?:ed)?_up|check(?:ed)?_?in)\w*/,
  /(?:deliver|complet|finish|resolv|end|ended|stop|return|refund|clos|check(?:ed)?_?out|won|lost|graduat)\w*/,
  /(?:cancel|reject|archiv|delet|remov|expir|revok|bann|suspend|block|deactivat|disabl)\w*ed\w*/,
  /(?:updat|modif|chang|edit|last|latest|seen|access|sync|refresh|used|visit|login|logged|active|check|ping|heartbeat|run|scan)\w*/,
];

/** What is planned, in days from the creation of a record. */
const PLANNED: readonly (readonly [words: RegExp, least: number, most: number])[] = [
  [/(?:due|deadline|dead_line|respond_by|pay_by|best_before)/, 5, 30],
  [/(?:expir|valid_until|renew|next|termin|sunset|trial_end)/, 45, 300],
  [/(?:deliver|estimated|eta|expected|target)/, 3, 14],
];
const STARTS = /(?:^|_)(?:check_?in|depart\w*|starts?|begins?|from|pick_?up|effective|since|opens?)(?:_|$)/;
const ENDS =
  /(?:^|_)(?:check_?out|arriv\w*|returns?|ends?|until|till|thru|through|to|closes?|drop_?off)(?:_|$)/;
const HOUR = 3_600_000;

/** How long something planned takes, at least and at most. */
function spanOf(name: string): readonly [least: number, most: number] {
  if (/arriv/.test(name)) return [HOUR, 9 * HOUR];
  if (/check_?out|drop_?off/.test(name)) return [DAY, 10 * DAY];
  if (/valid|contract|lease|effective/.test(name)) return [90 * DAY, 400 * DAY];
  return /(?:_time|_at)$|^(?:end|to)$/.test(name) ? [HOUR, 4 * HOUR] : [3 * DAY, 30 * DAY];
}

const BIRTH = /birth|dob|born/;
const FOUNDED =
  /(?:found|establish|incorporat|release_date|publication_date|published_date|first_air|built|manufactur|hire_date|hired)/;

/** The moment of a member, in milliseconds since 1970: created <= updated <= now, and starts come before ends. */
function momentOf(subject: Subject): number {
  const { name, library, random } = subject;
  const { now } = library;
  if (BIRTH.test(name)) {
    const isAnimal = /pet|animal|dog|cat|horse/.test(subject.entity);
    return now - YEAR * (isAnimal ? 1 + 12 * random.next() : 18 + 55 * random.next());
  }
  if (FOUNDED.test(name)) return now - YEAR * (1 + 24 * random.next());
  const made = createdAt(subject);
  const isLatest = /(?:^|_)(?:last|latest)_/.test(name);
  // What ends in -ed has happened: `started_at`, `ended_on`.
  const isPlanned =
    !isLatest &&
    (!/ed(?:_(?:at|on|date|time))?$/.test(name) || /scheduled|expected|planned|estimated/.test(name));
  if (isPlanned && (STARTS.test(name) || ENDS.test(name))) {
    const day = sharedRandom({ ...subject, qualifier: '' }, 'start');
    const start = quarter(made + DAY * (2 + 18 * day.next()));
    const [least, most] = spanOf(name);
    return STARTS.test(name) ? start : quarter(start + least + (most - least) * day.next());
  }
  const [, soonest, latest] = (isPlanned && PLANNED.find(([words]) => words.test(name))) || [];
  if (soonest !== undefined && latest !== undefined)
    return made + DAY * (soonest + (latest - soonest) * random.next());
  const stage = isLatest
    ? PAST.length - 1
    : PAST.findIndex((words) => new RegExp(`(?:^|_)${words.source}`).test(name));
  if (
    stage === 0 ||
    (stage < 0 && /^(?:date|time|timestamp|day|when|at|ts|datetime|date_time|created)$/.test(name))
  )
    return made;
  const part = (stage < 0 ? 2 : stage) / PAST.length;
  return made + (now - made) * (part + (0.9 * random.next()) / PAST.length);
}

/** To a quarter of an hour, as people plan. */
const quarter = (moment: number) => Math.round(moment / 900_000) * 900_000;

/** When the object was made: in the year before now, more often lately. */
function createdAt(subject: Subject): number {
  const { library } = subject;
  const past = sharedRandom({ ...subject, qualifier: '' }, 'created').next();
  return library.now - YEAR * (0.002 + 0.99 * past ** 1.5);
}

/** A date-time, a date or a time as the schema has it; undefined: it has none of these. */
export function timeOf(subject: Subject): unknown {
  const { shape } = subject;
  const moment = new Date(Math.floor(momentOf(subject) / 1000) * 1000);
  if (shape.mainType !== 'string') {
    const isMilliseconds =
      /milli|_ms$/.test(subject.name) ||
      shape.examples.some((one) => Number(one) > 1e11) ||
      Number(shape.range.low?.value ?? 0) > 1e11;
    return moment.getTime() / (isMilliseconds ? 1 : 1000);
  }
  const text = moment.toISOString();
  const form = formOf(subject);
  if (form === 'date') return text.slice(0, 10);
  if (form === 'time')
    return `${text.slice(11, 14)}${Number(text.slice(14, 16)) < 30 ? '00' : '30'}${/^time$/.test(String(shape.find('format')?.value)) ? ':00Z' : ''}`;
  return text;
}

function formOf({ name, shape }: Subject): 'date' | 'time' | 'date-time' {
  const format = shape.find('format')?.value;
  if (format === 'date' || format === 'time') return format;
  if (format !== undefined) return 'date-time';
  const [example] = shape.examples;
  if (/^\d{4}-\d\d-\d\d$/.test(String(example))) return 'date';
  if (/^\d\d:\d\d/.test(String(example))) return 'time';
  if (example !== undefined) return 'date-time';
  return /(?:date|day|_on|dob|birthday|deadline)$/.test(name) ? 'date' : 'date-time';
}

const FORMATS: ReadonlySet<unknown> = new Set([
  'date-time',
  'date',
  'time',
  'iso-date-time',
  'datetime',
  'timestamp',
  'unix-time',
  'unixtime',
]);
const NAMED =
  /(?:^|_)(?:(?:\w+ed|\w+s|last_\w+|login|logout|start|end|check_?in|check_?out)_(?:at|on)|(?:\w+_)?(?:date|date_?time|timestamp|birthday|dob|deadline)|(?:start|end|begin|departure|arrival|created?|update|modification|creation|publish(?:ing)?|event)_?time|created|updated|modified|expires|expiry|due|ts)$/;

/** Whether a member is a moment: by its format, its name, or an example. */
export function isTime({ name, shape }: Pick<Subject, 'name' | 'shape'>): boolean {
  if (FORMATS.has(shape.find('format')?.value)) return true;
  if (shape.find('format') && shape.mainType === 'string') return false;
  if (shape.mainType === 'string') {
    const [example] = shape.examples;
    if (example !== undefined) return /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)/.test(String(example));
    return NAMED.test(name);
  }
  const most = shape.range.high ? Number(shape.range.high.value) : Number.POSITIVE_INFINITY;
  return (
    NAMED.test(name) && !/(?:^|_)(?:due|expires)$/.test(name) && shape.mainType === 'integer' && most > 1e9
  );
}
