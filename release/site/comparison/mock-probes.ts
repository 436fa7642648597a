import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { AUTHORIZATION, type MockTool } from './tools.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** Sends a request to a mock; with a key, unless it says otherwise. */
export type Send = (method: string, path: string, request?: Sent) => Promise<Answer>;

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
}

/** A promise of the document, or something useful, and whether a mock keeps it. */
export interface MockProbe {
  readonly id: string;
  /** Of a row of the page. */
  readonly title: string;
  /** What is sent, and what must come. */
  readonly how: string;
  readonly holds: (send: Send, tool: MockTool) => Promise<boolean>;
}

const PET = '{"name":"Ernesto","categoryId":1,"status":"pending"}';

export const MOCK_PROBES: readonly MockProbe[] = [
  {
    id: 'created-is-read',
    title: 'what is posted can be read',
    how: 'POST /pets, then GET /pets/{id} of the new id gives the same name',
    holds: async (send) => {
      const created = await send('POST', '/pets', { body: PET });
      const { id } = JSON.parse(created.text) as { id?: unknown };
      const read = await send('GET', `/pets/${id}`);
      return created.status === 201 && read.status === 200 && JSON.parse(read.text).name === 'Ernesto';
    },
  },
  {
    id: 'filter',
    title: 'a list filters by a documented parameter',
    how: 'GET /pets?status=S gives records of status S only, for each of the three, three times',
    holds: (send) =>
      always(
        ['available', 'pending', 'sold', 'available', 'pending', 'sold', 'available', 'pending', 'sold'],
        async (status) => {
          const records = recordsOf(await send('GET', `/pets?status=${status}`));
          return records?.every((record) => record.status === status) ?? false;
        },
      ),
  },
  {
    id: 'page-size',
    title: 'a list has no more records than `limit`',
    how: 'GET /pets?limit=1, ten times',
    holds: (send) =>
      always(Array(10).fill('/pets?limit=1'), async (path) => {
        const records = recordsOf(await send('GET', path));
        return records !== undefined && records.length <= 1;
      }),
  },
  {
    id: 'unknown-id',
    title: 'an id that names no record is 404',
    how: 'GET /pets/4711',
    holds: async (send) => (await send('GET', '/pets/4711')).status === 404,
  },
  {
    id: 'invalid-refused',
    title: 'an invalid body gets the documented 400',
    how: 'POST /pets without `categoryId` gives a 400 with the members of the documented error',
    holds: async (send) => {
      const refusal = await send('POST', '/pets', { body: '{"name":"Ernesto"}' });
      const members = ['code', 'message', 'status'];
      return refusal.status === 400 && members.every((member) => refusal.text.includes(`"${member}"`));
    },
  },
  {
    id: 'error-says-why',
    title: 'and its body says what is wrong',
    how: 'without `categoryId` the refusal names that, and without `name` it names `name` and not `categoryId`',
    holds: async (send) => {
      const first = await send('POST', '/pets', { body: '{"name":"Ernesto"}' });
      const second = await send('POST', '/pets', { body: '{"categoryId":1}' });
      const areRefusals = first.status >= 400 && second.status >= 400;
      return areRefusals && first.text.includes('categoryId') && !/\bcategoryId\b/.test(second.text);
    },
  },
  {
    id: 'unauthorised',
    title: 'a request without a credential is 401',
    how: 'GET /pets without Authorization',
    holds: async (send) => (await send('GET', '/pets', { headers: { Authorization: '' } })).status === 401,
  },
  {
    id: 'exact-integers',
    title: 'integers beyond 2^53 stay exact',
    how: 'POST /pets with `categoryId` 9007199254740993 gives it back',
    holds: async (send) => {
      const body = '{"name":"Ernesto","categoryId":9007199254740993}';
      return (await send('POST', '/pets', { body })).text.includes('9007199254740993');
    },
  },
  {
    id: 'forced',
    title: 'a documented error can be asked for by a header',
    how: 'GET /pets/1 with `Prefer: code=404`, or what the tool has for it, gives a 404',
    holds: async (send, { forcing }) =>
      forcing !== undefined && (await send('GET', '/pets/1', { headers: forcing })).status === 404,
  },
  {
    id: 'cors',
    title: 'pages of other origins may send requests',
    how: 'OPTIONS /pets with Origin and Access-Control-Request-Method is allowed',
    holds: async (send) => {
      const headers = { Origin: 'https://page.example', 'Access-Control-Request-Method': 'POST' };
      const answer = await send('OPTIONS', '/pets', { headers });
      return answer.status < 300 && answer.headers['access-control-allow-origin'] !== undefined;
    },
  },
];

/** Needs a second start. */
export const SAME_AFTER_RESTART = {
  id: 'same-after-restart',
  title: 'the data is the same at every start',
  how: 'GET /pets gives the same bytes after a restart; Mockoon with `--faker-seed`',
};

async function always<Item>(
  items: readonly Item[],
  holds: (item: Item) => Promise<boolean>,
): Promise<boolean> {
  for (const item of items) if (!(await holds(item))) return false;
  return true;
}

function recordsOf(answer: Answer): readonly { readonly status?: string }[] | undefined {
  const value: unknown = answer.status === 200 ? JSON.parse(answer.text) : undefined;
  return Array.isArray(value) ? value : undefined;
}

/** @param url with the path that precedes those of the document */
export function sender(url: string): Send {
  // Not `fetch`, which writes the names of headers in small letters: not every tool finds these.
  return async (method, path, { headers = {}, body } = {}) => {
    const sent = {
      Authorization: AUTHORIZATION,
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    };
    const present = Object.entries(sent).filter(([, value]) => value !== '');
    const message = request(url + path, { method, headers: Object.fromEntries(present), agent: false });
    const answered = once(message, 'response') as Promise<[IncomingMessage]>;
    message.end(body);
    const [response] = await answered;
    return { status: response.statusCode ?? 0, text: await text(response), headers: response.headers };
  };
}
