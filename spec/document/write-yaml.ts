import { Document, Schema, visit } from 'yaml';

/**
 * Texts, also as keys, that need quotes because a reader of YAML 1.1 or 1.2 takes them for another type. Besides those
 * in the specifications (`off`, `1_000`, `12:30`, `2020-01-01`) these are `1,000` (a number in Ruby), `1e1_0` (in Go),
 * and `=` and tabs, which PyYAML refuses.
 */
export const YAML_TEXTS = {
  compat: [
    ...new Schema({ schema: 'yaml-1.1' }).tags,
    {
      tag: 'tag:yaml.org,2002:int',
      default: true as const,
      test: /^=$|\t|^[-+]?(?:[\d.][\d_,]*(?:\.[\d_,]*)?(?:e[-+]?[\d_]+)?|0[box][\da-f_]+)$/i,
      resolve: (source: string) => source,
    },
  ],
};

/** Line breaks that only YAML 1.1 has, and a byte-order mark, which readers drop at the start of a text. */
const LINE_ENDS = /[\u0085\u2028\u2029\ufeff]/g;

/** Writes a value as YAML without aliases; long texts stay on one line. */
export function writeYaml(value: unknown): string {
  const yaml = new Document(value, { ...YAML_TEXTS, aliasDuplicateObjects: false });
  visit(yaml, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && scalar.value.search(LINE_ENDS) >= 0)
        scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return yaml
    .toString({ lineWidth: 0, singleQuote: true })
    .replace(LINE_ENDS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
