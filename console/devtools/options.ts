/** Which mock the panel is for: one of this page (`mock`), or one behind a URL (`url`). */
export interface DevtoolsOptions {
  /** A mock of this page, or one of its sessions. Either this or `url`. */
  readonly mock?: MockOfPage | undefined;
  /** The base URL of a mock; with `/~NAME` in front of its path, of that session. Either this or `mock`. */
  readonly url?: string | URL | undefined;
  /** The token of the control API, where the mock has one. Default: the panel asks for it. */
  readonly token?: string | undefined;
  /** Is called when the panel has changed records, so that the page can read them again. */
  readonly onChange?: (() => void) | undefined;
}

/** What the panel needs of a mock that runs in the page. */
export interface MockOfPage {
  /** That of its session. Default: the session of requests that name none. */
  readonly name?: string;
  fetch(request: string, init?: RequestInit): Promise<Response>;
}

export interface Devtools {
  /** Removes the panel, and ends what it listens to. Rules and latency that were set stay with the mock. */
  close(): void;
}
