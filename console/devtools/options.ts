/** The mock for the panel: in this page (`mock`), or behind a URL (`url`). */
export interface DevtoolsOptions {
  /** A mock in this page, or one of its sessions. Either this or `url`. */
  readonly mock?: MockOfPage | undefined;
  /** The base URL of a mock; with `/~NAME` before its path, of that session. Either this or `mock`. */
  readonly url?: string | URL | undefined;
  /** The token of the control API, if the mock has one. Default: the panel asks for it. */
  readonly token?: string | undefined;
  /** Called when the panel has changed records, so that the page can reload them. */
  readonly onChange?: (() => void) | undefined;
}

/** The part of a mock in the page that the panel needs. */
export interface MockOfPage {
  /** The name of its session. Default: the default session. */
  readonly name?: string;
  fetch(request: string, init?: RequestInit): Promise<Response>;
}

export interface Devtools {
  /** Removes the panel and its listeners. Rules and latency stay in the mock. */
  close(): void;
}
