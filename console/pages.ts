import type { ComponentType } from 'preact';
import { RecordsPage } from './records/records-page.ts';
import { RequestsPage } from './requests/requests-page.ts';

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

/** In the order of the navigation; the first one is shown first. */
export const PAGES: readonly Page[] = [
  { path: 'requests', title: 'Requests', view: RequestsPage },
  { path: 'records', title: 'Records', view: RecordsPage },
];
