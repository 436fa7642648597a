import { isLoopback } from '#target';

/** What a new configuration file says. */
export interface Answers {
  /** Path or URL; undefined: the Pet Store that comes with Paddock. */
  readonly document: string | undefined;
  readonly target: string;
  /** Base URL of the target. */
  readonly url: string;
  /** The environment variable that holds the credential; undefined: none is needed. */
  readonly variable: string | undefined;
  /** Scripts are added to package.json. */
  readonly scripts: boolean;
}

/** Whether a base URL leads to this machine. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopback(new URL(url));
}
