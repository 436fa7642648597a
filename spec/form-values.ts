import { byForm, compileDecoder, decodeDeepObject, decodeJson, decodeText } from './decode-parameter.ts';
import { child, children, flagAt, isVersion30, rawChild, recordAt, textAt } from './document/spot.ts';
import { stringifyJson } from './json/exact-json.ts';
import { oncePer } from './json/once-per.ts';
import { essenceOf, formatOf, isJsonType, isOctets, type MediaType, sentType } from './media-type.ts';
import { type Header, type Parameter, readHeader } from './parameter.ts';
import {
  isCompound,
  isExploded,
  isExplodedRecord,
  listForm,
  type Pair,
  percentDecode,
  percentEncode,
  queryPairs,
  queryTexts,
  recordForm,
  textOf,
} from './parameter-style.ts';
import { formsOf, Shape } from './schema/shape.ts';

/** A property of a form or of `multipart/form-data`, with its Encoding Object (OpenAPI 3.1 §4.8.15). */
export interface FormField {
  /** The equivalent query parameter, since a form is encoded like a query. */
  readonly parameter: Parameter;
  /** The notation of values other than texts. `plain`: by the style of the parameter. */
  readonly notation: 'plain' | 'json' | 'brackets';
  /** The media types of `encoding.contentType`; empty if it is missing. */
  readonly contentTypes: readonly string[];
  /** The headers of a part, without Content-Type. */
  readonly headers: readonly Header[];
  /** Whether the part has bytes and a file name. */
  readonly isFile: boolean;
  /** The notation differs between versions of OpenAPI, and between services. */
  readonly isUnclear: boolean;
}

const STYLES = new Set(['form', 'spaceDelimited', 'pipeDelimited', 'deepObject']);

/** The fields of a form body by name; empty for other formats. */
export const bodyFields = oncePer((media: MediaType): ReadonlyMap<string, FormField> => {
  const format = formatOf(sentType(media), media.shape);
  const isForm = format === 'form' || format === 'multipart';
  return isForm ? formFields(media, format === 'multipart') : new Map<string, FormField>();
});

/** The fields of a form by name, including those of alternatives. */
function formFields(media: MediaType, isMultipart: boolean): ReadonlyMap<string, FormField> {
  const members = media.shape ? membersOf(media.shape) : [];
  return new Map(members.map(([name, shape]) => [name, readField(media, name, shape, isMultipart)]));
}

/** A field that the schema does not name. */
function unnamedField(media: MediaType, isMultipart: boolean): FormField {
  const shape = media.shape?.additional ?? new Shape([{ ...media.spot, value: {} }]);
  return readField(media, '', shape, isMultipart);
}

function membersOf(shape: Shape): [string, Shape][] {
  return [...shape.alternatives.flatMap(membersOf), ...shape.properties];
}

function readField(media: MediaType, name: string, shape: Shape, isMultipart: boolean): FormField {
  const all = child(media.spot, 'encoding');
  const encoding = all && child(all, name);
  // OpenAPI 3.0 has styles only in application/x-www-form-urlencoded.
  const hasStyles = encoding && !(isMultipart && isVersion30(media.spot));
  const named = hasStyles ? textAt(encoding, 'style') : undefined;
  const style = named !== undefined && STYLES.has(named) ? named : undefined;
  const explode = hasStyles && rawChild(encoding, 'explode') ? flagAt(encoding, 'explode') : undefined;
  const isStyled = style !== undefined || explode !== undefined;
  const contentType = encoding && textAt(encoding, 'contentType');
  const contentTypes = isStyled || !contentType ? [] : contentType.split(',').map(essenceOf).filter(Boolean);
  const notation = notationOf(shape, style, isStyled, contentTypes);
  const parameter: Parameter = {
    name,
    in: 'query',
    required: false,
    style: notation === 'json' && !listForm(shape) ? 'json' : (style ?? 'form'),
    explode: explode ?? (style ?? 'form') === 'form',
    schema: shape.spot,
    shape,
    spot: encoding ?? shape.spot,
  };
  const isFile = isMultipart && !isStyled && isBinary(listForm(shape)?.items ?? shape, contentTypes);
  const described = isMultipart && encoding ? children(recordAt(encoding, 'headers')) : [];
  const headers = described
    .map(([key, spot]) => readHeader(key, spot))
    .filter((header) => header.name !== 'content-type');
  const isOpen = isUnclear(shape, style, isMultipart);
  return { parameter, notation, contentTypes, headers, isFile, isUnclear: isOpen };
}

