import { RecordsPage } from './records/records-page.ts';
import { RequestsPage } from './requests/requests-page.ts';
import type { Page } from './shell/page.ts';

/** In the order of the navigation; the first one is shown first. */
export const PAGES: readonly Page[] = [
  { path: 'requests', title: 'Requests', view: RequestsPage },
  { path: 'records', title: 'Records', view: RecordsPage },
];
