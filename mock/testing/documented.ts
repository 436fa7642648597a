import { mediaTypeFor, type Operation, parseJson, responseFor } from '#spec';
import type { Mock } from '../index.ts';
import type { Asked } from './serve.ts';

/** In how many ways an answer breaks what the document says of its status; none: an empty list. */
export function misfits(mock: Mock, operationId: string, { status, headers, text }: Asked): string[] {
  const { operations, validators } = mock.contract;
  const { responses } = operations.find(({ id }) => id === operationId) as Operation;
  const response = responseFor(responses, status);
  if (!response) return [`${status} is not documented`];
  if (response.content.length === 0) return text === '' ? [] : ['a body, where none is documented'];
  const type = headers.get('content-type') ?? 'none';
  const media = mediaTypeFor(response.content, type);
  if (!media) return [`the content type ${type} is not documented`];
  if (!media.schema) return [];
  const violations = validators.compile(media.schema, 'response')(parseJson(text));
  return violations.map(({ pointer, expected }) => `${pointer} ${expected}`);
}
