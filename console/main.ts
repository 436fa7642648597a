import { h, render } from 'preact';
import { FURTHER, loadOthers, PAGES } from './pages.ts';
import { App } from './shell/app.ts';
import { keepConnected } from './shell/connection.ts';
import { contract } from './shell/contract.ts';
import { followAddress, goTo, route } from './shell/place.ts';
import { followSession } from './shell/session-state.ts';
import { Strip } from './shell/strip.ts';

followAddress();
// The address that the page of rules had.
route.subscribe(leaveRules);
leaveRules();

render(
  h(App, { pages: PAGES, further: FURTHER, strip: Strip }),
  document.getElementById('console') as HTMLElement,
);
followSession();
keepConnected();
const stop = contract.subscribe(() => {
  stop();
  loadOthers(PAGES);
});

function leaveRules(): void {
  const [page, ...steps] = route.get();
  if (page === 'rules') goTo(['scenarios', ...steps], true);
}
