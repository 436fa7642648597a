import { type DocumentedResponse, essenceOf, type MediaType } from '#spec';
import { concreteType, preferredMedia } from './success-response.ts';

/** A documented media type as it is sent. */
export interface Representation {
  readonly type: string;
  readonly media: MediaType;
}

/** The media types of a response that the mock can make, the preferred one first. */
export function representationsOf(response: DocumentedResponse): readonly Representation[] {
  const preferred = preferredMedia(response);
  const others = response.content.filter((media) => media !== preferred && isMade(media));
  return [...(preferred ? [preferred] : []), ...others].map((media) => ({
    type: concreteType(media),
    media,
  }));
}

/** JSON, a text that the document shows, or one that can be sampled. */
function isMade({ type, isJson, shape, examples }: MediaType): boolean {
  if (isJson) return true;
  if ([...examples.values()].some((example) => typeof example === 'string')) return true;
  return /^text\//.test(essenceOf(type)) && shape?.mainType === 'string';
}
