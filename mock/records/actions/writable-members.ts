import {
  attributesIn,
  bodyFields,
  type Contract,
  type Data,
  formatOf,
  formsOf,
  isRecord,
  type JsonType,
  type MediaType,
  memberShape,
  type Operation,
  roughlyFits,
  type Shape,
  sentType,
  shownNames,
} from '#spec';
import { onFirstCall } from '../../http/memoize.ts';
import { compileForms, keepsUnnamed, namedMembers, readOnlyMembers, setByService } from '../forms.ts';
import { compileNamesRecord, hasOneWay, withOldReadOnly } from '../one-way.ts';
import { asShown, NOT_SHOWN } from './as-shown.ts';

/**
 * Selects members of a body.
 * @param whole what the body makes of the record: its form has these members. Default: the body
 * @param old the record as it was. Default: there is none
 */
export type SelectMembers = (body: unknown, whole?: Data, old?: Data) => Data;

/**
 * Compiles selecting the members of a valid body that clients may write: those of the request's schema, without the
 * `readOnly` ones there, or in the record where the request's schema does not name them, at any depth. Undefined: the body
 * cannot be a record.
 */
export function compileWritableMembers(
  { body }: Operation,
  record: Shape,
  contract: Pick<Contract, 'resources'>,
): SelectMembers | undefined {
  const medias = (body?.content ?? []).filter((media) => formatOf(sentType(media), media.shape));
  const shapes = medias.flatMap(({ shape }) => (shape && mayBeObject(shape) ? shape : []));
  const compile = (of: Shape) => onFirstCall(() => compileSelection(medias, shapes, of, contract));
  const inside = attributesIn(record);
  // `{ "name": "Rex" }` for `{ "data": { "attributes": { "name": "Rex" } } }`.
  const isFlat = (shape: Shape) => !['attributes', 'data'].some((name) => memberShape(shape, name));
  if (inside && shapes.length > 0 && shapes.every(isFlat)) return withinAttributes(compile(inside));
  if (shapes.length > 0) return compile(record);
  // Text or bytes: the record describes them, but has no member for them.
  return medias.some(({ isJson }) => !isJson) ? () => NO_MEMBERS : undefined;
}

function withinAttributes(membersOf: SelectMembers): SelectMembers {
  const inside = (record: Data | undefined) => record?.attributes as Data | undefined;
  return (body, _whole, old) => {
    const attributes = membersOf(body, undefined, inside(old));
    return Object.keys(attributes).length > 0
      ? { attributes: { ...inside(old), ...attributes } }
      : NO_MEMBERS;
  };
}

function compileSelection(
  medias: readonly MediaType[],
  shapes: readonly Shape[],
  record: Shape,
  { resources }: Pick<Contract, 'resources'>,
): SelectMembers {
  const readOnly = [...shapes.flatMap(readOnlyMembers), ...setByService(record)];
  // A schema for requests that names the member takes precedence over the record's.
  const writable = new Set(
    shapes.flatMap(({ properties }) =>
      [...properties].flatMap(([name, shape]) => (shape.readOnly ? [] : name)),
    ),
  );
  const sent = new Map(shapes.flatMap((shape) => [...namedMembers(shape)]));
  const formOf = compileForms(record, (form) => ({
    unwritable: new Set([
      ...medias.flatMap((media) => unshownFiles(media, form)),
      ...readOnlyMembers(form).filter((name) => !writable.has(name)),
      ...readOnly,
    ]),
    otherwise: otherwiseShown(shapes, form),
    renamed: renames(shownNames(sent, form), form),
    partly: withReadOnly(sent, form),
    emptied: emptied(sent, form),
  }));
  const namesRecord = compileNamesRecord(resources);
  const isOpen = shapes.some(keepsUnnamed);
  return (body, whole, old) => {
    if (!isRecord(body)) return NO_MEMBERS;
    const { unwritable, otherwise, renamed, partly, emptied } = formOf(whole ?? body);
    const isWritable = (name: string) => !unwritable.has(name) && (isOpen || sent.has(name));
    const isEmptied = (name: string, value: unknown) => value === '' && emptied.has(name);
    const isPlain = ([name, value]: [string, unknown]) =>
      isWritable(name) && !otherwise.has(name) && !partly.has(name) && !isEmptied(name, value);
    if (renamed.length === 0 && Object.entries(body).every(isPlain)) return body;
    const written = (name: string) => {
      const described = partly.get(name);
      return described ? withOldReadOnly(described, body[name], old?.[name], namesRecord) : body[name];
    };
    const members = Object.keys(body).map((name): [string, unknown] => {
      const [member, value] = [otherwise.get(name), written(name)];
      // The method decides what a null does.
      return [
        name,
        isEmptied(name, value) ? null : member && value !== null ? asShown(member, value) : value,
      ];
    });
    const moved = renamed.flatMap(({ name, as, member }): [string, unknown][] =>
      Object.hasOwn(body, name) && body[name] !== null ? [[as, asShown(member, written(name))]] : [],
    );
    const writable = members.filter(([name]) => isWritable(name));
    return Object.fromEntries([...writable, ...moved].filter(([, value]) => value !== NOT_SHOWN));
  };
}

