import { createValue } from './value.ts';

/** What is shown, in steps: `requests`, `7`. */
export const route = createValue<readonly string[]>(['']);

let isInAddress = false;

/** The address of the page says what is shown, after `#/`; in a page of somebody else it does not. */
export function followAddress(): void {
  isInAddress = true;
  const read = () => route.set(stepsOf(location.hash));
  addEventListener('hashchange', read);
  read();
}

/** Of a link that {@link linkTo} has made. */
export function stepsOf(link: string): readonly string[] {
  return link.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
}

/** Shows another part of the console; `replace` leaves no step in the history of the tab. */
export function goTo(steps: readonly string[], replace = false): void {
  const link = linkTo(...steps);
  if (isInAddress && !replace) {
    location.hash = link;
    return;
  }
  if (isInAddress) history.replaceState(null, '', link);
  route.set(stepsOf(link));
}

/** The address of a part of the console. */
export function linkTo(...steps: readonly string[]): string {
  return `#/${steps.map(encodeURIComponent).join('/')}`;
}

/** The same from the API reference, too. */
export function consoleUrl(...steps: readonly string[]): string {
  return `./${location.search}${linkTo(...steps)}`;
}

/** The API reference of the session. */
export function referenceUrl(): string {
  return `reference${location.search}`;
}

/** A page of the console for another session; without a name: for requests that name none. */
export function sessionUrl(name: string, page: string): string {
  return `/__admin/${name === '' ? '' : `?session=${encodeURIComponent(name)}`}${linkTo(page)}`;
}
