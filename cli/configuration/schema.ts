import { BASE_URL, TARGET_NAME, VARIABLE_NAME } from './check-file.ts';
import { NO_PASSWORDS, pairPattern, SECRET_HEADERS, TOKEN } from './read-value.ts';
import {
  excluding,
  type Member,
  type Pairs,
  type Scope,
  type Setting,
  scopesOf,
  type Text,
  type Vocabulary,
  writtenKey,
} from './setting.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** JSON Schema (draft 7, which all editors support) of a configuration file, from the options of the verbs. */
export function configurationSchema(
  vocabulary: Vocabulary,
  descriptions: ReadonlyMap<string, string>,
): JsonSchema {
  const scopes = scopesOf(vocabulary);
  const verbs = [...scopes.verbs].map(([verb, scope]) => [
    verb,
    { description: descriptions.get(verb), ...objectOf(scope, false, schemasOf(scopes.members.get(verb))) },
  ]);
  const target = objectOf(scopes.target, true);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of Paddock',
    description: 'Options of all verbs. The command line wins over the environment, and that over this file.',
    ...objectOf(scopes.top, true, {
      $schema: { type: 'string', description: 'the JSON Schema of this file, for editors' },
      targets: {
        description: 'running services by name: paddock check NAME',
        type: ['object', 'null'],
        propertyNames: { pattern: TARGET_NAME },
        additionalProperties: { $ref: '#/definitions/target' },
      },
      ...Object.fromEntries(verbs),
    }),
    definitions: {
      target: {
        ...target,
        type: 'object',
        required: ['url'],
        properties: {
          url: {
            description: 'base URL of the service with its path prefix',
            type: 'string',
            pattern: BASE_URL,
          },
          ...(target.properties as JsonSchema),
        },
      },
    },
  };
}

/** Code has no form that JSON could have. */
function schemasOf(members: Readonly<Record<string, Member>> = {}): JsonSchema {
  return Object.fromEntries(
    Object.entries(members).flatMap(([key, { schema, description }]) =>
      schema ? [[key, { description, ...schema }]] : [],
    ),
  );
}

/** @param isShared the defaults of several verbs may differ */
function objectOf(scope: Scope, isShared: boolean, more: JsonSchema = {}): JsonSchema {
  const plain = [...scope.settings].filter(([, [first]]) => !first?.isSecret);
  const contrary = [...excluding(scope)].map(([one, other]) => ({
    not: { type: 'object', required: [writtenKey(one), writtenKey(other)], ...said([one, other]) },
  }));
  return {
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      ...more,
      ...Object.fromEntries(plain.map(([key, settings]) => [key, sharedSchema(settings, isShared)])),
      ...Object.fromEntries([...scope.variables].map(([key, secret]) => [key, variableSchema(secret)])),
    },
    ...(contrary.length > 0 ? { allOf: contrary } : {}),
  };
}

/** A switch that is off excludes nothing. */
function said(settings: readonly Setting[]): JsonSchema {
  const switches = settings.flatMap((setting) =>
    setting.form.type === 'switch' && setting.form.says !== undefined
      ? [[writtenKey(setting), { const: setting.form.says }]]
      : [],
  );
  return switches.length > 0 ? { properties: Object.fromEntries(switches) } : {};
}

/** What is valid for every verb that takes the option from here. */
function sharedSchema(settings: readonly Setting[], isShared: boolean): JsonSchema {
  const [first] = settings as readonly [Setting];
  const forms = new Map(settings.map((setting) => [JSON.stringify(schemaOf(setting)), schemaOf(setting)]));
  const usual = isShared || first.usual === undefined ? {} : { default: first.usual };
  const [only, ...others] = forms.values();
  const form = others.length > 0 ? { allOf: [...forms.values()] } : only;
  return { description: first.description, ...form, ...usual };
}

function variableSchema({ form, description, flags }: Setting): JsonSchema {
  const name = { type: 'string', pattern: VARIABLE_NAME };
  const held = `for ${flags.replace(/ .*/, '')}: ${description}`;
  if (form.type !== 'pairs')
    return { description: `the NAME of the environment variable that holds the secret ${held}`, ...name };
  return {
    description: `the NAMES of the environment variables that hold the secrets, by security scheme, ${held}`,
    type: 'object',
    propertyNames: { pattern: '^[^=]+$' },
    additionalProperties: name,
  };
}

function schemaOf({ form, isList }: Setting): JsonSchema {
  if (form.type === 'switch') return { type: 'boolean' };
  if (form.type === 'pairs') return pairsSchema(form);
  const item =
    form.type === 'whole' ? { type: 'integer', minimum: form.low, maximum: form.high } : textSchema(form);
  return isList ? { anyOf: [item, { type: 'array', items: item }] } : item;
}

function textSchema({ choices, orFalse, orSwitch, orNumber, pattern, path }: Text): JsonSchema {
  if (choices) return { enum: [...choices, ...(orFalse ? [false] : []), ...(orSwitch ? [true, false] : [])] };
  return {
    type: orNumber ? ['string', 'number'] : 'string',
    minLength: 1,
    ...orNumber,
    ...(pattern === undefined ? {} : { pattern }),
    ...(path === undefined ? {} : { pattern: NO_PASSWORDS }),
  };
}

function pairsSchema(form: Pairs): JsonSchema {
  const { between, names, path } = form;
  const anyCase = (name: string) => name.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  const secrets = `(?:${SECRET_HEADERS.map(anyCase).join('|')})`;
  const isHeader = between === ': ';
  const value = path
    ? { type: 'string', minLength: 1 }
    : { type: ['string', 'number', 'boolean'], ...(isHeader ? { pattern: '^[^\\r\\n]*$' } : {}) };
  const one = {
    type: 'string',
    pattern: path ? `^${names ? `(?:${names.join('|')})` : '[^=]+'}=[\\s\\S]` : pairPattern(form),
    ...(isHeader ? { not: { pattern: `^${secrets}:` } } : {}),
  };
  const name = names
    ? { enum: names }
    : isHeader
      ? { pattern: `^${TOKEN}$`, not: { pattern: `^${secrets}$` } }
      : { pattern: '^[^=]+$' };
  return {
    anyOf: [
      { type: 'object', propertyNames: name, additionalProperties: value },
      one,
      { type: 'array', items: one },
    ],
  };
}

/** The JSON Schema of a configuration file as TypeScript, for files in that language. */
export function schemaTypes(schema: JsonSchema, { members }: Pick<Vocabulary, 'members'>): string {
  const { target } = schema.definitions as Readonly<Record<string, JsonSchema>>;
  return [
    '/** Built by `node cli/generate.ts types`, from the options of the command line. */',
    '',
    '/** What a configuration file of any form may say. What is left out has its default. */',
    `export interface PaddockOptions ${membersOf(withoutMembers(schema, members), '')}`,
    '',
    '/** A running service by its name. */',
    `export interface PaddockTarget ${membersOf(target ?? {}, '')}`,
    '',
  ].join('\n');
}

/** They have types of their own. */
function withoutMembers(schema: JsonSchema, members: Vocabulary['members']): JsonSchema {
  const properties = Object.entries(schema.properties as Readonly<Record<string, JsonSchema>>).map(
    ([verb, one]) => {
      const own = members.get(verb);
      if (!own) return [verb, one];
      const others = Object.entries(one.properties as JsonSchema).filter(([key]) => !own[key]?.schema);
      return [verb, { ...one, properties: Object.fromEntries(others) }];
    },
  );
  return { ...schema, properties: Object.fromEntries(properties) };
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
