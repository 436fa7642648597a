/** The path of the control API. */
export const CONTROL_PATH = '/__admin';

export function isControlPath(path: string): boolean {
  return path === CONTROL_PATH || path.startsWith(`${CONTROL_PATH}/`);
}
