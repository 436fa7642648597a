import type { Operation } from '#spec';
import { headerOf, type WireResponse } from '../send/wire.ts';

/** 410 from the day on that the document names, by the target's own clock: nobody promised more than that. */
export function isRemoved({ sunset }: Operation, response: WireResponse): boolean {
  if (sunset === undefined || response.status !== 410) return false;
  return Date.parse(headerOf(response, 'date') ?? '') >= Date.parse(sunset);
}
