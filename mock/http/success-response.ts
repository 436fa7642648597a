import {
  type DocumentedResponse,
  explicitStatuses,
  type MediaType,
  mediaTypeFor,
  type Operation,
  stringifyJson,
  successOf,
} from '#spec';

/** The status and the media type of an operation's success response. */
export interface SuccessForm {
  readonly status: number;
  /** Undefined: the response has no body. */
  readonly media: MediaType | undefined;
}

/** JSON is preferred where the document offers several types. */
export function successForm(operation: Operation): SuccessForm {
  const response = successOf(operation);
  const statuses = explicitStatuses(operation.responses);
  // Where nothing documents a success, a redirection is what clients are to expect.
  const documented =
    statuses.find((status) => status >= 200 && status < 300) ??
    (response ? undefined : statuses.find((status) => status >= 300 && status < 400));
  const hasBody = response !== undefined && response.content.length > 0;
  const status = documented ?? (operation.method === 'POST' ? 201 : hasBody ? 200 : 204);
  return { status, media: response && preferredMedia(response) };
}

export function preferredMedia({ content }: DocumentedResponse): MediaType | undefined {
  return mediaTypeFor(content, 'application/json') ?? content.find(({ isJson }) => isJson) ?? content[0];
}

/** One type of a range such as `text/*`. */
export function concreteType({ type }: Pick<MediaType, 'type'>): string {
  return type.replace('*/*', 'application/json').replace('/*', '/plain');
}

/** The text of a value in a media type: as it is where it is a text and the type is not JSON. */
export function mediaText({ isJson }: Pick<MediaType, 'isJson'>, value: unknown): string {
  return isJson || typeof value !== 'string' ? stringifyJson(value ?? null) : value;
}
