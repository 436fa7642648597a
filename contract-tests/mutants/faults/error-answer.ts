import type { Answer } from '../by-hand/behaviour.ts';

/** An answer with the documented error body, but for what is said otherwise. */
export const error = (status: number, more: Record<string, unknown> = {}): Answer => ({
  status,
  body: { code: 'x', message: 'x', status, ...more },
});
