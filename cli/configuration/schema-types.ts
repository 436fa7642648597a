import type { JsonSchema } from './schema.ts';

/** The JSON Schema of a configuration file as TypeScript, for files in that language. */
export function schemaTypes(schema: JsonSchema): string {
  const { target } = schema.definitions as Readonly<Record<string, JsonSchema>>;
  return [
    '/** Built by `node cli/generate.ts types`, from the options of the command line. */',
    '',
    '/** What `paddock.config.ts` exports by default. What is left out has its default. */',
    `export interface PaddockConfig ${membersOf(schema, '')}`,
    '',
    '/** A running service by its name. */',
    `export interface PaddockTarget ${membersOf(target ?? {}, '')}`,
    '',
  ].join('\n');
}

function membersOf({ properties, required }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const names = (required ?? []) as readonly string[];
  const lines = Object.entries(properties as Readonly<Record<string, JsonSchema>>).flatMap(
    ([name, schema]) => {
      const type = typeOf(schema, inner);
      const { description } = schema;
      return [
        ...(typeof description === 'string'
          ? [`${inner}/** ${description.replaceAll('*/', '*\\/')} */`]
          : []),
        `${inner}readonly ${name}${names.includes(name) ? `: ${type}` : `?: ${type} | undefined`};`,
      ];
    },
  );
  return ['{', ...lines, `${indent}}`].join('\n');
}

function typeOf(schema: JsonSchema, indent: string): string {
  const { $ref, anyOf, allOf, enum: values, properties, type } = schema;
  if ($ref !== undefined) return 'PaddockTarget';
  if (anyOf) return oneOf((anyOf as readonly JsonSchema[]).map((one) => typeOf(one, indent)));
  if (values) return oneOf((values as readonly unknown[]).map((value) => literal(value)));
  const types = [type].flat() as readonly string[];
  if (!types.includes('object')) {
    const all = (allOf ?? []) as readonly JsonSchema[];
    // Limits that differ are no different types.
    const texts = new Set(all.map((one) => typeOf(one, indent)));
    if (texts.size > 0)
      return texts.size === 1 ? [...texts].join('') : [...texts].map(inBrackets).join(' & ');
    return oneOf(types.map((one) => plainType(one, schema)));
  }
  const text = properties ? membersOf(schema, indent) : recordOf(schema, indent);
  return oneOf([text, ...(types.includes('null') ? ['null'] : [])]);
}

function recordOf({ additionalProperties, propertyNames }: JsonSchema, indent: string): string {
  const { enum: names } = (propertyNames ?? {}) as { readonly enum?: readonly string[] };
  const type = typeOf(additionalProperties as JsonSchema, indent);
  if (!names) return `Readonly<Record<string, ${type}>>`;
  return `Readonly<Partial<Record<${oneOf(names.map(literal))}, ${type}>>>`;
}

function plainType(type: string, { items }: JsonSchema): string {
  if (type === 'array') return `readonly ${inBrackets(typeOf(items as JsonSchema, ''))}[]`;
  return type === 'integer' ? 'number' : type;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function inBrackets(type: string): string {
  return type.includes('|') ? `(${type})` : type;
}

function oneOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}
