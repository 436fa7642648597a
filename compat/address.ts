import { type Contract, type Operation, pathForm } from '#spec';
import type { Sent } from './draft.ts';

/** Where clients of OLD send their requests when NEW is the service. */
export interface Address {
  /** What precedes the paths of OLD. */
  readonly basePath: string;
  /** Whether a part of the paths has moved between servers and paths, and the URLs are the same. */
  readonly hasMoved: boolean;
  /** A path of OLD as the document of NEW has it, without base paths. */
  readonly toNew: (path: string) => string;
}

/**
 * A base URL is a setting of clients: paths of OLD are sent to any base path of NEW. Where more operations keep their
 * whole URL than their path, `/v1` has moved from a server to the paths, or back.
 */
export function addressOf(old: Contract, next: Contract): Address {
  const whole = (path: string) => {
    const url = old.basePath + path;
    return url.startsWith(`${next.basePath}/`) ? url.slice(next.basePath.length) : url;
  };
  const known = new Set(next.operations.map((operation) => formOf(operation)));
  const kept = (toNew: (path: string) => string) =>
    old.operations.filter(({ method, path }) => known.has(formOf({ method, path: toNew(path) }))).length;
  const asWritten = (path: string) => path;
  return old.basePath !== next.basePath && kept(whole) > kept(asWritten)
    ? { basePath: old.basePath, hasMoved: true, toNew: whole }
    : { basePath: next.basePath, hasMoved: false, toNew: asWritten };
}

/** The method and the path; what the parameters of a path are called, no request shows. */
export function formOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${pathForm(path)}`;
}

/** A request of OLD as the document of NEW reads it. */
export function atNew({ toNew }: Address, sent: Sent): Sent {
  return { ...sent, path: toNew(sent.path) };
}
