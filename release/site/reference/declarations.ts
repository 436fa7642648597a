import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** An export of an entry point: its name, its declaration without the comment, and the comment. */
export interface Declaration {
  readonly name: string;
  readonly kind: Kind;
  readonly text: string;
  readonly comment: string;
}

export type Kind = 'function' | 'class' | 'constant' | 'type';

type Program = ReturnType<typeof parseAst>;
type Statement = Program['body'][number];
type Exported = Extract<Statement, { type: 'ExportNamedDeclaration' }>;

/**
 * The exports of a module, in order.
 * @param file a `.d.ts`
 * @param locate the `.d.ts` of an import such as `#spec`
 * @throws Error for an export whose declaration is not found
 */
export function exportsOf(file: string, locate: (specifier: string) => string): Declaration[] {
  const text = readFileSync(file, 'utf8');
  return statementsOf(text).flatMap((statement) => {
    if (statement.type === 'ExportAllDeclaration')
      return exportsOf(resolve(file, statement.source.value, locate), locate);
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const { source } = statement;
    if (source === null) return declarationsIn(statement, text);
    const at = resolve(file, source.value, locate);
    return statement.specifiers.map(({ local }) => {
      const name = (local as { name: string }).name;
      const match = exportsOf(at, locate).find((declaration) => declaration.name === name);
      if (!match) throw new Error(`${at} does not declare ${name}`);
      return match;
    });
  });
}

function statementsOf(text: string): Program['body'] {
  return parseAst(text, { lang: 'dts' }).body;
}

function resolve(file: string, specifier: string, locate: (specifier: string) => string): string {
  if (!specifier.startsWith('.')) return locate(specifier);
  return join(dirname(file), specifier.replace(/\.ts$/, '.d.ts'));
}

function declarationsIn({ declaration, start, end }: Exported, text: string): Declaration[] {
  if (declaration === null) return [];
  const body = text
    .slice(start, end)
    .replace(/^export (?:declare )?/, '')
    .replace(/^ {4}/gm, '  ');
  const common = { text: body, comment: commentBefore(text, start) };
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.map(({ id }) => ({
      ...common,
      kind: 'constant',
      name: (id as { name: string }).name,
    }));
  const { id } = declaration as { id: { name: string } | null };
  return id ? [{ ...common, kind: KINDS[declaration.type] ?? 'type', name: id.name }] : [];
}

const KINDS: Readonly<Record<string, Kind>> = {
  TSDeclareFunction: 'function',
  FunctionDeclaration: 'function',
  ClassDeclaration: 'class',
};

/** The JSDoc comment directly before a declaration. */
export function commentBefore(text: string, start: number): string {
  const before = text.slice(0, start).trimEnd();
  return before.endsWith('*/') ? before.slice(before.lastIndexOf('/**')) : '';
}
