import { discriminatedValues } from '#test-values';
import type { Law } from './law.ts';
import { documentedJson, isWellFormed } from './message.ts';
import { shorten } from './shorten.ts';

/**
 * What a discriminator names is what came (OpenAPI 3.1 §4.8.25). JSON Schema does not know the keyword: for `oneOf`
 * any one branch will do. Where none fits, the schema law says so.
 */
export const discriminatorLaw: Law = {
  name: 'discriminator',
  applies: (evidence) => isWellFormed(evidence) && documentedJson(evidence)?.shape !== undefined,
  judge(evidence) {
    const { contract, json, page } = evidence;
    const { shape, schema } = documentedJson(evidence) ?? {};
    if (!shape || !schema) return [];
    const { validators } = contract;
    const breaches = [...discriminatedValues(shape, json)].flatMap(({ pointer, value, property, branch }) =>
      validators
        .compile(
          branch,
          'response',
        )(value)
        .map((violation) => ({
          law: 'discriminator' as const,
          kind: { keyword: violation.keyword },
          received: `${pointer + violation.pointer || 'the body'} is ${shorten(violation.received)}`,
          documented: `${pointer + violation.pointer || 'the body'} ${violation.expected}, since ${property} is ${shorten(value[property])}`,
          at: violation.at,
          ...(page && { about: [value] }),
        })),
    );
    const isSchemaKept = breaches.length > 0 && validators.compile(schema, 'response')(json).length === 0;
    return isSchemaKept ? breaches : [];
  },
};
