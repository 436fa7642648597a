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

const FILE_SCHEMA = 'the JSON Schema of this file, for editors';
const TARGETS = 'running services by name: paddock check NAME';
const TARGET_URL = 'base URL of the service with its path prefix';

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
      $schema: { type: 'string', description: FILE_SCHEMA },
      targets: {
        description: TARGETS,
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
            description: TARGET_URL,
            type: 'string',
            pattern: BASE_URL,
          },
          ...(target.properties as JsonSchema),
        },
      },
    },
  };
}

/** Code cannot be in JSON. */
function schemasOf(members: Readonly<Record<string, Member>> = {}): JsonSchema {
  return Object.fromEntries(
    Object.entries(members).flatMap(([key, { schema, description }]) =>
      schema ? [[key, { description, ...schema }]] : [],
    ),
  );
}

/** @param isShared whether the defaults of several verbs may differ */
function objectOf(scope: Scope, isShared: boolean, more: JsonSchema = {}): JsonSchema {
  const plain = [...scope.settings].filter(([, [first]]) => !first?.isSecret);
  const contrary = [...excluding(scope)].map(([one, other]) => ({
    not: { type: 'object', required: [writtenKey(one), writtenKey(other)], ...switchesOf([one, other]) },
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

/** A disabled switch excludes nothing. */
function switchesOf(settings: readonly Setting[]): JsonSchema {
  const switches = settings.flatMap((setting) =>
    setting.form.type === 'switch' ? [[writtenKey(setting), { const: setting.form.says }]] : [],
  );
  return switches.length > 0 ? { properties: Object.fromEntries(switches) } : {};
}

/** The constraints for every verb that uses the option from here. */
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

function textSchema({ choices, orSwitch, orNumber, pattern, path }: Text): JsonSchema {
  if (choices) return { enum: [...choices, ...(orSwitch ? [true, false] : [])] };
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

/** The TypeScript types of a configuration file; members with code have their own types. */
export function configurationTypes(
  vocabulary: Vocabulary,
  descriptions: ReadonlyMap<string, string>,
): string {
  const schema = configurationSchema({ ...vocabulary, members: new Map() }, descriptions);
  const { target } = schema.definitions as { readonly target: SchemaPart };
  return `/** Built by \`node cli/generate.ts types\`, from the options of the command line. */

/** What a configuration file of any form may say. What is left out has its default. */
export interface PaddockOptions ${membersOf(schema)}

/** A running service by its name. */
export interface PaddockTarget ${membersOf(target)}
`;
}

/** The schema keywords from which types are made. */
interface SchemaPart {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaPart[];
  readonly allOf?: readonly SchemaPart[];
  readonly items?: SchemaPart;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly required?: readonly string[];
  readonly propertyNames?: SchemaPart;
  readonly additionalProperties?: SchemaPart | false;
}

function membersOf({ properties = {}, required = [] }: SchemaPart): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const [mark, more] = required.includes(name) ? ['', ''] : ['?', ' | undefined'];
    const about = schema.description?.replaceAll('*/', '*\\/');
    return `/** ${about} */\nreadonly ${name}${mark}: ${typeOf(schema)}${more};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

function typeOf(schema: SchemaPart): string {
  const { $ref, type = [], enum: values, anyOf, allOf, items, propertyNames, additionalProperties } = schema;
  if ($ref !== undefined) return 'PaddockTarget';
  if (schema.properties) return `${membersOf(schema)} | null`;
  if (values) return union(values.map((value) => (typeof value === 'string' ? `'${value}'` : typeof value)));
  if (anyOf) return anyOf.map(typeOf).join(' | ');
  if (allOf) {
    const [only = '', ...others] = new Set(allOf.map(typeOf));
    return others.length === 0 ? only : [only, ...others].map((one) => `(${one})`).join(' & ');
  }
  return union(
    [type].flat().map((one) => {
      if (one === 'array') return `readonly ${inParentheses(typeOf(items ?? {}))}[]`;
      if (one !== 'object') return one === 'integer' ? 'number' : one;
      const name = propertyNames?.enum && typeOf(propertyNames);
      const value = typeOf(additionalProperties || {});
      return `Readonly<${name ? `Partial<Record<${name}, ${value}>>` : `Record<string, ${value}>`}>`;
    }),
  );
}

const union = (types: readonly string[]) => [...new Set(types)].join(' | ');

const inParentheses = (type: string) => (type.includes(' ') ? `(${type})` : type);
