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
} from '#spec';
import { onFirstCall } from '../../exchange/on-first-call.ts';
import { keepsUnnamed, namedMembers, readOnlyMembers } from '../members.ts';

export type Members = Readonly<Record<string, unknown>>;

/**
 * Compiles the selection of the members of a valid body that a client may write: those that the request's schema names,
 * without those that are `readOnly` in the request or in the record. Undefined: the body cannot be a record.
 */
export function compileWritableMembers(
  { body }: Operation,
  record: Shape,
): ((body: unknown) => Members) | undefined {
  const medias = (body?.content ?? []).filter((media) => formatOf(sentType(media), media.shape));
  const shapes = medias.flatMap(({ shape }) => (shape && mayBeObject(shape) ? shape : []));
  if (shapes.length > 0) return onFirstCall(() => compileSelection(medias, shapes, record));
  // A text, or bytes: the record is about them, and has no member for them.
  return medias.some(({ isJson }) => !isJson) ? () => NO_MEMBERS : undefined;
}

function compileSelection(
  medias: readonly MediaType[],
  shapes: readonly Shape[],
  record: Shape,
): (body: unknown) => Members {
  const unshown = new Set([
    ...medias.flatMap((media) => unshownFiles(media, record)),
    ...shapes.flatMap((shape) => otherwiseShown(shape, record)),
  ]);
  const readOnly = new Set([record, ...shapes].flatMap(readOnlyMembers));
  const named = new Set(shapes.flatMap((shape) => [...namedMembers(shape).keys()]));
  const isOpen = shapes.some(keepsUnnamed);
  const isWritable = (name: string) =>
    !readOnly.has(name) && !unshown.has(name) && (isOpen || named.has(name));
  return (body) => {
    if (!isRecord(body)) return NO_MEMBERS;
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
function otherwiseShown(shape: Shape, record: Shape): string[] {
  return [...namedMembers(shape)].flatMap(([name, { types: sent }]) => {
    const shown = memberShape(record, name)?.types;
    const isLike = !sent || !shown || [...sent].some((type) => shown.has(type) || isNumeric(type, shown));
    return isLike ? [] : [name];
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
