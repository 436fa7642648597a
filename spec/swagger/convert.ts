import type { SourceFile } from '../document/source-file.ts';
import {
  addWarning,
  child,
  children,
  type Document,
  describeValue,
  flagAt,
  isReference,
  listAt,
  rawChild,
  type Spot,
  textAt,
} from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';

type Members = Record<string, unknown>;

/** The paths in the original document of the objects of the converted one. */
type Origins = Map<unknown, readonly string[]>;

/**
 * Converts a Swagger 2.0 document to OpenAPI 3.0. Schemas stay under `definitions`, so that references to them have the
 * same target; parameters and responses are inlined. Published converters lose source positions, and integers above
 * 2^53.
 */
export function convertSwagger(document: Document): Document {
  const { root } = document;
  addWarning(rawChild(root, 'swagger') as Spot, 'this is Swagger 2.0, which is read as OpenAPI 3.0');
  const origins: Origins = new Map();
  const value: Members = {
    ...(root.value as Members),
    openapi: '3.0.4',
    servers: serversOf(root),
    paths: recordOf(child(root, 'paths'), (item) => convertPath(item, root, origins)),
    definitions: recordOf(rawChild(root, 'definitions'), (schema) => convertSchema(schema.value, schema)),
    components: { securitySchemes: recordOf(child(root, 'securityDefinitions'), convertScheme) },
  };
  for (const key of ['swagger', 'host', 'basePath', 'schemes']) delete value[key];
  origins.set((value.components as Members).securitySchemes, ['securityDefinitions']);
  origins.set(value.servers, [rawChild(root, 'host') ? 'host' : 'basePath']);
  return document.withFiles(new Map([[root.file, convertedFile(root.file, deepFreeze(value), origins)]]));
}

/** A file with a converted value, each part of which keeps its source position. */
function convertedFile(file: SourceFile, value: unknown, origins: Origins): SourceFile {
  function originOf(path: readonly string[]): readonly string[] {
    let here = value;
    let origin: readonly string[] = [];
    for (const step of path) {
      here = typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[step] : undefined;
      origin = origins.get(here) ?? [...origin, step];
    }
    return origin;
  }

  return {
    ...file,
    value,
    written: file,
    positionOf: (path) => file.positionOf(originOf(path)),
    problemAt: (path, message) => file.problemAt(originOf(path), message),
  };
}

function recordOf(map: Spot | undefined, convert: (member: Spot) => unknown): unknown {
  if (!isRecord(map?.value)) return map?.value;
  return Object.fromEntries(
    children(map).map(([key, member]) => [key, isRecord(member.value) ? convert(member) : member.value]),
  );
}

