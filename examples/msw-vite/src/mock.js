import { http } from 'msw';
import { setupWorker } from 'msw/browser';
import { BUILT_IN_KEY, createMock } from 'openapi-paddock/browser';
import document from './openapi.yaml?raw';

export { BUILT_IN_KEY };

/** The address that the page would have in production; no such host exists. */
export const SERVICE = 'https://tasks.example/v1';

/** From here on the mock responds to all that the page sends to the service. */
export async function startMock() {
  const mock = await createMock({ document, count: 3 });
  // Where a rule drops the connection, there is no response: MSW would make a 500 of what is thrown.
  const respond = ({ request }) => mock.fetch(request).catch(() => Response.error());
  await setupWorker(http.all(`${SERVICE}/*`, respond)).start({ quiet: true });
  return mock;
}
