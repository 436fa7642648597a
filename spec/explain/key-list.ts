import type { Keys } from '../meaning/forms.ts';
import { DOES, OPERATION, RECORD, ROLES } from '../meaning/keys.ts';
import { SAID_FORMS } from '../meaning/x-paddock.ts';

/** The JSON Schema of `x-paddock`, which editors have as x-paddock.schema.json. */
export const X_PADDOCK_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'x-paddock',
  description: 'What a document means beyond OpenAPI, at an operation, a path or the schema of a record.',
  anyOf: [{ $ref: '#/$defs/operation' }, { $ref: '#/$defs/record' }],
  $defs: { operation: SAID_FORMS.operation.schema, record: SAID_FORMS.record.schema },
} as const;

/** The keys as Markdown: what docs/meaning.md has between comments of these names. */
export const KEY_LISTS: Readonly<Record<string, string>> = {
  roles: `${DOES.map((does) => `\`${does}\` (it ${ROLES[does][0]})`).join(', ')}: the path of a collection, or \`true\`.`,
  operation: itemsOf(OPERATION),
  record: itemsOf(RECORD),
};

function itemsOf(keys: Keys, within = ''): string {
  return Object.entries(keys)
    .flatMap(([name, [{ shown, keys: inner }, help]]) => {
      const isMap = name === 'members';
      return [
        `- \`${within}${name}\`${isMap ? '' : ` (${shown})`}: ${help}`,
        ...(inner && isMap ? [itemsOf(inner, `${name}.*.`)] : []),
      ];
    })
    .join('\n');
}
