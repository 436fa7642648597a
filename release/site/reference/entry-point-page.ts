import type { Declaration, Kind } from './declarations.ts';
import { code, codeBlock, heading, proseOf } from './markdown.ts';

/** The page of an entry point: every export with its comment and its declaration, functions first. */
export function entryPointPage(name: string, summary: string, exported: readonly Declaration[]): string {
  return [
    heading(1, code(name)),
    proseOf(summary),
    codeBlock(importOf(name, exported)),
    ...KINDS.flatMap(([kind, title]) => {
      const ofKind = exported.filter((declaration) => declaration.kind === kind);
      return ofKind.length > 0 ? [heading(2, title), ...ofKind.map(section)] : [];
    }),
  ].join('\n\n');
}

const KINDS: readonly (readonly [Kind, string])[] = [
  ['function', 'Functions'],
  ['class', 'Classes'],
  ['constant', 'Constants'],
  ['type', 'Types'],
];

function importOf(name: string, exported: readonly Declaration[]): string {
  const values = exported.filter(({ kind }) => kind !== 'type').map((declaration) => declaration.name);
  const list =
    values.length > 4 ? `\n${values.map((value) => `  ${value},\n`).join('')}` : ` ${values.join(', ')} `;
  return `import {${list}} from '${name}';`;
}

function section({ name, comment, text }: Declaration): string {
  return [heading(3, code(name)), proseOf(comment), codeBlock(text)].filter(Boolean).join('\n\n');
}
