import { createRequire } from 'node:module';
import type { AST } from '@eslint-community/regexpp';

/** The tree of an expression that V8 has accepted. The parser is loaded for the first document that has one. */
export function parseExpression({ source, unicode }: RegExp): AST.Pattern {
  const { RegExpParser } = createRequire(import.meta.url)(
    '@eslint-community/regexpp',
  ) as typeof import('@eslint-community/regexpp');
  return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, { unicode });
}
