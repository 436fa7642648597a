import { type Mock, openMock } from './open-mock.ts';
import type { MockOptions } from './options.ts';
import { start } from './start.ts';

/**
 * Starts a mock of an OpenAPI document.
 * `P` is the `paths` that openapi-typescript generates from the document; with it `state` and `records` have types.
 * @throws RangeError naming each option that is unknown or has a value that is not allowed; DocumentError when the
 * document or a seed file is invalid; StoreError when the store cannot be opened; the system's error (`EADDRINUSE`, ...)
 * when the address cannot be listened on.
 * @example
 * ```ts
 * const mock = await createMock({ document: 'openapi.yaml', seed: 7, count: 20 });
 * const response = await fetch(`${mock.url}/things`, { headers: { Authorization: `Bearer ${BUILT_IN_KEY}` } });
 * await mock.close();
 * ```
 */
export async function createMock<P = unknown>(given: MockOptions): Promise<Mock<P>> {
  return openMock(await start(given));
}
