import { readFileSync, writeFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { commentBefore } from '../site/reference/declarations.ts';

/** The files with the types of a report. */
const SOURCES = [
  'report/report',
  'report/reported-finding',
  'report/cause',
  'report/verdict',
  'report/source-lines',
  'cases/plan',
  'cases/case',
  'run/coverage',
  'run/recording',
  'run/ledger',
  'laws/finding',
  'laws/evidence',
];

type Schema = Readonly<Record<string, unknown>>;

/**
 * Constraints that the types do not express, by member name, or `Type.member` for a single type. A number is a count by
 * default.
 */
const CONSTRAINTS: Readonly<Record<string, Schema>> = {
  exitCode: { enum: [0, 1, 3, 4, 130, 143] },
  startedAt: { format: 'date-time' },
  knownUntil: { format: 'date' },
  digest: { pattern: '^sha256:[0-9a-f]{64}$' },
  law: { description: 'The promise that is broken, by its short name.', pattern: '^[a-z]+(-[a-z]+)*$' },
  operationId: { description: "The document's operationId, or method and path where it has none." },
  caseId: { description: 'Stable from run to run; --only takes it.' },
  status: { minimum: 100, maximum: 599 },
  ...Object.fromEntries(
    ['line', 'column', 'times', 'Shard.number', 'Shard.of'].map((name) => [name, { minimum: 1 }]),
  ),
  ...Object.fromEntries(['p50', 'p95', 'max'].map((name) => [name, { type: 'number' }])),
};

/** Types from other rooms. */
const KNOWN: Readonly<Record<string, Schema>> = {
  LawName: { type: 'string' },
  ParameterPlace: { enum: ['path', 'query', 'header', 'cookie'] },
  Record: { type: 'object' },
  // Not part of any JSON report.
  ReportedExchanges: {},
};

/** The JSON Schema (2020-12) of the JSON report, generated from the types of a report and their comments. */
export function reportSchema(): Schema {
  const declared = new Map<string, Declared>();
  for (const source of SOURCES) {
    const text = readFileSync(new URL(`../../contract-tests/${source}.ts`, import.meta.url), 'utf8');
    for (const statement of parseAst(text, { lang: 'ts' }).body) {
      const node = (
        'declaration' in statement && statement.declaration ? statement.declaration : statement
      ) as Node;
      if (/^TS(?:Interface|TypeAlias)Declaration$/.test(node.type))
        declared.set((node.id as { name: string }).name, { node, text, start: statement.start });
    }
  }
  const used = new Map<string, Schema>();

  function named(name: string): Schema {
    const schema = KNOWN[name];
    if (schema) return schema;
    const { node, text, start } = declared.get(name) ?? fail(`no type ${name} in ${SOURCES.join(', ')}`);
    if (node.type === 'TSTypeAliasDeclaration') return schemaOf(node.typeAnnotation as Node, text, name);
    const key = name[0]?.toLowerCase() + name.slice(1).replace(/^eported/, '');
    if (!used.has(key)) {
      used.set(key, {});
      used.set(key, { ...proseAt(text, start), ...objectOf((node.body as Node).body as Node[], text, name) });
    }
    return { $ref: `#/$defs/${key}` };
  }

  function objectOf(members: readonly Node[], text: string, owner: string): Schema {
    const all = members.map((member) => {
      const type = (member.typeAnnotation as { typeAnnotation: Node }).typeAnnotation;
      const name = (member.key as { name: string }).name;
      const isOptional = Boolean(member.optional) || type.type === 'TSUnknownKeyword' || isOrUndefined(type);
      return {
        name,
        isOptional,
        schema: memberOf(schemaOf(type, text, owner), name, owner, proseAt(text, member.start)),
      };
    });
    return {
      type: 'object',
      additionalProperties: false,
      required: all.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
      properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
    };
  }

  function schemaOf(node: Node, text: string, owner: string): Schema {
    const inner = () => schemaOf(node.typeAnnotation as Node, text, owner);
    switch (node.type) {
      case 'TSStringKeyword':
        return { type: 'string' };
      case 'TSBooleanKeyword':
        return { type: 'boolean' };
      case 'TSNumberKeyword':
        return { type: 'integer', minimum: 0 };
      case 'TSUnknownKeyword':
        return {};
      case 'TSLiteralType':
        return { enum: [(node.literal as { value: unknown }).value] };
      case 'TSTypeOperator':
        return inner();
      case 'TSArrayType':
        return { type: 'array', items: schemaOf(node.elementType as Node, text, owner) };
      case 'TSTypeLiteral':
        return objectOf(node.members as Node[], text, owner);
      case 'TSUnionType':
        return joined((node.types as Node[]).filter(isDefined).map((type) => schemaOf(type, text, owner)));
      case 'TSTypeReference': {
        const { name } = node.typeName as { name: string };
        const args = ((node.typeArguments as { params?: Node[] } | null)?.params ?? []) as Node[];
        if (name === 'Readonly') return schemaOf(args[0] as Node, text, owner);
        if (name !== 'Exclude') return named(name);
        const [all, less] = args.map((one) => schemaOf(one, text, owner).enum as unknown[]);
        return { enum: all?.filter((value) => !less?.includes(value)) };
      }
      default:
        return fail(`${owner}: ${text.slice(node.start, node.end)} must be a named type`);
    }
  }

  named('Report');
  const root = used.get('report') as { properties: Record<string, unknown> };
  used.delete('report');
  const { exchanges: _, ...properties } = root.properties;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Report of a contract check',
    ...root,
    properties,
    $defs: Object.fromEntries(used),
  };
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
}

interface Declared {
  readonly node: Node;
  readonly text: string;
  readonly start: number;
}

const isDefined = ({ type }: Node) => type !== 'TSUndefinedKeyword';
const isOrUndefined = ({ types = [] }: Node) => (types as Node[]).some((type) => !isDefined(type));

/** Combines literals into one enumeration. */
function joined(all: readonly Schema[]): Schema {
  const [first] = all;
  if (first && all.length === 1) return first;
  return { enum: all.flatMap((one) => one.enum ?? fail('only literals may be alternatives')) };
}

function memberOf(schema: Schema, name: string, owner: string, prose: Schema): Schema {
  const { minimum, ...rest } = schema;
  const isPlain = !['array', 'object'].includes(String(schema.type));
  const limits = CONSTRAINTS[`${owner}.${name}`] ?? (isPlain ? CONSTRAINTS[name] : undefined) ?? {};
  const isListed = 'enum' in limits ? {} : rest;
  return {
    ...isListed,
    ...(minimum !== undefined && !('enum' in limits) && { minimum }),
    ...limits,
    ...prose,
  };
}

/** The comment before a declaration, as one line. */
function proseAt(text: string, start: number): Schema {
  const comment = commentBefore(text, start)
    .replace(/^\/\*\*|\*\/$|^ *\* ?/gm, ' ')
    .replace(/@\w+.*$/s, '')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
  return comment === '' ? {} : { description: comment };
}

function fail(message: string): never {
  throw new Error(message);
}

/** Part of `npm run generate`. */
if (import.meta.main)
  writeFileSync(
    new URL('../../report.schema.json', import.meta.url),
    `${JSON.stringify(reportSchema(), undefined, 2)}\n`,
  );
