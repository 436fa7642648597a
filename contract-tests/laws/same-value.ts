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

/** RFC 3339 §5.6, which allows lower case, and a space in place of T. */
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

/** Like {@link sameValue}; null and absence are equal. */
function sameMember(left: unknown, right: unknown): boolean {
  return sameValue(left ?? null, right ?? null);
}

/** Durations of Go and of ISO 8601-1 §5.5.2: hours, minutes, seconds. */
const DURATION = /^(?:PT)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/i;
/** The maximum difference between two responses of a run, in seconds. */
const WHILE = 60;

/** Whether two values are a running time, left or elapsed, which differs in each response. */
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
  /** Both values come from responses, one after the other. */
  readonly running?: boolean;

  /** The document does not promise to store texts verbatim: blanks at the ends may be removed. */
  readonly trims?: boolean;
  /** The document says that texts are stored in another notation. */
  readonly adjusts?: boolean;
  /** A list of records with ids may have got further items in the meantime. */
  readonly grows?: boolean;
  /** Members of nested records that need not show the sent value. */
  readonly isOpen?: (name: string, member: Shape, holder: Shape) => boolean;
}

/**
 * Whether a record shows the sent value. The service may add members to nested records, and items to sets, such as the
 * owner among the readers. Nothing is promised of a value whose type differs from the sent one, such as an object for an
 * id, or that the schema has no place for; where both types are allowed, an object contains the id.
 * @param names of the member and of its ancestors
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

/** A value without a schema may be returned as its JSON text. */
function isWritten(got: unknown, sent: unknown, shape: Shape | undefined): boolean {
  if (typeof got !== 'string' || typeof sent !== 'object' || !shape || !mayBe(shape, got)) return false;
  return isEqual(tryJson(got), sent);
}

/** The characters that other notations leave out or insert. */
const BETWEEN = /[\s().\-/]+|^\s*(?:\+|00)/g;

/** Whether texts differ only in case, blanks and such characters. */
export function isSameText(got: unknown, sent: unknown): boolean {
  if (typeof got !== 'string' || typeof sent !== 'string') return false;
  const [one, other] = [got, sent].map((text) => text.normalize('NFKC').replace(BETWEEN, '').toLowerCase());
  return one === other;
}

/** E-mail addresses in another case (RFC 5321 §2.4) and telephone numbers in another notation are always equal. */
export function isSameAddress(got: unknown, sent: unknown, name: string, shape: Shape | undefined): boolean {
  const format = String(shape?.find('format')?.value ?? textFormOf(name)).replace('idn-', '');
  if (format === 'phone' || format === 'tel') return isSameText(got, sent);
  return format === 'email' && String(got).trim().toLowerCase() === String(sent).trim().toLowerCase();
}

/** Only for integers a document promises more digits than a double has. */
function isRounded(got: unknown, sent: unknown, shape: Shape | undefined): boolean {
  const isExact = shape?.mainType === 'integer' || shape?.find('format')?.value === 'int64';
  return !isExact && isNumber(got) && isNumber(sent) && Number(got) === Number(sent);
}

/** Many serializers omit empty values. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Whether the schema or one of its alternatives allows the value's type and lists the value, whatever else it requires. */
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

/** Whether a response must have the member and cannot show null: the document does not state which value replaces null. */
export function isNeverNull(name: string, shape: Shape): boolean {
  const forms = [shape, ...shape.alternatives].filter(({ properties }) => properties.has(name));
  return (
    forms.length > 0 &&
    forms.every(({ required, properties }) => required.has(name) && !properties.get(name)?.allows(null))
  );
}

/** Whether the schema names its members: then others have no place there. */
function namesMembers({ properties, alternatives }: Shape): boolean {
  return properties.size > 0 || (alternatives.length > 0 && alternatives.every(namesMembers));
}

function memberOf(shape: Shape, name: string): Shape | undefined {
  return memberShape(shape, name) ?? shape.additional;
}

/** Whether a text masks a secret. */
export const isMask = (text: string) => /^[*\u2022\u25cf]{3,}$/.test(text);

function isTrimmed(got: unknown, sent: unknown): boolean {
  return typeof sent === 'string' && typeof got === 'string' && got !== sent && got === sent.trim();
}
