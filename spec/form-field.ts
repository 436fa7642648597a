import { formatOf, sentType } from './body-format.ts';
import { child, rawChild } from './document/spot.ts';
import { flagAt, textAt } from './document/typed-member.ts';
import { essenceOf, isJsonType, type MediaType } from './media-type.ts';
import type { Parameter } from './parameter.ts';
import { listForm, recordForm } from './parameter-style.ts';
import { isVersion30 } from './schema/references.ts';
import { Shape } from './schema/shape.ts';

/** A property of a form or of `multipart/form-data`, with what its Encoding Object says (OpenAPI 3.1 §4.8.15). */
export interface FormField {
  /** As a query parameter of the same style: a form is written as a query is. */
  readonly parameter: Parameter;
  /** How a value that is no text is written. `plain`: by the style of the parameter. */
  readonly notation: 'plain' | 'json' | 'brackets';
  /** The media types of `encoding.contentType`; empty where it does not say. */
  readonly contentTypes: readonly string[];
  /** A part of bytes, with a file name. */
  readonly isFile: boolean;
  /** The versions of OpenAPI differ in how it is written, and services do. */
  readonly isUnclear: boolean;
}

const STYLES = new Set(['form', 'spaceDelimited', 'pipeDelimited', 'deepObject']);

const FIELDS = new WeakMap<MediaType, ReadonlyMap<string, FormField>>();

/** The fields of a body that is a form, by name; none where it has another format. */
export function bodyFields(media: MediaType): ReadonlyMap<string, FormField> {
  const format = formatOf(sentType(media), media.shape);
  const known = FIELDS.get(media);
  if (known) return known;
  const isForm = format === 'form' || format === 'multipart';
  const fields = isForm ? formFields(media, format === 'multipart') : new Map<string, FormField>();
  FIELDS.set(media, fields);
  return fields;
}

/** The fields of a form by name; those that only an alternative of the schema has, too. */
export function formFields(media: MediaType, isMultipart: boolean): ReadonlyMap<string, FormField> {
  const members = media.shape ? membersOf(media.shape) : [];
  return new Map(members.map(([name, shape]) => [name, readField(media, name, shape, isMultipart)]));
}

/** A field that the schema does not name. */
export function unnamedField(media: MediaType, name: string, isMultipart: boolean): FormField {
  const shape = media.shape?.additional ?? new Shape([{ ...media.spot, value: {} }]);
  return readField(media, name, shape, isMultipart);
}

function membersOf(shape: Shape): [string, Shape][] {
  return [...shape.alternatives.flatMap(membersOf), ...shape.properties];
}

function readField(media: MediaType, name: string, shape: Shape, isMultipart: boolean): FormField {
  const all = child(media.spot, 'encoding');
  const encoding = all && child(all, name);
  // OpenAPI 3.0 has styles in application/x-www-form-urlencoded only.
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
  return { parameter, notation, contentTypes, isFile, isUnclear: isUnclear(shape, style, isMultipart) };
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
 * In a form an object is JSON since OpenAPI 3.0.4, and before that has the style `form`; many services want brackets. What
 * `deepObject` is for arrays, and for what is in objects, no version says.
 */
function isUnclear(shape: Shape, style: string | undefined, isMultipart: boolean): boolean {
  const item = listForm(shape)?.items;
  const isNested = recordForm(shape) !== undefined || (item !== undefined && recordForm(item) !== undefined);
  return style === undefined && isNested && !isMultipart;
}

/** `format: binary` (OpenAPI 3.0 §4.7.14.2), and since 3.1 a media type alone or no type at all (§4.8.14.1). */
function isBinary(shape: Shape, contentTypes: readonly string[]): boolean {
  if (shape.find('format')?.value === 'binary') return true;
  if (shape.mainType !== undefined && shape.mainType !== 'string') return false;
  if (shape.find('contentEncoding')) return false;
  if (contentTypes.length > 0)
    return !contentTypes.every((type) => isJsonType(type) || type.startsWith('text/'));
  return shape.find('contentMediaType') !== undefined || (shape.mainType === undefined && isBare(shape));
}

/** An empty schema, where OpenAPI 3.1 has bytes. */
function isBare(shape: Shape): boolean {
  return !isVersion30(shape.spot) && shape.values === undefined && shape.alternatives.length === 0;
}
