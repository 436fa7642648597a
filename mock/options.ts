import type { Contract } from '#spec';
import type { AcceptedKeys } from './answer/authenticate.ts';
import { defaultParts, type Parts } from './parts.ts';
import type { LogEntry } from './server/log-entry.ts';

export interface MockOptions {
  /** Path or http(s) URL of an OpenAPI document, or a contract that was loaded from one. */
  readonly document: string | URL | Contract;
  /** 0, the default, takes a free one; false: no socket at all, only {@link Mock.fetch}. */
  readonly port?: number | false;
  readonly host?: string;
  readonly apiKeys?: AcceptedKeys;
  readonly seed?: number;
  /** How many records each collection begins with. */
  readonly count?: number;
  /** Whether the path of the document's first server goes before each path. */
  readonly basePath?: boolean;
  /** The longest request body that is read, in bytes. */
  readonly maxBody?: number;
  /** Told of each exchange that came through the socket. */
  readonly log?: (entry: LogEntry) => void;
  /** Told of failures of the mock itself. */
  readonly onBug?: (error: unknown) => void;
  /** Replaces named parts of the engine. */
  readonly parts?: Partial<Parts>;
}

export type ResolvedOptions = Required<Omit<MockOptions, 'document' | 'parts'>> & { readonly parts: Parts };

/** The key that every mock accepts that was given no other one. */
export const BUILT_IN_KEY = 'paddock-dev-key';

const DEFAULTS = {
  port: 0,
  host: '127.0.0.1',
  apiKeys: [BUILT_IN_KEY],
  seed: 1,
  count: 50,
  basePath: true,
  maxBody: 2 ** 20,
  log: () => {},
  // Shown by Node on stderr, and never in an answer.
  onBug: (error: unknown) => process.emitWarning(error instanceof Error ? error : String(error)),
};

export function resolveOptions({ document: _, parts, ...options }: MockOptions): ResolvedOptions {
  return { ...DEFAULTS, ...options, parts: { ...defaultParts, ...parts } };
}
