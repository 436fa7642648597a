import { createMock } from '#mock';
import { createProxy } from '#proxy';
import { nameOf } from './entries.ts';

type Entry = readonly [name: string, form: string];
type Send = (path: string, method: string) => Promise<Response>;

const DOCUMENT = 'spec/openapi.yaml';
/** No connection is made to it. */
const NOWHERE = 'http://127.0.0.1:9';

/** The endpoints under `/__admin` of mock and proxy, as they tell of them. */
export async function adminEntries(): Promise<Entry[]> {
  const mock = await createMock({ document: DOCUMENT, port: false });
  const ofMock = await endpointsOf('mock', (path, method) =>
    mock.fetch(new URL(path, mock.controlUrl), { method }),
  );
  await mock.close();
  const proxy = await createProxy({ target: NOWHERE, document: DOCUMENT, port: 0 });
  const ofProxy = await endpointsOf('proxy', (path, method) =>
    fetch(new URL(path, proxy.adminUrl), { method }),
  );
  await proxy.close();
  return [...ofMock, ...ofProxy];
}

/** A path that does not exist is answered with all that do, and OPTIONS with the methods of one. */
async function endpointsOf(server: string, send: Send): Promise<Entry[]> {
  const { message } = (await (await send('/__admin/none', 'GET')).json()) as { message: string };
  const paths = message.match(/\/__admin\/[\w-]+(?=,|$)/g) ?? [];
  const entries = paths.map(async (path) => {
    const allow = (await send(path, 'OPTIONS')).headers.get('allow') ?? '';
    const methods = allow.split(', ').filter((method) => !['HEAD', 'OPTIONS'].includes(method));
    return methods.map((method): Entry => [nameOf(server, `${method} ${path}`), '']);
  });
  return (await Promise.all(entries)).flat();
}
