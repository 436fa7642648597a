import {
  hasType,
  isEqual,
  isNumber,
  isRecord,
  isSet,
  memberShape,
  type Shape,
  textFormOf,
  tryJson,
} from '#spec';

/** RFC 3339 §5.6; small letters and a space in the place of T are allowed there. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;

/** Equal as JSON, or the same instant in another notation: `09:00:00Z`, `09:00:00.000Z`, `10:00:00+01:00`. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (isEqual(left, right)) return true;
  const instant = instantOf(left);
  return instant !== undefined && instant === instantOf(right);
}

function instantOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, date, time, fraction = '', zone] = DATE_TIME.exec(value) ?? [];
  const seconds = Date.parse(`${date}T${time}${zone?.toUpperCase()}`);
  return Number.isNaN(seconds) ? undefined : `${seconds}.${fraction.replace(/0+$/, '')}`;
}

/** As {@link sameValue}; null may be shown as absence, and absence as null. */
function sameMember(left: unknown, right: unknown): boolean {
  return sameValue(left ?? null, right ?? null);
}

/** As Go writes a duration, and ISO 8601-1 §5.5.2: hours, minutes, seconds. */
const DURATION = /^(?:PT)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/i;
/** Between two responses of a run, in seconds. */
const WHILE = 60;

/** A time that is left, or has passed, differs with every look. */
function isRunning(left: unknown, right: unknown): boolean {
  const [one, other] = [secondsOf(left), secondsOf(right)];
  return one !== undefined && other !== undefined && Math.abs(one - other) < WHILE;
}

