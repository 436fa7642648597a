/** Short parts of documents for tests. */

export const text = { type: 'string' };
export const number = { type: 'integer' };
export const flag = { type: 'boolean' };

export const json = (schema: object) => ({ content: { 'application/json': { schema } } });
export const object = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});
export const list = (items: object) => ({ type: 'array', items });
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A response with a body. */
export const gives = (schema: object, status = 200) => ({
  responses: { [status]: { description: 'Done', ...json(schema) } },
});
/** A response without a body or schema. */
export const done = { responses: { 200: { description: 'Done' } } };
export const takes = (schema: object, required = false) => ({ requestBody: { required, ...json(schema) } });
