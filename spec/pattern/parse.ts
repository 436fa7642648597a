import type { AST } from '@eslint-community/regexpp';
import { regexpp } from '#libraries';

/** The tree of an expression that V8 has accepted. The parser is loaded for the first document that has one. */
export function parseExpression({ source, unicode }: RegExp): AST.Pattern {
  const { RegExpParser } = regexpp();
  return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, { unicode });
}
