import {
  type DocumentedResponse,
  explicitStatuses,
  type MediaType,
  mediaTypeFor,
  type Operation,
  successOf,
} from '#spec';

/** The status and the media type of an operation's good answer. */
export interface SuccessForm {
  readonly status: number;
  /** Undefined: the answer has no body. */
  readonly media: MediaType | undefined;
}

/** JSON where the document offers several types. */
export function successForm(operation: Operation): SuccessForm {
  const response = successOf(operation);
  return { status: statusOf(operation, response), media: response && preferredMedia(response) };
}

function statusOf({ responses, method }: Operation, response: DocumentedResponse | undefined): number {
  const documented = explicitStatuses(responses).find((status) => status >= 200 && status < 300);
  if (documented !== undefined) return documented;
  if (method === 'POST') return 201;
  return response && response.content.length > 0 ? 200 : 204;
}

function preferredMedia({ content }: DocumentedResponse): MediaType | undefined {
  return mediaTypeFor(content, 'application/json') ?? content.find(({ isJson }) => isJson) ?? content[0];
}

/** What a range such as `text/*` is answered with is one type of it. */
export function concreteType({ type }: MediaType): string {
  return type.replace('*/*', 'application/json').replace('/*', '/plain');
}
