import { createMock } from '#mock';
import { createProxy } from '#proxy';
import { cell, code, heading } from './markdown.ts';

type Send = (path: string, method: string) => Promise<Response>;

/** An endpoint of a control API, and its methods. */
interface Endpoint {
  readonly path: string;
  readonly methods: readonly string[];
}

const DOCUMENT = new URL('../../../spec/openapi.yaml', import.meta.url);
/** No connection is made to it. */
const NOWHERE = 'http://127.0.0.1:9';

/** The page of the control API: the endpoints of mock and proxy, as these tell of them. */
export async function controlPage(): Promise<string> {
  const mock = await createMock({ document: DOCUMENT, port: false });
  const ofMock = await endpointsOf((path, method) => mock.fetch(new URL(path, mock.controlUrl), { method }));
  await mock.close();
  const proxy = await createProxy({ target: NOWHERE, document: DOCUMENT.pathname, port: 0 });
  const ofProxy = await endpointsOf((path, method) => fetch(new URL(path, proxy.adminUrl), { method }));
  await proxy.close();
  return [
    heading(1, 'The control API'),
    'What mock and proxy serve below `/__admin`. [What each does](../control-api.md), and who may use it.',
    heading(2, 'Of the mock'),
    table(ofMock),
    heading(2, 'Of the proxy'),
    table(ofProxy),
  ].join('\n\n');
}

/** A path that does not exist is answered with all that do, and OPTIONS with the methods of one. */
async function endpointsOf(send: Send): Promise<Endpoint[]> {
  const { message } = (await (await send('/__admin/none', 'GET')).json()) as { message: string };
  const paths = message.match(/\/__admin\/[\w-]+(?=,|$)/g) ?? [];
  return Promise.all(
    paths.map(async (path) => {
      const allow = (await send(path, 'OPTIONS')).headers.get('allow') ?? '';
      return { path, methods: allow.split(', ').filter((method) => method !== 'OPTIONS') };
    }),
  );
}

function table(endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map(
    ({ path, methods }) => `| ${code(path)} | ${cell(methods.map(code).join(', '))} |`,
  );
  return ['| endpoint | methods |', '| --- | --- |', ...rows].join('\n');
}
