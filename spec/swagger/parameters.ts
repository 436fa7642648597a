import { addWarning, rawChild, type Spot } from '../document/spot.ts';
import { describeValue, flagAt, textAt } from '../document/typed-member.ts';
import type { Origins } from './converted.ts';
import { convertSchema } from './schema.ts';

type Members = Record<string, unknown>;

/** The parameters of an operation, and the body that those `in: body` and `in: formData` make. */
export function convertParameters(
  spots: readonly Spot[],
  consumes: readonly string[],
  origins: Origins,
): { parameters: Members[]; requestBody?: Members } {
  // One of the operation stands after the path's of the same name and place, and overrides it.
  const byName = new Map(spots.map((spot) => [`${textAt(spot, 'in')} ${textAt(spot, 'name')}`, spot]));
  const own = [...byName.values()];
  const placed = (place: string) => own.filter((spot) => textAt(spot, 'in') === place);
  const [body, ...further] = placed('body');
  const fields = placed('formData');
  for (const spot of body ? [...further, ...fields] : [])
    addWarning(spot, 'an operation of Swagger 2.0 has one body, and no form beside it; this is ignored');
  const others = own.filter((spot) => !['body', 'formData'].includes(textAt(spot, 'in') ?? ''));
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

/** Members of a parameter that are none of its schema. */
const OUTSIDE = ['name', 'in', 'required', 'description', 'allowEmptyValue', 'collectionFormat'];

function convertParameter(spot: Spot): Members {
  const entries = Object.entries(spot.value as Members);
  const isOutside = ([key]: [string, unknown]) => OUTSIDE.includes(key) || key.startsWith('x-');
  const { collectionFormat, ...kept } = Object.fromEntries(entries.filter(isOutside));
  const schema = convertSchema(Object.fromEntries(entries.filter((entry) => !isOutside(entry))), spot);
  if (rawChild(spot, 'type')?.value !== 'array') return { ...kept, schema };
  return { ...kept, schema, ...styleOf(spot, collectionFormat, kept.in) };
}

/** Swagger 2.0 `collectionFormat`, `csv` if absent; OpenAPI 3.0 has no style for tabs, and others in a query only. */
function styleOf(spot: Spot, format: unknown, place: unknown): Members {
  const isQuery = place === 'query' || place === 'formData';
  if (isQuery && format === 'multi') return { style: 'form', explode: true };
  const styles: Members = { csv: 'form', ...(isQuery && { ssv: 'spaceDelimited', pipes: 'pipeDelimited' }) };
  const style = styles[String(format ?? 'csv')];
  if (style === undefined)
    addWarning(
      rawChild(spot, 'collectionFormat') as Spot,
      `OpenAPI 3.0 has no style for the collectionFormat ${describeValue(format)} here; it is read as csv`,
    );
  return isQuery ? { style: style ?? 'form', explode: false } : { explode: false };
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
  const given = consumes.filter((type) => FORMS.includes(type));
  const types = given.length > 0 ? given : [hasFile ? 'multipart/form-data' : FORMS[0]];
  const converted = fields.map((field) => {
    const { schema, style, explode } = convertParameter(field);
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
