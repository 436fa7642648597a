import type { ComponentType } from 'preact';

/** One page of the console. */
export interface Page {
  /** The first step of its address: `#/requests`. */
  readonly path: string;
  readonly title: string;
  /** Shown with the further steps of its address. */
  readonly view: ComponentType<PageProps>;
}

export interface PageProps {
  readonly steps: readonly string[];
}