function notationOf(
  shape: Shape,
  style: string | undefined,
  isStyled: boolean,
  contentTypes: readonly string[],
): FormField['notation'] {
  if (style === 'deepObject') return 'brackets';
  if (isStyled) return 'plain';
  const item = listForm(shape)?.items;
  if (contentTypes.length > 0) return contentTypes.every(isJsonType) ? 'json' : 'plain';
  const isNested = recordForm(shape) ?? (item && (recordForm(item) ?? listForm(item)));
  return isNested ? 'json' : 'plain';
}

/**
 * Objects in a form are JSON since OpenAPI 3.0.4, and had the style `form` before; many services expect brackets. No
 * version defines `deepObject` for arrays, or for nested objects.
 */
function isUnclear(shape: Shape, style: string | undefined, isMultipart: boolean): boolean {
  const item = listForm(shape)?.items;
  const isNested = recordForm(shape) !== undefined || (item !== undefined && recordForm(item) !== undefined);
  return style === undefined && isNested && !isMultipart;
}

/** `format: binary` (OpenAPI 3.0 §4.7.14.2), and since 3.1 just a media type, or no type at all (§4.8.14.1). */
function isBinary(shape: Shape, contentTypes: readonly string[]): boolean {
  if (isOctets(shape)) return true;
  if (shape.mainType !== undefined && shape.mainType !== 'string') return false;
  if (shape.find('contentEncoding')) return false;
  if (contentTypes.length > 0)
    return !contentTypes.every((type) => isJsonType(type) || type.startsWith('text/'));
  return shape.find('contentMediaType') !== undefined || (shape.mainType === undefined && isBare(shape));
}

/** Whether the schema is empty, which in OpenAPI 3.1 stands for bytes. */
function isBare(shape: Shape): boolean {
  return !isVersion30(shape.spot) && shape.values === undefined && shape.alternatives.length === 0;
}

/** Converts between the pairs of a form and its object. */
interface FormValues {
  /** The field with this name, else the one for undocumented names. */
  fieldOf(key: string): FormField;
  /** @param pairs with decoded names and percent-encoded texts, except those of files */
  decode(pairs: readonly Pair[]): Record<string, unknown>;
  /** Null and empty lists or objects have no pair. */
  encode(value: Readonly<Record<string, unknown>>): FormPair[];
}

/** A field as sent. */
interface FormPair {
  readonly field: FormField;
  readonly name: string;
  /** Percent-encoded, except for a file. */
  readonly text: string;
}

interface Compiled {
  readonly field: FormField;
  readonly decode: (texts: readonly string[]) => unknown;
}

const BRACKETS = /^([^[]+)(?:\[[^\]]*\])+$/;

/**
 * Compiles the schema and the Encoding Objects of a form (OpenAPI 3.1 §4.8.14.3). Besides the documented notation,
 * brackets are accepted for every field, since most clients write them: `a[b]=1`, `a[]=1`, `a[0][b]=1`.
 */
export function compileFormValues(media: MediaType, isMultipart: boolean): FormValues {
  const whole = compileFields(media, isMultipart);
  const { shape } = media;
  if (!shape || shape.alternatives.length === 0) return whole;
  // A field's type may differ between alternatives.
  const forms = new Map(
    formsOf(shape).map((form) => [form, compileFields({ ...media, shape: form }, isMultipart)] as const),
  );
  return {
    ...whole,
    decode: (pairs) => byForm(shape, (form) => (forms.get(form) ?? whole).decode(pairs)),
  };
}

