import type { Packages } from './install.ts';

/** A running copy of a service: what its own file needs to fill it and to print its state. */
export interface Place {
  readonly port: number;
  /** Base URL with the path prefix. While data is filled in, that of a proxy in front of the service. */
  readonly url: string;
  /** Fresh, and removed at the end. */
  readonly folder: string;
  readonly installed: string;
}

interface Launch {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A service that others wrote, at a pinned version, with a document of its own. */
export interface Service {
  readonly name: string;
  readonly version: string;
  /** Language, and where it is from: `Go, Debian`. */
  readonly stack: string;
  readonly packages: Packages;
  /** Path prefix of the operations: `/api/v2`. */
  readonly basePath: string;
  /** Path below the origin that is answered with 2xx as soon as it can be used. */
  readonly ready: string;
  /** Headers with the credential of a user who may do everything. */
  headers?(place: Place): Record<string, string>;
  /** What a user has to give `paddock check` and `paddock proxy`: the credential, known values. */
  options?(place: Place): string[];
  /** Writes its configuration into the folder. */
  launch(place: Place): Launch | Promise<Launch>;
  /** Data of others, which no run may change, as a plain client writes it. */
  fill(place: Place): Promise<void>;
  /** Everything that it keeps, a line a record, without what changes by itself. */
  state(place: Place): Promise<string[]>;
  /** Path of its own document: a file of the package, or what it serves. */
  document(place: Place): Promise<string>;
}
