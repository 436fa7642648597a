import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where programs of the user keep what they can make again (XDG Base Directory Specification, and what is usual elsewhere). */
export function cacheFolder(env: Environment = process.env, platform: string = process.platform): string {
  const home = homedir();
  const ofPlatform = {
    win32: () => env.LOCALAPPDATA || join(home, 'AppData', 'Local'),
    darwin: () => join(home, 'Library', 'Caches'),
  }[platform];
  return join(env.XDG_CACHE_HOME || (ofPlatform?.() ?? join(home, '.cache')), 'paddock');
}

/** The certificate (PEM) of the authority of this user, which signs those for localhost; it need not be there. */
export function authorityFile(): string {
  return join(httpsFolder(), 'authority.pem');
}

/** Only the user can enter it. */
export function httpsFolder(): string {
  return join(cacheFolder(), 'https');
}

/** The authorities of this user for hosts that a proxy decrypts, each named after its host. */
export function forwardFolder(): string {
  return join(httpsFolder(), 'forward');
}
