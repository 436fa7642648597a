import {
  asReceived,
  bodyFields,
  bodyMedia,
  type Contract,
  expandableMembers,
  isEqual,
  isInteger,
  isRecord,
  type MediaType,
  memberShape,
  type Operation,
  type Shape,
  sample,
  type Validate,
} from '#spec';
import { type BrokenValue, breakEachKeyword } from '#test-values';
import { unclearMembers } from '../arrange/body.ts';
import { isMarked } from '../laws/mark.ts';
import type { Data } from '../send/wire.ts';
import type { Settings } from '../settings/settings.ts';

export interface BrokenBody extends BrokenValue {
  /** The body belongs to another branch of the schema than the ordinary one. */
  readonly otherBranch?: boolean;
  /** The valid body that was broken; undefined: the invalid one replaces any other as a whole. */
  readonly valid?: unknown;
}

/** The invalid bodies that a schema gives; when they are sent, the run's values replace theirs. */
export function brokenBodies(contract: Contract, settings: Settings, operation: Operation): BrokenBody[] {
  const media = bodyMedia(operation.body);
  if (!media?.shape || !media.schema) return [];
  const { shape } = media;
  // An embedded whole record may be another client's: a broken value in it might change that.
  const whole = expandableMembers(shape, contract.resources);
  const left = [
    ...unclearMembers(media),
    ...whole.map((one) => memberShape(shape, one.property)?.spot.value),
  ];
  const omit = (member: Shape) => left.includes(member.spot.value);
  const make = (shape: Shape) =>
    sample(shape, { key: `${settings.seed}/${operation.id}`, direction: 'request', omit });
  const valid = make(media.shape);
  const validate = contract.validators.compile(media.schema, 'request');
  const most = mostBroken(contract);
  const titles = new Set<string>();
  let count = 0;
  return [
    ...breakEachKeyword(media.shape, valid, validate, most).map((value) => ({ ...value, valid })),
    ...media.shape.alternatives.flatMap((branch) =>
      brokenBranch(branch, valid, make(branch), validate, most),
    ),
    ...brokenAsPeopleDo(media.shape, valid, validate),
  ].filter((broken) => {
    if (count >= most || titles.has(broken.title)) return false;
    titles.add(broken.title);
    const isUsable = staysBroken(media, broken, validate) && !isUnclear(media, broken);
    if (isUsable) count += 1;
    return isUsable;
  });
}

/** Limits for one operation, and for all together: a large document has bodies of thousands of members. */
const MOST_BROKEN = 200;
const MOST_BROKEN_TOGETHER = 6000;
const FEWEST_BROKEN = 10;

function mostBroken({ operations }: Contract): number {
  const bodies = operations.filter(({ body }) => body).length;
  return Math.max(FEWEST_BROKEN, Math.min(MOST_BROKEN, Math.floor(MOST_BROKEN_TOGETHER / bodies)));
}

/** Whether services read a field in several ways: then no value of it is certain to be invalid. */
function isUnclear(media: MediaType, { pointer }: BrokenValue): boolean {
  const [, name = ''] = pointer.split('/');
  return bodyFields(media).get(name)?.isUnclear === true;
}

/**
 * Whether a body still violates the same keyword when it is parsed: in a form, the number 1 and the text "1" are equal,
 * and many services treat an empty field as absent.
 */
export function staysBroken(media: MediaType, { value, keyword }: BrokenValue, validate: Validate): boolean {
  const received = asReceived(media, value);
  if (received === undefined || !validate(received).some((violation) => violation.keyword === keyword))
    return false;
  if (bodyFields(media).size === 0 || !isRecord(received)) return true;
  return validate(withoutEmpty(received)).length > 0;
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== '').map(withoutEmpty);
  if (!isRecord(value)) return value;
  const filled = Object.entries(value).filter(([, member]) => member !== '');
  return Object.fromEntries(filled.map(([name, member]) => [name, withoutEmpty(member)]));
}

/** The broken bodies of another branch than the ordinary body's: of the members that the ordinary body lacks. */
function brokenBranch(
  branch: Shape,
  ordinary: unknown,
  valid: unknown,
  validate: Validate,
  most: number,
): BrokenBody[] {
  if (!isRecord(valid) || !isRecord(ordinary) || validate(valid).length > 0) return [];
  return breakEachKeyword(branch, valid, validate, most)
    .filter(({ pointer }) => !((pointer.split('/')[1] ?? '') in ordinary) && pointer !== '')
    .map((broken) => ({ ...broken, otherBranch: true }));
}

/** The same violation in a body of this run: the other members keep its values and mark. */
export function breakAlike({ value: broken, valid, otherBranch }: BrokenBody, body: Data): unknown {
  if (!isRecord(broken)) return broken;
  if (!otherBranch) return isRecord(valid) ? changedAlike(valid, broken, body) : broken;
  const shared = Object.entries(body).filter(([name, value]) => isMarked(value) && name in broken);
  return { ...broken, ...Object.fromEntries(shared) };
}

/** Applies a difference of two bodies to another body. */
function changedAlike(before: Data, after: Data, body: Data): Data {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => !isEqual(before[name], after[name]));
  const others = Object.entries(body).filter(([name]) => name in after || !changed.includes(name));
  const entries = changed.filter((name) => name in after).map((name) => [name, after[name]]);
  return { ...Object.fromEntries(others), ...Object.fromEntries(entries) };
}

/** Typical mistakes of clients: near misses of an enumeration, as forms send them, and several violations at once. */
function brokenAsPeopleDo(shape: Shape, valid: unknown, validate: Validate): BrokenBody[] {
  if (!isRecord(valid)) return [];
  const enumerated = Object.entries(valid).filter(
    ([name, value]) => typeof value === 'string' && shape.properties.get(name)?.values,
  );
  const integers = Object.entries(valid).filter(([, value]) => isInteger(value));
  const changed = (name: string, title: string, value: unknown) => ({
    pointer: `/${name}`,
    title: `${name} ${title}`,
    value: { ...valid, [name]: value },
    valid,
  });
  const bodies = [
    { pointer: '', title: 'without any member', value: {} },
    // Conversions accept these: a list of one item becomes a text, an empty text 0, digits with a suffix a number.
    ...Object.entries(valid).map(([name, value]) => changed(name, 'in a list of one', [value])),
    ...integers.flatMap(([name, value]) => [
      changed(name, 'as an empty text', ''),
      changed(name, 'as digits with letters behind them', `${value}abc`),
    ]),
    ...enumerated.flatMap(([name, value]) => [
      changed(name, 'as an empty text', ''),
      changed(name, 'with a space behind it', `${value} `),
    ]),
  ];
  return bodies.flatMap((body) => {
    const [violation] = validate(body.value);
    return violation ? [{ ...body, keyword: violation.keyword, at: violation.at }] : [];
  });
}