function serversOf(root: Spot): Members[] {
  const [host, basePath = ''] = [textAt(root, 'host'), textAt(root, 'basePath')];
  if (host === undefined) return basePath === '' ? [] : [{ url: basePath }];
  const schemes = listAt(root, 'schemes').map(({ value }) => String(value));
  return (schemes.length > 0 ? schemes : ['https']).map((scheme) => ({
    url: `${scheme}://${host}${basePath}`,
  }));
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

function convertPath(item: Spot, root: Spot, origins: Origins): Members {
  const shared = listAt(item, 'parameters');
  const operations = METHODS.flatMap((method) => {
    const operation = child(item, method);
    if (!operation) return [];
    const isUsable = isRecord(operation.value);
    return [[method, isUsable ? convertOperation(operation, shared, root, origins) : operation.value]];
  });
  const extensions = Object.entries(item.value as Members).filter(([key]) => key.startsWith('x-'));
  return Object.fromEntries([...extensions, ...operations]);
}

function convertOperation(operation: Spot, shared: readonly Spot[], root: Spot, origins: Origins): Members {
  const typesIn = (key: string) => {
    const owner = rawChild(operation, key) ? operation : root;
    return listAt(owner, key).map(({ value }) => String(value));
  };
  const produces = typesIn('produces');
  const { consumes, produces: _, ...kept } = operation.value as Members;
  const responses = child(operation, 'responses');
  return {
    ...kept,
    ...convertParameters([...shared, ...listAt(operation, 'parameters')], typesIn('consumes'), origins),
    ...(responses && { responses: recordOf(responses, (each) => convertResponse(each, produces, origins)) }),
  };
}

/** The parameters of an operation, and the body from those with `in: body` and `in: formData`. */
function convertParameters(
  spots: readonly Spot[],
  consumes: readonly string[],
  origins: Origins,
): { parameters: Members[]; requestBody?: Members } {
  // The operation's parameters are last, so they override those of the path with the same name and place.
  const byName = new Map(spots.map((spot) => [`${textAt(spot, 'in')} ${textAt(spot, 'name')}`, spot]));
  const parameterSpots = [...byName.values()];
  const placed = (place: string) => parameterSpots.filter((spot) => textAt(spot, 'in') === place);
  const [body, ...further] = placed('body');
  const fields = placed('formData');
  for (const spot of body ? [...further, ...fields] : [])
    addWarning(spot, 'an operation of Swagger 2.0 has one body, and no form beside it; this is ignored');
  const others = parameterSpots.filter((spot) => !['body', 'formData'].includes(textAt(spot, 'in') ?? ''));
  const parameters = others.map((spot) => {
    const parameter = convertParameter(spot);
    origins.set(parameter, spot.path);
    return parameter;
  });
  if (!body && fields.length === 0) return { parameters };
  const requestBody = body ? bodyOf(body, consumes, origins) : formOf(fields, consumes, origins);
  origins.set(requestBody, (body ?? (fields[0] as Spot)).path);
  return { parameters, requestBody };
}

/** Members of a parameter that do not belong to its schema. */
const OUTSIDE = ['name', 'in', 'required', 'description', 'allowEmptyValue', 'collectionFormat'];

function convertParameter(spot: Spot): Members {
  const entries = Object.entries(spot.value as Members);
  const isOutside = ([key]: [string, unknown]) => OUTSIDE.includes(key) || key.startsWith('x-');
  const { collectionFormat, ...kept } = Object.fromEntries(entries.filter(isOutside));
  const schema = convertSchema(Object.fromEntries(entries.filter((entry) => !isOutside(entry))), spot);
  if (!isRecord(schema) || schema.type !== 'array') return { ...kept, schema };
  return { ...kept, ...styleOf(spot, withFormats(schema), collectionFormat, kept.in) };
}

/** Nested lists have a `collectionFormat` of their own (default `csv`); it stays in their schema. */
function withFormats(schema: Members): Members {
  const { items } = schema;
  if (!isRecord(items) || items.type !== 'array') return schema;
  return { ...schema, items: withFormats({ collectionFormat: 'csv', ...items }) };
}

/**
 * Swagger 2.0 `collectionFormat` (default `csv`) as a style. OpenAPI 3.0 has none for tabs, and others only in a query;
 * otherwise it stays in the schema.
 */
function styleOf(spot: Spot, schema: Members, format: unknown = 'csv', place: unknown): Members {
  const isQuery = place === 'query' || place === 'formData';
  if (isQuery && format === 'multi') return { schema, style: 'form', explode: true };
  if (!['csv', 'ssv', 'tsv', 'pipes'].includes(String(format)))
    addWarning(
      rawChild(spot, 'collectionFormat') as Spot,
      `the collectionFormat ${describeValue(format)} is none here; it is read as csv`,
    );
  const styles: Members = { csv: 'form', ssv: 'spaceDelimited', pipes: 'pipeDelimited' };
  const style = isQuery ? styles[String(format)] : undefined;
  return {
    schema: style === undefined ? { collectionFormat: format, ...schema } : schema,
    ...(isQuery && { style: style ?? 'form' }),
    explode: false,
  };
}

function bodyOf(body: Spot, consumes: readonly string[], origins: Origins): Members {
  const schema = convertSchema(rawChild(body, 'schema')?.value ?? {}, body);
  origins.set(schema, [...body.path, 'schema']);
  const types = consumes.length > 0 ? consumes : ['application/json'];
  return {
    required: flagAt(body, 'required'),
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

function formOf(fields: readonly Spot[], consumes: readonly string[], origins: Origins): Members {
  const hasFile = fields.some((field) => textAt(field, 'type') === 'file');
  const formTypes = consumes.filter((type) => FORMS.includes(type));
  const types = formTypes.length > 0 ? formTypes : [hasFile ? 'multipart/form-data' : FORMS[0]];
  const converted = fields.map((field) => {
    const { schema: fieldSchema, style, explode, allowEmptyValue } = convertParameter(field);
    const schema = allowEmptyValue === true ? { anyOf: [fieldSchema, { enum: [''] }] } : fieldSchema;
    origins.set(schema, field.path);
    return { name: textAt(field, 'name') ?? '', schema, encoding: style && { style, explode } };
  });
  const properties = converted.map(({ name, schema }) => [name, schema]);
  const encodings = converted.flatMap(({ name, encoding }) => (encoding ? [[name, encoding]] : []));
  const encoding = encodings.length > 0 && { encoding: Object.fromEntries(encodings) };
  const required = fields.filter((field) => flagAt(field, 'required')).map((field) => textAt(field, 'name'));
  const schema = { type: 'object', properties: Object.fromEntries(properties), required };
  return {
    required: required.length > 0,
    content: Object.fromEntries(types.map((type) => [type, { schema, ...encoding }])),
  };
}

function convertResponse(response: Spot, produces: readonly string[], origins: Origins): Members {
  const { schema, examples, headers, ...kept } = response.value as Members;
  const samples = isRecord(examples) ? examples : {};
  const types = produces.length > 0 ? produces : ['application/json'];
  const content = [...new Set([...(schema === undefined ? [] : types), ...Object.keys(samples)])].map(
    (type) => {
      const media = {
        ...(schema !== undefined && { schema: convertSchema(schema, response) }),
        ...(Object.hasOwn(samples, type) && { example: samples[type] }),
      };
      origins.set(media, response.path).set(media.schema, [...response.path, 'schema']);
      return [type, media];
    },
  );
  return {
    ...kept,
    ...(content.length > 0 && { content: Object.fromEntries(content) }),
    headers:
      recordOf(child(response, 'headers'), (header) => ({
        schema: withFormats(convertSchema(header.value, header) as Members),
      })) ?? {},
  };
}

function convertScheme({ value }: Spot): unknown {
  return (value as Members).type === 'basic'
    ? { ...(value as Members), type: 'http', scheme: 'basic' }
    : value;
}

/**
 * Converts a Schema Object of Swagger 2.0 (or the equivalent in a parameter, a header or their items) to OpenAPI 3.0.
 * @param owner the part that contains it; in another file, references get the URL of that file
 */
function convertSchema(schema: unknown, owner: Spot): unknown {
  if (!isRecord(schema)) return schema;
  if (isReference(schema)) return { ...schema, $ref: absolute(schema.$ref, owner) };
  const convert = (inner: unknown) => convertSchema(inner, owner);
  // In Swagger 2.0 it names a property, and without `oneOf`, which that version lacks, it has no effect.
  const { discriminator, ...kept } = schema;
  if (owner.value === schema && typeof discriminator === 'string')
    addWarning(
      rawChild(owner, 'discriminator') as Spot,
      `the discriminator "${discriminator}" of Swagger 2.0 is not enforced`,
    );
  if (kept.type === 'file') Object.assign(kept, { type: 'string', format: 'binary' });
  if (kept['x-nullable'] === true) kept.nullable = true;
  if (isRecord(kept.properties)) kept.properties = mapped(kept.properties, convert);
  for (const key of ['items', 'additionalProperties']) if (key in kept) kept[key] = convert(kept[key]);
  if (Array.isArray(kept.allOf)) kept.allOf = kept.allOf.map(convert);
  return kept;
}

function mapped(schemas: Record<string, unknown>, convert: (schema: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, convert(schema)]));
}

/** Converted parts become parts of the first file. */
function absolute(ref: string, { document, file }: Spot): string {
  if (file === document.root.file) return ref;
  const [url] = [...document.files].find(([, each]) => each === file) ?? [];
  return URL.parse(ref, url)?.href ?? ref;
}

function deepFreeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
