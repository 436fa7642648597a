/** Below this path the mock speaks for itself; no document has such a path. */
export const CONTROL_PATH = '/__admin';

export function isControlPath(path: string): boolean {
  return (
    path.startsWith(CONTROL_PATH) &&
    (path.length === CONTROL_PATH.length || path.startsWith('/', CONTROL_PATH.length))
  );
}
