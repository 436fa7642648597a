import { COMPONENTS } from './schema-changes.ts';

/** Two documents, the second of which has a change. */
export type DocumentPair = readonly [old: object, next: object];

/** The right verdict on a pair; `same`: without even a warning. */
export type Verdict = 'breaking' | 'safe' | 'same';

export type Edit = readonly [name: string, pair: DocumentPair, verdict: Verdict];

export function documentOf(paths: object, more: object = {}): object {
  return {
    openapi: '3.1.1',
    info: { title: 'Things', version: '1.0.0' },
    paths,
    components: { schemas: COMPONENTS },
    ...more,
  };
}

export const OK = { 200: { description: 'Done.' } };

export const json = (schema: object | false) => ({ content: { 'application/json': { schema } } });

export function posted(schema: object | false): object {
  return documentOf({
    '/things': { post: { requestBody: { required: true, ...json(schema) }, responses: OK } },
  });
}

export function asked(parameters: readonly object[]): object {
  return documentOf({ '/things': { get: { parameters, responses: OK } } });
}

export function answered(schema: object | false): object {
  return documentOf({
    '/things': { get: { responses: { 200: { description: 'A thing.', ...json(schema) } } } },
  });
}
