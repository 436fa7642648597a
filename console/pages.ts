import type { Page, PageLink } from './shell/app.ts';
import { lazyPage } from './shell/lazy-page.ts';
import { referenceUrl } from './shell/place.ts';

const start = lazyPage(async () => (await import('./start/start-page.ts')).StartPage);
const requests = lazyPage(async () => (await import('./requests/requests-page.ts')).RequestsPage);
const records = lazyPage(async () => (await import('./records/records-page.ts')).RecordsPage);
const scenarios = lazyPage(async () => (await import('./scenarios/scenarios-page.ts')).ScenariosPage);
const webhooks = lazyPage(async () => (await import('./webhooks.ts')).WebhooksPage);
const changes = lazyPage(async () => (await import('./changes.ts')).ChangesPage);
const sessions = lazyPage(async () => (await import('./sessions.ts')).SessionsPage);

/** In the order of the navigation; the first one is shown first. */
export const PAGES: readonly Page[] = [
  { path: '', title: 'Start', icon: 'start', letter: 'o', ...start },
  { path: 'requests', title: 'Requests', icon: 'requests', letter: 'r', ...requests },
  { path: 'records', title: 'Records', icon: 'records', letter: 'd', ...records },
  { path: 'scenarios', title: 'Scenarios', icon: 'scenarios', letter: 'c', ...scenarios },
  { path: 'webhooks', title: 'Webhooks', icon: 'webhooks', letter: 'w', ...webhooks },
  { path: 'changes', title: 'Changes', icon: 'changes', letter: 'h', ...changes },
  { path: 'sessions', title: 'Sessions', icon: 'sessions', letter: 's', isApart: true, ...sessions },
];

/** Pages of their own beside these. */
export const FURTHER: readonly PageLink[] = [
  { path: 'reference', title: 'API reference', icon: 'reference', letter: 'a', href: referenceUrl() },
];
