import { fileURLToPath } from 'node:url';

/** The program of the installed Prism, to run with Node. */
export const PRISM = fileURLToPath(new URL('../../node_modules/.bin/prism', import.meta.url));