function compileFields(media: MediaType, isMultipart: boolean): FormValues {
  const compile = (field: FormField): Compiled => ({ field, decode: compileDecoder(field.parameter) });
  const fields = new Map(
    [...formFields(media, isMultipart)].map(([name, field]) => [name, compile(field)] as const),
  );
  const unnamed = compile(unnamedField(media, isMultipart));
  const spread = [...fields.values()].filter(({ field }) => isSpread(field));
  const names = new Set(fields.keys());

  const headOf = (key: string) => (fields.has(key) ? key : (BRACKETS.exec(key)?.[1] ?? key));

  return {
    fieldOf: (key) => (fields.get(headOf(key)) ?? unnamed).field,
    decode(pairs) {
      const byName = Map.groupBy(pairs, ([key]) => headOf(key));
      const values: [string, unknown][] = [];
      for (const { field, decode } of spread) {
        const rest = [...byName].flatMap(([name, group]) => (names.has(name) ? [] : group));
        const texts = queryTexts(field.parameter, rest, names);
        if (texts.length === 0) continue;
        values.push([field.parameter.name, decode(texts)]);
        for (const text of texts) byName.delete(percentDecode(text.split('=', 1)[0] ?? ''));
      }
      for (const [name, group] of byName)
        values.push([name, decodeField(fields.get(name) ?? unnamed, name, group)]);
      return Object.fromEntries(values);
    },
    encode: (value) =>
      Object.entries(value).flatMap(([name, member]) => {
        if (member === undefined || member === null || isEmpty(member)) return [];
        const { field } = fields.get(name) ?? unnamed;
        return textsOf(field, name, member).map(([key, text]) => ({ field, name: key, text }));
      }),
  };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Whether the members of an object are separate fields of the form. */
function isSpread({ parameter, notation }: FormField): boolean {
  return notation === 'plain' && isExplodedRecord(parameter);
}

function decodeField(compiled: Compiled, name: string, pairs: readonly Pair[]): unknown {
  const value = decodeTexts(compiled, name, pairs);
  const items = listForm(compiled.field.parameter.shape)?.items;
  // Clients may also send an empty text for an empty list.
  const isEmptied = items && Array.isArray(value) && value.length === 1 && value[0] === '';
  return isEmptied && !formsOf(items).some((form) => form.allows('')) ? [] : value;
}

function decodeTexts({ field, decode }: Compiled, name: string, pairs: readonly Pair[]): unknown {
  const { parameter, notation, isFile } = field;
  const { shape } = parameter;
  // Clients that write forms encode the separators, too.
  const isJoined = isCompound(parameter) && (!isExploded(parameter) || listForm(shape)?.items?.items);
  const texts = pairs.map(([, text]) => (isJoined ? text.replaceAll(/%2C/gi, ',') : text));
  if (isFile) return oneOrAll(texts, shape);
  if (pairs.some(([key]) => key !== name)) {
    const nested = pairs.map(([key, text]) => `${key.slice(name.length)}=${text}`);
    return decodeDeepObject(shape, nested, decodeFormText);
  }
  if (texts.length === 1 && decodeFormText(percentDecode(texts[0] ?? ''), shape) === null) return null;
  if (notation === 'json') return decodeJsonTexts(texts, shape);
  if (texts.length === 1 || isCompound(parameter)) return decode(texts);
  return texts.map((text) => decode([text]));
}

/** Forms have no null; an empty text stands for it if the schema allows null and no text. */
function decodeFormText(text: string, shape: Shape | undefined): unknown {
  const isNull = text === '' && shape?.nullable === true && !shape.types?.has('string');
  return isNull ? null : decodeText(text, shape);
}

/** Each item of an array has its own text, but clients also send the whole array as one. */
function decodeJsonTexts(texts: readonly string[], shape: Shape): unknown {
  const values = texts.map((text) => decodeJson(percentDecode(text)));
  const items = listForm(shape)?.items;
  const [only] = values;
  const isWhole = values.length === 1 && Array.isArray(only) && (!items || !listForm(items));
  return isWhole ? only : oneOrAll(values, shape);
}

function oneOrAll(values: readonly unknown[], shape: Shape): unknown {
  return listForm(shape) || values.length > 1 ? values : values[0];
}

type KeyedText = readonly [key: string, text: string];

function textsOf({ parameter, notation, isFile }: FormField, name: string, value: unknown): KeyedText[] {
  if (isFile || notation === 'json')
    return [value]
      .flat()
      .map((item): KeyedText => [name, isFile ? textOf(item) : percentEncode(stringifyJson(item))]);
  if (notation === 'brackets') return [...bracketTexts(name, value)];
  return queryPairs({ ...parameter, name }, value).map(
    ([key, text]): KeyedText => [percentDecode(key), text],
  );
}

/** OpenAPI does not define lists in brackets; most libraries can read them with indices. */
function* bracketTexts(path: string, value: unknown): Generator<KeyedText> {
  if (typeof value !== 'object' || value === null) {
    if (value !== null) yield [path, percentEncode(textOf(value))];
    return;
  }
  for (const [name, member] of Object.entries(value)) yield* bracketTexts(`${path}[${name}]`, member);
}
