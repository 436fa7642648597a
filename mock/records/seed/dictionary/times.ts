import { foldedName, oncePer, type Shape, wordsOf } from '#spec';
import { has, type Subject, setOf, sharedRandom } from './subject.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** Whether a word in a name begins with one of these stems; a stem of two letters is a whole word. */
function having(stems: string): (name: string) => boolean {
  const all = stems.split(' ');
  const isOne = (word: string) =>
    all.some((stem) => word === stem || (stem.length > 2 && word.startsWith(stem)));
  return (name) => name.split('_').some(isOne);
}

/** Events in the order of a record's life: each has its own part of the time from creation to now. */
const PAST = [
  'creat regist join post order plac submit open issu add insert sign upload request record book sent receiv report hir born',
  'confirm accept approv verif assign schedul activat publish releas launch first',
  'paid pay charg captur process start begin began begun dispatch ship pick checkin checkedin',
  'deliver complet finish resolv end stop return refund clos checkout checkedout won lost graduat',
  'cancel reject archiv delet remov expired revok bann suspend block deactivat disabl',
  'updat modif chang edit last latest seen access sync refresh used visit login logged active check ping heartbeat run scan',
].map(having);

/** Planned events, in days after a record's creation. */
const PLANNED = [
  [having('due deadline respond best'), 5, 30],
  [having('expir valid renew next termin sunset trial'), 45, 300],
  [having('deliver estimated eta expected target'), 3, 14],
] as const;
/** Names of a future time. */
const UPCOMING = having('upcoming next');
const SHOWN = having('showtime show screen kickoff match event');
/** Names of events that people attend, some of them in the future. */
const EVENTFUL = having(
  'event show screening match appointment booking reservation meeting trip flight class exam session performance visit ' +
    'concert race shift lesson webinar workshop tour conference',
);
const STARTS = having('checkin depart start begin from pickup effective since open');
const ENDS = having('checkout arriv return end until till thru through to clos dropoff');
const FOUNDED = having('found establish incorporat built manufactur hire air');

/** The shortest and longest duration of something planned. */
function spanOf(name: string): readonly [least: number, most: number] {
  if (/arriv/.test(name)) return [HOUR, 9 * HOUR];
  if (/checkout|dropoff/.test(name)) return [DAY, 10 * DAY];
  if (/valid|contract|lease|effective/.test(name)) return [90 * DAY, 400 * DAY];
  return /(?:_time|_at)$|^(?:end|to)$/.test(name) ? [HOUR, 4 * HOUR] : [3 * DAY, 30 * DAY];
}

/** The time of a member, in milliseconds since 1970: created <= updated <= now, and a start precedes its end. */
function momentOf(subject: Subject): number {
  const { library, random } = subject;
  const { now } = library;
  // `check_in_at` equals `checkin_at`.
  const name = subject.name.replace(/_(in|out|up|off|line)(?=_|$)/g, '$1');
  if (/birth|dob|born|nacim|nascim|naissance|geburt/.test(name)) {
    const isAnimal = /pet|animal|dog|cat|horse/.test(subject.entity);
    return now - YEAR * (isAnimal ? 1 + 12 * random.next() : 18 + 55 * random.next());
  }
  if (FOUNDED(name) || /(?:release|publication|published)_date$/.test(name))
    return now - YEAR * (1 + 24 * random.next());
  // In the year before now, more often recently.
  const made =
    now - YEAR * (0.002 + 0.99 * sharedRandom({ ...subject, qualifier: '' }, 'created').next() ** 1.5);
  const isLatest = /(?:^|_)(?:last|latest)_/.test(name);
  // A name that ends in -ed is in the past: `started_at`, `ended_on`.
  const hasHappened =
    /ed(?:_(?:at|on|date|time))?$/.test(name) && !/scheduled|expected|planned|estimated/.test(name);
  if (!isLatest && !hasHappened) {
    if (UPCOMING(name)) return quarter(now + DAY * (1 + 30 * random.next()));
    const later = sharedRandom({ ...subject, qualifier: '' }, 'later').next();
    const isEvent = EVENTFUL(subject.entity) || SHOWN(name);
    const isStart =
      STARTS(name) || SHOWN(name) || (isEvent && /^(?:date|time|date_time|datetime|day|when)$/.test(name));
    if (isStart || ENDS(name)) {
      const day = sharedRandom({ ...subject, qualifier: '' }, 'start');
      const isAhead = isEvent && later < (has(subject, 'status', 'state') ? 0.3 : 0.6);
      const start = quarter(isAhead ? now + DAY * (1 + 40 * day.next()) : made + DAY * (2 + 18 * day.next()));
      const [least, most] = spanOf(name);
      return isStart ? start : quarter(start + least + (most - least) * day.next());
    }
    const [, soonest, latest = 0] = PLANNED.find(([isOf]) => isOf(name)) ?? [];
    if (soonest !== undefined)
      return (later < 0.4 ? now : made) + DAY * (soonest + (latest - soonest) * random.next());
  }
  const stage = isLatest ? PAST.length - 1 : PAST.findIndex((isOf) => isOf(name));
  const isMade = stage < 0 && /^(?:date|time|timestamp|day|when|at|ts|datetime|date_time)$/.test(name);
  if (stage === 0 || isMade) return made;
  const part = (stage < 0 ? 2 : stage) / PAST.length;
  return made + (now - made) * (part + (0.9 * random.next()) / PAST.length);
}

