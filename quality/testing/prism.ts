import { fileURLToPath } from 'node:url';

/** The program of the installed Prism, to be run by Node. */
export const PRISM = fileURLToPath(new URL('../../node_modules/.bin/prism', import.meta.url));
