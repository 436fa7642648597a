import { bodies } from './bodies.ts';
import { breaks, halfClosed, pipelined, slow } from './breaks.ts';
import { chunks } from './chunks.ts';
import type { Kind } from './exchange.ts';
import { headers } from './headers.ts';
import { requestLines } from './request-lines.ts';
import { smuggling } from './smuggling.ts';
import { targets } from './targets.ts';

/** All kinds of malformed bytes, each with its share in percent. */
export const KINDS: readonly Kind[] = [
  ['request lines', 13, requestLines],
  ['smuggling', 15, smuggling],
  ['headers', 12, headers],
  ['targets', 20, targets],
  ['bodies', 22, bodies],
  ['chunks', 6, chunks],
  ['cut off', 5, breaks],
  ['half-closed', 2, halfClosed],
  ['slow', 1, slow],
  ['pipelined', 4, pipelined],
];
