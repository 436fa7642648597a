import type { Operation } from '#spec';
import { headerOf, type WireResponse } from '../send/wire.ts';

/** The reason of cells whose operation is gone, as the document said it would be. */
export const REMOVED = 'removed';

/** 410 from the day on that the document names, by the target's own clock: nobody promised more than that. */
export function isRemoved({ sunset }: Operation, response: WireResponse): boolean {
  if (sunset === undefined || response.status !== 410) return false;
  return Date.parse(headerOf(response, 'date') ?? '') >= Date.parse(sunset);
}

/** Why a case was not run to its end; another operation's removal takes no cell away from the case's own. */
export function removedReason(gone: Operation, own: Operation): string {
  return gone === own ? REMOVED : `${REMOVED}: ${gone.id}`;
}

export function tellsOfRemoval(reason: string): boolean {
  return reason === REMOVED || reason.startsWith(`${REMOVED}: `);
}
