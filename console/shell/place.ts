import { createValue } from './value.ts';

/** The shown place, in steps: `requests`, `7`. */
export const route = createValue<readonly string[]>(['']);

let isInAddress = false;

/** The page's address has the place after `#/`; not so in a page with the dock. */
export function followAddress(): void {
  isInAddress = true;
  const read = () => route.set(stepsOf(location.hash));
  addEventListener('hashchange', read);
  read();
}

/** The steps of a link from {@link linkTo}. */
export function stepsOf(link: string): readonly string[] {
  return link.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
}

/** Shows another part of the console; `replace` adds no entry to the tab's history. */
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

/** The same, also from the API reference. */
export function consoleUrl(...steps: readonly string[]): string {
  return `./${location.search}${linkTo(...steps)}`;
}

/** The API reference of the session. */
export function referenceUrl(): string {
  return `reference${location.search}`;
}

/** A page of the console for another session; without a name for the default session. */
export function sessionUrl(name: string, page: string): string {
  return `/__admin/${name === '' ? '' : `?session=${encodeURIComponent(name)}`}${linkTo(page)}`;
}
