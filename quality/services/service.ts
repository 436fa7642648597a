import type { Packages } from './install.ts';

/** A running copy of a service, as its definition needs it to add data and to print its state. */
export interface Place {
  readonly port: number;
  /** The base URL, including the path prefix. While data is added, that of a proxy in front of the service. */
  readonly url: string;
  /** Created empty, and removed at the end. */
  readonly folder: string;
  readonly installed: string;
}

interface Launch {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A third-party service at a pinned version, with its own document. */
export interface Service {
  readonly name: string;
  readonly version: string;
  /** The language, and the source: `Go, Debian`. */
  readonly stack: string;
  readonly packages: Packages;
  /** The path prefix of the operations: `/api/v2`. */
  readonly basePath: string;
  /** A path of the origin that returns 2xx as soon as the service is ready. */
  readonly ready: string;
  /** Headers with the credential of a user with all permissions. */
  headers?(place: Place): Record<string, string>;
  /** The options that a user must pass to `paddock check` and `paddock proxy`: the credential, known values. */
  options?(place: Place): string[];
  /** Writes its configuration into the folder. */
  launch(place: Place): Launch | Promise<Launch>;
  /** Adds data as a plain client; no run may change it. */
  fill(place: Place): Promise<void>;
  /** Everything that it stores, one line for each record, without what changes by itself. */
  state(place: Place): Promise<string[]>;
  /** The path of its document: a file of the package, or a saved copy of what it serves. */
  document(place: Place): Promise<string>;
}
