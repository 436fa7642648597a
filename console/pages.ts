import { ChangesPage } from './changes.ts';
import { RecordsPage } from './records/records-page.ts';
import { RequestsPage } from './requests/requests-page.ts';
import { ScenariosPage } from './scenarios/scenarios-page.ts';
import { SessionsPage } from './sessions.ts';
import type { Page, PageLink } from './shell/app.ts';
import { REFERENCE } from './shell/place.ts';
import { StartPage } from './start/start-page.ts';
import { WebhooksPage } from './webhooks.ts';

/** In the order of the navigation; the first one is shown first. */
export const PAGES: readonly Page[] = [
  { path: '', title: 'Start', icon: 'start', letter: 'o', view: StartPage },
  { path: 'requests', title: 'Requests', icon: 'requests', letter: 'r', view: RequestsPage },
  { path: 'records', title: 'Records', icon: 'records', letter: 'd', view: RecordsPage },
  { path: 'scenarios', title: 'Scenarios', icon: 'scenarios', letter: 'c', view: ScenariosPage },
  { path: 'webhooks', title: 'Webhooks', icon: 'webhooks', letter: 'w', view: WebhooksPage },
  { path: 'changes', title: 'Changes', icon: 'changes', letter: 'h', view: ChangesPage },
  { path: 'sessions', title: 'Sessions', icon: 'sessions', letter: 's', isApart: true, view: SessionsPage },
];

/** Pages of their own beside these. */
export const FURTHER: readonly PageLink[] = [
  { path: 'reference', title: 'API reference', icon: 'reference', letter: 'a', href: REFERENCE },
];
