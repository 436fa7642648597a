import { mediaTypeFor } from '../media-type.ts';
import type { Operation } from '../operation.ts';
import { type DocumentedResponse, explicitStatuses, responseFor } from '../response.ts';
import type { Shape } from '../schema/shape.ts';

/** The response of success: the lowest documented 2xx, else `2XX` or `default`. */
export function successOf({ responses }: Operation): DocumentedResponse | undefined {
  const status = explicitStatuses(responses).find((code) => code >= 200 && code < 300);
  if (status !== undefined) return responseFor(responses, status);
  return responses.find(({ key }) => key === '2XX' || key === 'default');
}

/** The schema of the JSON body of the response of success. */
export function answerShape(operation: Operation | undefined): Shape | undefined {
  const { content = [] } = (operation && successOf(operation)) ?? {};
  return (mediaTypeFor(content, 'application/json') ?? content.find(({ isJson }) => isJson))?.shape;
}

/** The schema of a request's body: of JSON, else of a form. */
export function bodyShape({ body }: Operation): Shape | undefined {
  const content = body?.content ?? [];
  return (content.find(({ isJson }) => isJson) ?? content.find(({ shape }) => shape))?.shape;
}

/** Whether values of a schema are objects: also where only the branches of `oneOf` or `anyOf` say so. */
export function isObjectShape(shape: Shape | undefined): shape is Shape {
  return shape?.mainType === 'object' || (shape?.alternatives.length ?? 0) > 0;
}
