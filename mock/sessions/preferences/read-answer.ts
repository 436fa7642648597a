import { LONGEST_DELAY, readDelay } from './delay.ts';
import { must, type ReadMember, readByName, readObject, shown } from './read-members.ts';
import type { Answer } from './rule.ts';

/** An answer as it is given to `addRule` and `POST /__admin/rules`. */
export interface AnswerForm extends Omit<Answer, 'delay' | 'drop' | 'headers'> {
  /** Milliseconds up to 600,000, or a range of them such as `'100-500'`. */
  readonly delay?: number | string;
  /** `true` is `'before'`. */
  readonly drop?: true | 'before' | 'after';
  readonly headers?: Readonly<Record<string, string | number>>;
}

export const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

export const integer = (low: number, high: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= low && Number(value) <= high ? value : undefined;

const isStatus = integer(200, 599);

/** RFC 9110 §5.5: what Node sends of it, each character a byte. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const TOKEN = /^[!#$%&'*+.^`|~\w-]+$/;

/** They belong to the message as it is sent (RFC 9110 §7.6.1, §8.6). */
const OWN_HEADERS = /^(?:connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

const headers = readByName(
  '{"Retry-After": "1"}',
  must('a text of Latin-1 without control characters', (value) => {
    const line = typeof value === 'number' ? String(value) : text(value);
    return line !== undefined && FIELD_VALUE.test(line) ? line : undefined;
  }),
  (name, path, report) => {
    if (!TOKEN.test(name)) report(path, 'must be the name of a header');
    if (OWN_HEADERS.test(name.toLowerCase())) report(path, 'is set by the mock; leave it out');
    return spelled(name);
  },
);

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['etag', 'ETag'],
  ['www-authenticate', 'WWW-Authenticate'],
]);

/** As the mock spells it, since one name must not be sent in two spellings. */
function spelled(name: string): string {
  const lower = name.toLowerCase();
  return IRREGULAR.get(lower) ?? lower.replace(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase());
}

export const ANSWER_MEMBERS: Readonly<Record<keyof AnswerForm, ReadMember>> = {
  status: must('a status from 200 to 599', isStatus),
  example: must('the name of an example', text),
  delay: must(`milliseconds up to ${LONGEST_DELAY}, or a range such as "100-500"`, (value) =>
    typeof value === 'number' ? readDelay(String(value)) : readDelay(text(value) ?? ''),
  ),
  drop: must('true, "before" or "after"', (value) =>
    value === true ? 'before' : ['before', 'after'].find((one) => one === value),
  ),
  truncate: must('true', (value) => (value === true ? true : undefined)),
  body: (value) => value,
  headers,
};

const readAnswer = readObject('an answer', ANSWER_MEMBERS, '{"status": 503, "delay": 100}');

const MOST_ANSWERS = 100;

/** `[503, {"status": 503, "delay": 100}, "pass"]` */
export const sequence: ReadMember = (value, path, report) => {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_ANSWERS) {
    const allowed = `a list of 1 to ${MOST_ANSWERS} answers such as [503, 503, "pass"]`;
    report(path, `must be ${allowed}, not ${shown(value)}`);
    return undefined;
  }
  return value.map((item, index) => {
    const inner = [...path, String(index)];
    if (item === 'pass') return item;
    if (typeof item === 'object') return readAnswer(item, inner, report);
    if (isStatus(item) !== undefined) return { status: item };
    report(inner, `must be a status from 200 to 599, "pass" or an object, not ${shown(item)}`);
    return undefined;
  });
};
