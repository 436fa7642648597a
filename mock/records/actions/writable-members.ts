import {
  bodyFields,
  formatOf,
  isRecord,
  type JsonType,
  type MediaType,
  memberShape,
  type Operation,
  type Shape,
  sentType,
  type Validators,
} from '#spec';
import { onFirstCall } from '../../http/memoize.ts';
import { compileForms, formsOf, keepsUnnamed, namedMembers, readOnlyMembers } from '../forms.ts';

export type Members = Readonly<Record<string, unknown>>;

/**
 * Selects members of a body.
 * @param whole what the body makes of the record: its form has these members. Default: the body
 */
export type SelectMembers = (body: unknown, whole?: Members) => Members;

/**
 * Compiles the selection of the members of a valid body that a client may write: those that the request's schema names,
 * without those that are `readOnly` in the request or in the record. Undefined: the body cannot be a record.
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
  const unwritable = compileForms(
    record,
    validators,
    (form) =>
      new Set([
        ...medias.flatMap((media) => unshownFiles(media, form)),
        ...otherwiseShown(shapes, form),
        ...readOnlyMembers(form),
        ...readOnly,
      ]),
  );
  const named = new Set(shapes.flatMap((shape) => [...namedMembers(shape).keys()]));
  const isOpen = shapes.some(keepsUnnamed);
  return (body, whole) => {
    if (!isRecord(body)) return NO_MEMBERS;
    const not = unwritable(whole ?? body);
    const isWritable = (name: string) => !not.has(name) && (isOpen || named.has(name));
    if (Object.keys(body).every(isWritable)) return body;
    return Object.fromEntries(Object.entries(body).filter(([name]) => isWritable(name)));
  };
}

/** The files of a form that the record shows otherwise than by their bytes: by a URL, say. */
function unshownFiles(media: MediaType, record: Shape): string[] {
  return [...bodyFields(media)].flatMap(([name, { isFile }]) => {
    const shown = memberShape(record, name);
    return isFile && (shown?.items ?? shown)?.find('format')?.value !== 'binary' ? [name] : [];
  });
}

/** Members of another type than the record has: what a service makes of them is not documented. */
function otherwiseShown(shapes: readonly Shape[], record: Shape): string[] {
  const sent = shapes.flatMap(formsOf).flatMap(({ properties }) => [...properties]);
  return [...record.properties].flatMap(([name, { types: shown }]) => {
    const forms = sent.filter(([own]) => own === name);
    const isLike = ([, { types }]: (typeof forms)[number]) =>
      !types || !shown || [...types].some((type) => shown.has(type) || isNumeric(type, shown));
    return forms.length === 0 || forms.some(isLike) ? [] : [name];
  });
}

/** An integer is a number, and a number may be one. */
function isNumeric(type: JsonType, types: ReadonlySet<JsonType>): boolean {
  return (type === 'integer' || type === 'number') && (types.has('integer') || types.has('number'));
}

const NO_MEMBERS = {};

function mayBeObject({ mainType, alternatives }: Shape): boolean {
  return mainType === 'object' || mainType === undefined || alternatives.some(mayBeObject);
}
