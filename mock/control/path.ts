/** The path of the control API. */
export const CONTROL_PATH = '/__admin';

/** What precedes the files of the console. */
export const CONSOLE_PATH = `${CONTROL_PATH}/console/`;

export function isControlPath(path: string): boolean {
  return path === CONTROL_PATH || path.startsWith(`${CONTROL_PATH}/`);
}

/** The console's page, or one of its files: the same for everyone, without any record or request. */
export function isConsolePath(path: string): boolean {
  return path === CONTROL_PATH || path === `${CONTROL_PATH}/` || path.startsWith(CONSOLE_PATH);
}
