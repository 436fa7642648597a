/** The public entry point of the devtools: a panel over one's own page, for the mock that the page talks to. */
import { openControl } from './control.ts';
import { mountDock } from './dock.ts';
import { openModel } from './model.ts';
import type { Devtools, DevtoolsOptions } from './options.ts';

export type { Devtools, DevtoolsOptions, MockOfPage } from './options.ts';

/**
 * Shows a round button in a corner of the page, which opens the panel. A page has one panel: a second call replaces it.
 * For development only: import it where a production build leaves it out.
 * @throws RangeError for options that are not allowed
 * @example
 * ```ts
 * if (import.meta.env.DEV) {
 *   const { showDevtools } = await import('openapi-paddock/devtools');
 *   showDevtools({ url: 'http://127.0.0.1:4020/v1' });
 * }
 * ```
 */
export function showDevtools(options: DevtoolsOptions): Devtools {
  const model = openModel(openControl(options), options.onChange);
  return mountDock(model);
}
