/** The public entry point of the devtools: a dock in a page under development, for the mock that it uses. */
import { type Access, overHttp } from '../shell/access.ts';
import { createValue } from '../shell/value.ts';
import { mountDock } from './dock.ts';
import type { Devtools, DevtoolsOptions } from './options.ts';

export type { Devtools, DevtoolsOptions, MockOfPage } from './options.ts';

/**
 * Shows a round button in a corner of the page, which opens the panel. A page has one panel: a second call replaces it.
 * Import it for development only, so that a production build omits it.
 * @throws RangeError for invalid options
 * @example
 * ```ts
 * if (import.meta.env.DEV) {
 *   const { showDevtools } = await import('openapi-paddock/devtools');
 *   showDevtools({ url: 'http://127.0.0.1:4020/v1' });
 * }
 * ```
 */
export function showDevtools(options: DevtoolsOptions): Devtools {
  return mountDock(accessOf(options));
}

/** A mock in the page trusts whoever has its `fetch`, and treats requests as local. */
const THIS_MACHINE = 'http://localhost';

/** @throws RangeError for invalid options */
function accessOf({ mock, url, token: text, onChange }: DevtoolsOptions): Access {
  if ((mock === undefined) === (url === undefined))
    throw new RangeError('showDevtools needs either mock, a mock of this page, or url, the address of one');
  if (text !== undefined && (typeof text !== 'string' || text === ''))
    throw new RangeError('option token must be a text that is not empty');
  const token = createValue(text);
  const access = mock === undefined ? overUrl(String(url), token) : withinPage(mock, token);
  return {
    ...access,
    async fetch(to, init) {
      const response = await access.fetch(to, init);
      if (response.ok && changesRecords(new URL(to).pathname, init.method)) onChange?.();
      return response;
    },
  };
}

function withinPage(mock: NonNullable<DevtoolsOptions['mock']>, token: Access['token']): Access {
  if (typeof mock.fetch !== 'function')
    throw new RangeError('option mock must be what createMock of openapi-paddock/browser resolves to');
  return {
    ...overHttp(THIS_MACHINE, mock.name ?? '', token),
    isShared: false,
    fetch: (to, init) => mock.fetch(to, init),
  };
}

function overUrl(url: string, token: Access['token']): Access {
  const address = URL.parse(url, location.href);
  if (!address || !/^https?:$/.test(address.protocol))
    throw new RangeError(`option url must be an address such as http://127.0.0.1:4020/v1, not ${url}`);
  return overHttp(address.origin, /^\/~([^/]+)/.exec(address.pathname)?.[1] ?? '', token);
}

/** Whether a request to the control API changes records, as a scenario may. */
function changesRecords(path: string, method = 'GET'): boolean {
  if (method === 'GET') return false;
  return /\/(?:records|state|reset)$/.test(path) || (method === 'POST' && path.includes('/scenarios/'));
}
