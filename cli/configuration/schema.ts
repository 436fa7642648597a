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
    setting.form.type === 'switch' ? [[writtenKey(setting), { const: setting.form.says }]] : [],
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

/** The types of a configuration file as TypeScript, for files in that language; members that are code have types of their own. */
export function configurationTypes(
  vocabulary: Vocabulary,
  descriptions: ReadonlyMap<string, string>,
): string {
  const scopes = scopesOf(vocabulary);
  const verbs = [...scopes.verbs].map(([verb, scope]) =>
    memberType(verb, `{\n${membersOf(scope)}\n} | null`, descriptions.get(verb)),
  );
  const targets = memberType('targets', 'Readonly<Record<string, PaddockTarget>> | null', TARGETS);
  return `/** Built by \`node cli/generate.ts types\`, from the options of the command line. */

/** What a configuration file of any form may say. What is left out has its default. */
export interface PaddockOptions {
${[memberType('$schema', 'string', FILE_SCHEMA), targets, ...verbs, membersOf(scopes.top)].join('\n')}
}

/** A running service by its name. */
export interface PaddockTarget {
/** ${TARGET_URL} */
readonly url: string;
${membersOf(scopes.target)}
}
`;
}

function membersOf({ settings, variables }: Scope): string {
  const plain = [...settings].filter(([, [first]]) => !first?.isSecret);
  return [
    ...plain.map(([key, all]) => memberType(key, typeOfAll(all), all[0]?.description)),
    ...[...variables].map(([key, secret]) => {
      const type = secret.form.type === 'pairs' ? 'Readonly<Record<string, string>>' : 'string';
      return memberType(key, type, String(variableSchema(secret).description));
    }),
  ].join('\n');
}

function memberType(name: string, type: string, description = ''): string {
  return `/** ${description.replaceAll('*/', '*\\/')} */\nreadonly ${name}?: ${type} | undefined;`;
}

/** What is valid for every verb that takes the option from here. */
function typeOfAll(settings: readonly Setting[]): string {
  const types = [...new Set(settings.map(typeOf))];
  return types.length === 1 ? types.join() : types.map((type) => `(${type})`).join(' & ');
}

function typeOf({ form, isList }: Setting): string {
  if (form.type === 'switch') return 'boolean';
  if (form.type === 'pairs') {
    const value = form.path ? 'string' : 'string | number | boolean';
    const record = form.names
      ? `Partial<Record<${literals(form.names)}, ${value}>>`
      : `Record<string, ${value}>`;
    return `Readonly<${record}> | string | readonly string[]`;
  }
  const item = form.type === 'whole' ? 'number' : typeOfText(form);
  return isList ? `${item} | readonly ${item.includes(' ') ? `(${item})` : item}[]` : item;
}

function typeOfText({ choices, orSwitch, orNumber }: Text): string {
  if (!choices) return orNumber ? 'string | number' : 'string';
  return literals(choices) + (orSwitch ? ' | boolean' : '');
}

function literals(texts: readonly string[]): string {
  return texts.map((text) => `'${text}'`).join(' | ');
}
