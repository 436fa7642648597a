import { cell, code, heading } from './markdown.ts';

/** The parts of JSON Schema that the report's schema uses. */
interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly $ref?: string;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** The page of the JSON report: a table for the report, and one for each definition of its schema. */
export function reportPage(text: string): string {
  const schema = JSON.parse(text) as Schema;
  const definitions = Object.entries(schema.$defs ?? {});
  return [
    heading(1, 'The JSON report'),
    schema.description ?? '',
    'Its JSON Schema is `contract-tests/report/report.schema.json` of the package.',
    heading(2, 'Report'),
    members(schema),
    ...definitions.flatMap(([name, definition]) => [
      heading(2, code(name), anchor(name)),
      definition.description ?? '',
      members(definition),
    ]),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function anchor(name: string): string {
  return `def-${name.toLowerCase()}`;
}

function members(schema: Schema): string {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return form(schema);
  return ['| member | presence | form | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** The members of an object, and below each those of an object in it. */
function rowsOf({ properties = {}, required = [] }: Schema, prefix: string): string[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const presence = required.includes(name) ? 'required' : 'optional';
    const path = `${prefix}${name}`;
    const meaning = cell(member.description ?? '');
    const row = `| ${code(path)} | ${presence} | ${cell(form(member))} | ${meaning} |`;
    const inner = member.items?.properties ? { schema: member.items, at: `${path}[].` } : undefined;
    return [row, ...rowsOf(inner?.schema ?? member, inner?.at ?? `${path}.`)];
  });
}

function form(schema: Schema): string {
  const { $ref, enum: values, const: only, oneOf, anyOf, type, items, format, pattern } = schema;
  if ($ref) {
    const name = $ref.split('/').at(-1) ?? '';
    return `[${code(name)}](#${anchor(name)})`;
  }
  if (only !== undefined) return code(JSON.stringify(only));
  if (values) return values.map((value) => code(JSON.stringify(value))).join(', ');
  const choices = oneOf ?? anyOf;
  if (choices) return choices.map(form).join(' or ');
  if (type === 'array') return `array of ${items ? form(items) : 'values'}`;
  const names = Array.isArray(type) ? type.join(' or ') : (type ?? 'any value');
  return [names, format, pattern && code(pattern), bounds(schema), mapOf(schema)].filter(Boolean).join(', ');
}

function bounds({ minimum, maximum }: Schema): string {
  return [
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function mapOf({ additionalProperties }: Schema): string {
  return typeof additionalProperties === 'object' ? `by name: ${form(additionalProperties)}` : '';
}
