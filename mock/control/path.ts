import type { ResponseContent } from '../http/exchange.ts';
import { PICTURES_PATH } from '../pictures/picture.ts';

export const CONTROL_PATH = '/__admin';

/** The path prefix of the console's files. */
export const CONSOLE_PATH = `${CONTROL_PATH}/console/`;

const REFERENCE_PATH = `${CONTROL_PATH}/reference`;

export function isControlPath(path: string): boolean {
  return path === CONTROL_PATH || path.startsWith(`${CONTROL_PATH}/`);
}

/** A path of the mock itself. These requests are not logged, since the console sends many. */
export function isOwnPath(path: string): boolean {
  return isControlPath(path) || path.startsWith(PICTURES_PATH);
}

/** A page of the console, or one of its files: public, without records or requests. */
export function isConsolePath(path: string): boolean {
  return (
    path === CONTROL_PATH ||
    path === `${CONTROL_PATH}/` ||
    path === REFERENCE_PATH ||
    path.startsWith(CONSOLE_PATH)
  );
}

/** Redirects a browser to the console. */
export function seeConsole(query = ''): ResponseContent {
  const location = `${CONTROL_PATH}/${query && `?${query}`}`;
  return { status: 302, type: undefined, headers: { Location: location, Vary: 'Accept' }, body: '' };
}

/** The pages of a console: the file of each path. */
export type ConsolePages = Readonly<Record<string, string>>;

export const MOCK_PAGES: ConsolePages = {
  [`${CONTROL_PATH}/`]: 'index.html',
  [REFERENCE_PATH]: 'reference.html',
};
