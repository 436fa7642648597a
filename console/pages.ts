import { ChangesPage } from './changes.ts';
import { RecordsPage } from './records/records-page.ts';
import { RequestsPage } from './requests/requests-page.ts';
import { RulesPage } from './rules/rules-page.ts';
import { SessionsPage } from './sessions.ts';
import type { HeaderLink, Page } from './shell/app.ts';
import { REFERENCE } from './shell/place.ts';
import { WebhooksPage } from './webhooks.ts';

/** In the order of the navigation; the first one is shown first. */
export const PAGES: readonly Page[] = [
  { path: 'requests', title: 'Requests', view: RequestsPage },
  { path: 'records', title: 'Records', view: RecordsPage },
  { path: 'rules', title: 'Rules', view: RulesPage },
  { path: 'sessions', title: 'Sessions', view: SessionsPage },
  { path: 'webhooks', title: 'Webhooks', view: WebhooksPage },
  { path: 'changes', title: 'Changes', view: ChangesPage },
];

/** Pages of their own beside these. */
export const FURTHER: readonly HeaderLink[] = [
  { path: 'reference', title: 'API reference', href: REFERENCE },
];
