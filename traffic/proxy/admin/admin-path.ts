/** What the proxy answers itself, the same path as that of the mock. */
export const ADMIN_PATH = '/__admin';

export function isAdminTarget(target: string): boolean {
  if (!target.startsWith(ADMIN_PATH)) return false;
  return target.length === ADMIN_PATH.length || '/?'.includes(target.charAt(ADMIN_PATH.length));
}
