import { CONTROL_PATH, REFERENCE_PATH } from './path.ts';

/** The pages of a console: the file of each path. */
export type ConsolePages = Readonly<Record<string, string>>;

/** Those of the mock. */
export const MOCK_PAGES: ConsolePages = {
  [`${CONTROL_PATH}/`]: 'index.html',
  [REFERENCE_PATH]: 'reference.html',
};
