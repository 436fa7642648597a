import {
  bodyFields,
  formatOf,
  formsOf,
  isRecord,
  type JsonType,
  type MediaType,
  memberShape,
  type Operation,
  type Shape,
  sentType,
  shownNames,
  type Validators,
} from '#spec';
import { onFirstCall } from '../../http/memoize.ts';
import { compileForms, keepsUnnamed, namedMembers, readOnlyMembers } from '../forms.ts';
import { compileAsShown, NOT_SHOWN } from './as-shown.ts';

export type Members = Readonly<Record<string, unknown>>;

/**
 * Selects members of a body.
 * @param whole what the body makes of the record: its form has these members. Default: the body
 */
export type SelectMembers = (body: unknown, whole?: Members) => Members;

/**
 * Compiles the selection of the members of a valid body that a client may write: those that the request's schema names,
 * without those that are `readOnly` there, or in the record where the request does not name them. Undefined: the body cannot be a record.
 */
export function compileWritableMembers(
  { body }: Operation,
  record: Shape,
  validators: Validators,
): SelectMembers | undefined {
  const medias = (body?.content ?? []).filter((media) => formatOf(sentType(media), media.shape));
  const shapes = medias.flatMap(({ shape }) => (shape && mayBeObject(shape) ? shape : []));
  if (shapes.length > 0) return onFirstCall(() => compileSelection(medias, shapes, record, validators));
  // A text, or bytes: the record is about them, and has no member for them.
  return medias.some(({ isJson }) => !isJson) ? () => NO_MEMBERS : undefined;
}

function compileSelection(
  medias: readonly MediaType[],
  shapes: readonly Shape[],
  record: Shape,
  validators: Validators,
): SelectMembers {
  const readOnly = shapes.flatMap(readOnlyMembers);
  // A schema of requests that has a member of its own says more of them than that of the record.
  const writable = new Set(
    shapes.flatMap(({ properties }) => [...properties].flatMap(([name, one]) => (one.readOnly ? [] : name))),
  );
  const unwritable = compileForms(
    record,
    validators,
    (form) =>
      new Set([
        ...medias.flatMap((media) => unshownFiles(media, form)),
        ...readOnlyMembers(form).filter((name) => !writable.has(name)),
        ...readOnly,
      ]),
  );
  const otherwise = compileForms(record, validators, (form) => otherwiseShown(shapes, form));
  const asShown = compileAsShown(validators);
  const sent = new Map(shapes.flatMap((shape) => [...namedMembers(shape)]));
  const renamed = compileForms(record, validators, (form) => renames(shownNames(sent, form), form));
  const isOpen = shapes.some(keepsUnnamed);
  return (body, whole) => {
    if (!isRecord(body)) return NO_MEMBERS;
    const not = unwritable(whole ?? body);
    const isWritable = (name: string) => !not.has(name) && (isOpen || sent.has(name));
    const shown = otherwise(whole ?? body);
    const others = renamed(whole ?? body);
    const isPlain = others.length === 0;
    if (isPlain && Object.keys(body).every((name) => isWritable(name) && !shown.has(name))) return body;
    const members = Object.entries(body).map(([name, value]): [string, unknown] => {
      const member = shown.get(name);
      // What null does to a member depends on the request.
      return [name, member && value !== null ? asShown(member, value) : value];
    });
    const moved = others.flatMap(({ name, as, member }): [string, unknown][] =>
      Object.hasOwn(body, name) && body[name] !== null ? [[as, asShown(member, body[name])]] : [],
    );
    const own = members.filter(([name]) => isWritable(name));
    return Object.fromEntries([...own, ...moved].filter(([, value]) => value !== NOT_SHOWN));
  };
}

/** A member of requests with the one of the record that shows it. */
interface Renamed {
  readonly name: string;
  readonly as: string;
  readonly member: Shape;
}

function renames(names: ReadonlyMap<string, string>, { properties }: Shape): Renamed[] {
  return [...names].map(([name, as]) => ({ name, as, member: properties.get(as) as Shape }));
}

/** The files of a form that the record shows otherwise than by their bytes: by a URL, say. */
function unshownFiles(media: MediaType, record: Shape): string[] {
  return [...bodyFields(media)].flatMap(([name, { isFile }]) => {
    const shown = memberShape(record, name);
    return isFile && (shown?.items ?? shown)?.find('format')?.value !== 'binary' ? [name] : [];
  });
}

/** The members whose values the record may show in another form than requests have them, as the record describes them. */
function otherwiseShown(shapes: readonly Shape[], record: Shape): ReadonlyMap<string, Shape> {
  const sent = shapes.flatMap(formsOf).flatMap(({ properties }) => [...properties]);
  return new Map(
    [...record.properties].filter(([name, shown]) =>
      sent.some(([own, member]) => own === name && isOtherForm(member, shown)),
    ),
  );
}

/** Whether values of one schema need not be values of the other one by their types; bounds and patterns are no form. */
function isOtherForm(sent: Shape, shown: Shape): boolean {
  if (sent.spot.value === shown.spot.value) return false;
  if (sent.alternatives.length > 0 || shown.alternatives.length > 0) return true;
  if (!sent.types || !shown.types) return false;
  const isLike = (type: JsonType) =>
    type === 'null' || shown.types?.has(type) || isNumeric(type, shown.types);
  return [...sent.types].some((type) => !isLike(type) || type === 'object' || type === 'array');
}

/** An integer is a number, and a number may be one. */
function isNumeric(type: JsonType, types: ReadonlySet<JsonType> | undefined): boolean {
  return (
    types !== undefined &&
    (type === 'integer' || type === 'number') &&
    (types.has('integer') || types.has('number'))
  );
}

export const NO_MEMBERS: Members = {};

function mayBeObject({ mainType, alternatives }: Shape): boolean {
  return mainType === 'object' || mainType === undefined || alternatives.some(mayBeObject);
}
