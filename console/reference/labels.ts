import { methodTag } from '../shell/labels.ts';

/** The method in its colour, in few letters. */
export function shortMethodTag(method: string) {
  return methodTag(method, method === 'DELETE' ? 'DEL' : method);
}