/** To a quarter of an hour, as in calendars. */
const quarter = (moment: number) => Math.round(moment / 900_000) * 900_000;

/** A date-time, a date or a time, as the schema requires. */
export function timeOf(subject: Subject): unknown {
  const { shape, name } = subject;
  const moment = new Date(Math.floor(momentOf(subject) / 1000) * 1000);
  const [example] = shape.examples;
  if (shape.mainType !== 'string') {
    const large = Math.max(Number(example ?? 0), Number(shape.range.low?.value ?? 0));
    return moment.getTime() / (/milli|_ms$/.test(name) || large > 1e11 ? 1 : 1000);
  }
  const text = moment.toISOString();
  const format = shape.find('format')?.value;
  const isOfHours = shape.patterns.length > 0 && shape.patterns.every((pattern) => pattern.test('09:30'));
  const isClock =
    format === 'time' || (format === undefined && (isOfHours || /^\d\d:\d\d/.test(String(example))));
  if (isClock && (STARTS(name) || ENDS(name))) return `${hourOf(subject)}${format === 'time' ? ':00Z' : ''}`;
  if (isClock)
    return `${text.slice(11, 14)}${moment.getUTCMinutes() < 30 ? '00' : '30'}${format === 'time' ? ':00Z' : ''}`;
  const isDay =
    example === undefined ? /(?:date|day|_on|dob|birthday|deadline)$/.test(name) : IS_DAY.test(`${example}`);
  const form = format === 'date' || format === 'date-time' ? undefined : formOf(shape);
  if (form !== undefined) return inForm(form, text);
  return format === 'date' ||
    (isDated(format) && shape.patterns.length === 0) ||
    (format === undefined && isDay)
    ? text.slice(0, 10)
    : text;
}

/** A time of day, in hours and minutes: an end is on the same day as its start. */
function hourOf(subject: Subject): string {
  const day = sharedRandom({ ...subject, qualifier: '' }, 'clock');
  const [start, minutes] = [7 + Math.floor(6 * day.next()), day.pick(['00', '30'])];
  const hour = STARTS(subject.name) ? start : start + 1 + Math.floor(9 * day.next());
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

const IS_DAY = /^\d{4}-\d\d-\d\d$/;
/** Folded names: documents write `dateTime` and `datetime`. */
const FORMATS = setOf('datetime date time isodatetime isodate timestamp unixtime');
/** Custom formats: `local-date`. */
const isDated = (format: unknown) => wordsOf(String(format)).at(-1) === 'date';
const NAMED =
  /(?:^|_)(?:(?:\w+ed|\w+s|last_\w+|login|logout|start|end|check_?in|check_?out)_(?:at|on)|date_(?:\w+ed|of_\w+)|last_(?:update|change|active|seen|login|access|modified)|(?:\w+_)?(?:date|date_?time|timestamp|(?:date|time)_unix|birthday|dob|deadline)|(?:show|start|end|begin|departure|arrival|create|update|\w+ed|modification|creation|publish(?:ing)?|event|booking|appointment|reservation|meeting|visit|modify|expire|expiry|issue|order|payment|login|register|finish)_?time|showtime|kick_?off|start|end|until|\w+_at|created|updated|modified|added|expiration|expires|expiry|due|ts)$/;

/** A date pattern in a document: `YYYY-MM-DD`, `MM-DD-CCYY`, `dd/MM/yyyy HH:mm`; but no range of two dates. */
const FORM =
  /(?<![\w.,]|[-/])(?:[Yy]{4}|CCYY|MM|[Dd]{2})([-/.])(?:MM|[Dd]{2})\1(?:[Yy]{4}|CCYY|[Dd]{2})(?:[T ]HH:mm(?::ss)?)?(?![-/\w]|[.,]+[YyMD])/;

/** The date pattern in a text's format or description. */
const formOf = oncePer(
  (shape: Shape): string | undefined =>
    ['format', 'description'].flatMap((one) => FORM.exec(String(shape.find(one)?.value)) ?? [])[0],
);

/** A time in a pattern, from its RFC 3339 text. */
function inForm(form: string, text: string): string {
  const [year, month, day, hours, minutes, seconds] = text.split(/\D/);
  const parts = { Y: year, y: year, C: year, M: month, D: day, d: day, H: hours, m: minutes, s: seconds };
  return form.replace(/[Yy]{4}|CCYY|MM|[Dd]{2}|HH|mm|ss/g, (part) => parts[part.charAt(0) as 'Y'] ?? part);
}

/** Whether a member is a time: by its format, its name, the pattern in its description, or an example. */
export function isTime({ name, shape }: Pick<Subject, 'name' | 'shape'>): boolean {
  const format = shape.find('format')?.value;
  if (typeof format === 'string' && FORMATS.has(foldedName(format))) return true;
  const [example] = shape.examples;
  if (shape.mainType === 'string') {
    return example === undefined
      ? formOf(shape) !== undefined || (format === undefined ? NAMED.test(name) : isDated(format))
      : /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)/.test(String(example));
  }
  const most = Number(shape.range.high?.value ?? Number.POSITIVE_INFINITY);
  return (
    shape.mainType === 'integer' &&
    most > 1e9 &&
    NAMED.test(name) &&
    !/(?:^|_)(?:due|expires|start|end|until)$/.test(name)
  );
}
