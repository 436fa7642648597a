import {
  countsMilliseconds,
  type Data,
  memberMeanings,
  memberShape,
  namesDay,
  type Resource,
  type Shape,
  saidOfRecord,
  withoutNull,
} from '#spec';
import { compileFit } from '../seed/fake.ts';

/** Which event a time member notes: the creation, the last change, or something else. */
export type Occasion = 'created' | 'changed' | 'moment';

/** A member that holds a time, and its format. */
export interface Moment {
  readonly name: string;
  readonly shape: Shape;
  readonly occasion: Occasion;
  /** @param now milliseconds since 1970 */
  readonly write: (now: number) => unknown;
}

/** The times that the service notes in the records of a collection. */
export function momentsOf(resource: Pick<Resource, 'shape' | 'id'>): Moment[] {
  return [...memberMeanings(resource)].flatMap(([name, { holds }]) => {
    if (holds !== 'created' && holds !== 'changed' && holds !== 'moment') return [];
    const member = memberShape(resource.shape, name);
    const write = member && compileWrite(name, member);
    return write ? [{ name, shape: member, occasion: holds, write }] : [];
  });
}

/** Compiles writing a time in a member's format. Undefined: the member holds no time. */
export function compileWrite(name: string, shape: Shape): Moment['write'] | undefined {
  const form = withoutNull(shape);
  if (form.values) return undefined;
  const fits = compileFit(shape);
  return writersOf(name, form).find((write) => fits(write(PROBE)));
}

/** A time to try formats with. */
const PROBE = Date.UTC(2030, 10, 21, 12, 34, 56, 789);

function writersOf(name: string, shape: Shape): Moment['write'][] {
  const { mainType } = shape;
  const seconds = (now: number) => Math.floor(now / 1000);
  const milliseconds = (now: number) => now;
  if (mainType === 'integer' || mainType === 'number')
    return countsMilliseconds(name, shape) ? [milliseconds, seconds] : [seconds, milliseconds];
  if (mainType !== 'string') return [];
  const iso = (now: number) => new Date(now).toISOString();
  const date = (now: number) => iso(now).slice(0, 10);
  const format = shape.find('format')?.value;
  if (format === 'date') return [date];
  if (format !== undefined && format !== 'date-time') return [];
  const local = (now: number) => iso(now).slice(0, 19);
  const texts: Moment['write'][] = [
    iso,
    (now: number) => `${local(now)}Z`,
    date,
    local,
    (now: number) => local(now).replace('T', ' '),
    (now: number) => String(seconds(now)),
    String,
  ];
  const example = shape.examples.find((one) => typeof one === 'string');
  if (typeof example !== 'string' || format !== undefined)
    return namesDay(name) && format === undefined ? [date, ...texts] : texts;
  const alike = texts.filter((write) => digitless(String(write(PROBE))) === digitless(example));
  return Number.isNaN(Date.parse(example)) ? alike : [...alike, ...texts];
}

const digitless = (text: string) => text.replaceAll(/\d/g, '0');

/** Whether the service sets a member whatever clients send: it is required, or no request has it. */
export function isOwed(
  shape: Shape,
  [name, member]: readonly [string, Shape],
  body: Shape | undefined,
): boolean {
  const { set, first } = saidOfRecord(shape).facts.members?.[name] ?? {};
  const isSaid = set !== undefined || first !== undefined;
  return isSaid || shape.required.has(name) || member.readOnly || !(body && memberShape(body, name));
}

/** Compiles updating the time of the last change, unless the client has sent one. */
export function compileTouched(resource: Resource) {
  const changed = momentsOf(resource).filter(({ occasion }) => occasion === 'changed');
  return (record: Data, sent: Data, now: number): Data =>
    Object.fromEntries(
      changed.flatMap(({ name, write }) =>
        Object.hasOwn(record, name) && !Object.hasOwn(sent, name) ? [[name, write(now)]] : [],
      ),
    );
}
