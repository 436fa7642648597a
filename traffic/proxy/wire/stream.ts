import { streamFormatOf } from '#spec';
import type { ResponseHead } from './heads.ts';

/** Whether a response is messages that come one by one, and may never end. */
export function isStream({ fields }: Pick<ResponseHead, 'fields'>): boolean {
  return fields.some(({ key, value }) => key === 'content-type' && streamFormatOf(value) !== undefined);
}
