import { cell, code, heading } from './markdown.ts';

/** The parts of JSON Schema in this project's schemas. */
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
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/**
 * The page of a JSON Schema: a table of its members, and one for each definition.
 * @param file the path of the schema in the package
 */
export function schemaPage(title: string, file: string, text: string): string {
  const schema = JSON.parse(text) as Schema;
  const definitions = Object.entries(schema.$defs ?? schema.definitions ?? {});
  return [
    heading(1, title),
    schema.description ?? '',
    `Its JSON Schema is ${code(file)} of the package.`,
    heading(2, 'Members'),
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

/** The members of an object, each followed by those of an object in it. */
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
  return [names, format, patternOf(pattern), bounds(schema), mapOf(schema)].filter(Boolean).join(', ');
}

/** Longer patterns are omitted, since few readers understand them; the schema contains them. */
const LONGEST_PATTERN = 40;

function patternOf(pattern = ''): string {
  return pattern === '' || pattern.length > LONGEST_PATTERN ? '' : code(pattern);
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