/** The members with `readOnly` members inside. */
function withReadOnly(
  sent: ReadonlyMap<string, Shape>,
  { properties }: Shape,
): ReadonlyMap<string, { sent: Shape | undefined; kept: Shape | undefined }> {
  const all = [...new Set([...sent.keys(), ...properties.keys()])].map((name) => {
    return [name, { sent: sent.get(name), kept: properties.get(name) }] as const;
  });
  return new Map(all.filter(([, one]) => hasOneWay(one.sent, 'readOnly') || hasOneWay(one.kept, 'readOnly')));
}

/**
 * The members for which requests list an empty text that the record does not allow: it removes the member, since forms
 * cannot send null.
 */
function emptied(sent: ReadonlyMap<string, Shape>, { properties }: Shape): ReadonlySet<string> {
  const names = [...sent].flatMap(([name, member]) => {
    const recordMember = properties.get(name);
    const isListed = formsOf(member).some(({ values }) => values?.includes(''));
    return isListed && !formsOf(recordMember ?? member).some((form) => roughlyFits(form, '')) ? [name] : [];
  });
  return new Set(names);
}

/** A member of requests, and the record's member that shows it. */
interface Renamed {
  readonly name: string;
  readonly as: string;
  readonly member: Shape;
}

function renames(names: ReadonlyMap<string, string>, { properties }: Shape): Renamed[] {
  return [...names].map(([name, as]) => ({ name, as, member: properties.get(as) as Shape }));
}

/** The uploaded files that the record does not show as bytes, but for example as a URL. */
function unshownFiles(media: MediaType, record: Shape): string[] {
  return [...bodyFields(media)].flatMap(([name, { isFile }]) => {
    const member = memberShape(record, name);
    return isFile && (member?.items ?? member)?.find('format')?.value !== 'binary' ? [name] : [];
  });
}

/** The members whose values have another form in the record than in requests, with the record's schema. */
function otherwiseShown(shapes: readonly Shape[], record: Shape): ReadonlyMap<string, Shape> {
  const sent = shapes.flatMap(formsOf).flatMap(({ properties }) => [...properties]);
  return new Map(
    [...record.properties].filter(([name, kept]) =>
      sent.some(([key, member]) => key === name && isOtherForm(member, kept)),
    ),
  );
}

/** Whether the types of two schemas differ; bounds and patterns do not matter. */
function isOtherForm(sent: Shape, kept: Shape): boolean {
  if (sent.spot.value === kept.spot.value) return false;
  if (sent.alternatives.length > 0 || kept.alternatives.length > 0) return true;
  if (!sent.types || !kept.types) return false;
  const isLike = (type: JsonType) => type === 'null' || kept.types?.has(type) || isNumeric(type, kept.types);
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

export const NO_MEMBERS: Data = {};

function mayBeObject({ mainType, alternatives }: Shape): boolean {
  return mainType === 'object' || mainType === undefined || alternatives.some(mayBeObject);
}
