import { styleText } from 'node:util';

/** Whether a stream gets colours: a terminal does, NO_COLOR and FORCE_COLOR decide otherwise, as everywhere in Node. */
export function hasColours(stream: NodeJS.WritableStream): boolean {
  return styleText('red', 'x', { stream }) !== 'x';
}
