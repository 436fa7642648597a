import { isLoopback } from '#target';

/** Whether a base URL leads to this machine. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopback(new URL(url));
}