function secondsOf(value: unknown): number | undefined {
  const match = typeof value === 'string' && /\d/.test(value) ? DURATION.exec(value) : null;
  if (!match) return undefined;
  const [, hours = 0, minutes = 0, seconds = 0] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

interface Leniency {
  /** Both were shown, one after the other. */
  readonly running?: boolean;

  /** The document does not say that what is sent is stored as it is: a text may lose the blanks at its ends. */
  readonly trims?: boolean;
  /** The document says that texts are stored in another notation. */
  readonly adjusts?: boolean;
  /** Others may have been made in the meantime, in a list of records that have ids of their own. */
  readonly grows?: boolean;
  /** Members of nested records that need not be shown as they were sent. */
  readonly isOpen?: (name: string, member: Shape, holder: Shape) => boolean;
}

/**
 * Whether a record shows what was sent. In nested records the service may add members, and to a set items of its own, as the
 * owner to those who may read. What it does not show in the type that was sent, such as an object for an id, promises
 * nothing, nor does what has no place there; where both types may be shown, an object has the id.
 * @param names of the member and of those that it is in
 */
export function shows(
  got: unknown,
  sent: unknown,
  shape: Shape | undefined,
  how: Leniency = {},
  ...names: readonly string[]
): boolean {
  if (shape && !mayBe(shape, sent)) return true;
  if (isRecord(sent) && isRecord(got))
    return Object.entries(sent).every(([name, value]) => {
      const member = shape && memberOf(shape, name);
      if (member ? how.isOpen?.(name, member, shape) : shape && namesMembers(shape)) return true;
      if (value === null && shape && isNeverNull(name, shape)) return true;
      return shows(got[name], value, member, how, ...names, name);
    });
  if (Array.isArray(sent) && Array.isArray(got)) {
    const item = (index: number) => (one: unknown) => shows(one, sent[index], shape?.items, how, ...names);
    const mayGrow = how.grows === true && shape?.items?.properties.has('id') === true;
    if (isSet(shape, names) || mayGrow) return sent.every((_, index) => got.some(item(index)));
    return sent.length === got.length && got.every((one, index) => item(index)(one));
  }
  if (
    typeof sent !== 'object' &&
    isRecord(got) &&
    shape &&
    shape.alternatives.length > 0 &&
    mayBe(shape, got)
  )
    return got.id === undefined || sameMember(got.id, sent);
  if (how.running && isRunning(got, sent)) return true;
  if (
    (got === undefined && isEmpty(sent)) ||
    (typeof sent === 'string' && typeof got === 'string' && isMask(got))
  )
    return true;
  return (
    sameMember(got, sent) ||
    isRounded(got, sent, shape) ||
    (how.trims === true && isTrimmed(got, sent)) ||
    (how.adjusts === true && isSameText(got, sent)) ||
    isSameAddress(got, sent, names.at(-1) ?? '', shape) ||
    isWritten(got, sent, shape)
  );
}

/** Where the document leaves room for any value, it may come back as the text that it is written as. */
function isWritten(got: unknown, sent: unknown, shape: Shape | undefined): boolean {
  if (typeof got !== 'string' || typeof sent !== 'object' || !shape || !mayBe(shape, got)) return false;
  return isEqual(tryJson(got), sent);
}

/** The signs that other notations leave out, or have between the others. */
const BETWEEN = /[\s().\-/]+|^\s*(?:\+|00)/g;

/** Texts that differ in case, blanks and such signs alone. */
export function isSameText(got: unknown, sent: unknown): boolean {
  if (typeof got !== 'string' || typeof sent !== 'string') return false;
  const [one, other] = [got, sent].map((text) => text.normalize('NFKC').replace(BETWEEN, '').toLowerCase());
  return one === other;
}

/** An e-mail address in another case (RFC 5321 §2.4), or a telephone in another notation: the same, whatever a document says. */
export function isSameAddress(got: unknown, sent: unknown, name: string, shape: Shape | undefined): boolean {
  const format = String(shape?.find('format')?.value ?? textFormOf(name)).replace('idn-', '');
  if (format === 'phone' || format === 'tel') return isSameText(got, sent);
  return format === 'email' && String(got).trim().toLowerCase() === String(sent).trim().toLowerCase();
}

/** Only of an integer a document promises more digits than a double has. */
function isRounded(got: unknown, sent: unknown, shape: Shape | undefined): boolean {
  const isExact = shape?.mainType === 'integer' || shape?.find('format')?.value === 'int64';
  return !isExact && isNumber(got) && isNumber(sent) && Number(got) === Number(sent);
}

/** Many serializers leave out what has nothing in it. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Whether the schema, or one of its forms, has room for values of the type and lists the value, whatever else it says. */
export function mayBe({ types, values, alternatives }: Shape, value: unknown): boolean {
  if (value === null) return true;
  if (types && ![...types].some((type) => hasType(value, type))) return false;
  if (values && !values.some((one) => isEqual(one, value))) return false;
  return alternatives.length === 0 || alternatives.some((form) => mayBe(form, value));
}

/** Whether two responses show the same value of a member. */
export function agree(left: unknown, right: unknown, member: Shape, name: string): boolean {
  if (sameMember(left, right)) return true;
  const how = { running: true };
  return shows(left, right, member, how, name) && shows(right, left, member, how, name);
}

/** A response must have the member, and cannot show null: which value it is then no document says. */
export function isNeverNull(name: string, shape: Shape): boolean {
  const forms = [shape, ...shape.alternatives].filter(({ properties }) => properties.has(name));
  return (
    forms.length > 0 &&
    forms.every(({ required, properties }) => required.has(name) && !properties.get(name)?.allows(null))
  );
}

/** What it does not name then has no place there. */
function namesMembers({ properties, alternatives }: Shape): boolean {
  return properties.size > 0 || (alternatives.length > 0 && alternatives.every(namesMembers));
}

function memberOf(shape: Shape, name: string): Shape | undefined {
  return memberShape(shape, name) ?? shape.additional;
}

/** A secret is shown as if it were being typed. */
export const isMask = (text: string) => /^[*\u2022\u25cf]{3,}$/.test(text);

function isTrimmed(got: unknown, sent: unknown): boolean {
  return typeof sent === 'string' && typeof got === 'string' && got !== sent && got === sent.trim();
}
