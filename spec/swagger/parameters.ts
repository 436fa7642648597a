import { rawChild, type Spot } from '../document/spot.ts';
import { flagAt, textAt } from '../document/typed-member.ts';
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
  const [body] = placed('body');
  const fields = placed('formData');
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
  return { ...kept, schema, ...styleOf(collectionFormat, kept.in) };
}

/** Swagger 2.0 `collectionFormat`, `csv` if absent; OpenAPI 3.0 has no style for tabs. */
function styleOf(format: unknown, place: unknown): Members {
  if (place !== 'query') return { explode: false };
  if (format === 'multi') return { style: 'form', explode: true };
  const styles: Members = { ssv: 'spaceDelimited', pipes: 'pipeDelimited' };
  return { style: styles[String(format)] ?? 'form', explode: false };
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
  const properties = fields.map((field) => {
    const { schema } = convertParameter(field);
    origins.set(schema, field.path);
    return [textAt(field, 'name') ?? '', schema];
  });
  const required = fields.filter((field) => flagAt(field, 'required')).map((field) => textAt(field, 'name'));
  const schema = { type: 'object', properties: Object.fromEntries(properties), required };
  return {
    required: required.length > 0,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}
