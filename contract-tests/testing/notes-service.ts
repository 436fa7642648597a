import type { Fetch } from '../send/client.ts';

interface Note {
  readonly id: number;
  readonly name: string;
  readonly size: number;
}

/** The differences of a service of notes from an ordinary one. */
export interface NotesOptions {
  /** The paths of its collections. */
  readonly collections?: readonly string[];
  /** Whether a note can be removed. */
  readonly removable?: boolean;
  /** The token that each request needs. */
  readonly token?: string;
}

const COLLECTIONS = ['/notes'];
const ITEM = { $ref: '#/components/schemas/Note' };
const as = (schema: object) => ({ description: '', content: { 'application/json': { schema } } });
const bare = { description: '' };

/** A document with equal collections. */
export function notesDocument(options: NotesOptions = {}, paths: object = {}): object {
  const { collections = COLLECTIONS, removable = true, token } = options;
  const refused = token === undefined ? {} : { 401: bare };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const requestBody = { required: true, content: { 'application/json': { schema: ITEM } } };
  const pathsOf = (path: string) => ({
    [path]: {
      get: { responses: { 200: as({ type: 'array', items: ITEM }), ...refused } },
      post: { requestBody, responses: { 201: as(ITEM), 400: bare, ...refused } },
    },
    [`${path}/{id}`]: {
      parameters,
      get: { responses: { 200: as(ITEM), 404: bare, ...refused } },
      ...(removable && { delete: { responses: { 204: bare, 404: bare, ...refused } } }),
    },
  });
  return {
    openapi: '3.1.1',
    info: { title: 'Notes', version: '1' },
    ...(token !== undefined && { security: [{ token: [] }] }),
    paths: { ...Object.assign({}, ...collections.map(pathsOf)), ...paths },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Note: {
          type: 'object',
          required: ['name'],
          properties: {
            id: { type: 'integer', readOnly: true },
            name: { type: 'string', minLength: 1, maxLength: 60 },
            size: { type: 'integer', minimum: 1, maximum: 9 },
          },
        },
      },
    },
  };
}

/** A hand-written service of notes, independent of the mock and of how documents are read. */
export interface NotesService {
  readonly fetch: Fetch;
  /** The received requests in order: `POST /notes`. */
  readonly received: readonly string[];
  readonly notes: ReadonlyMap<string, readonly Note[]>;
}

/** @param others responds to requests that are not about notes */
export function createNotes(
  options: NotesOptions = {},
  others: (method: string, path: string) => Response | undefined = () => undefined,
): NotesService {
  const { collections = COLLECTIONS, removable = true, token } = options;
  const notes = new Map<string, Note[]>(collections.map((path) => [path, []]));
  const received: string[] = [];
  let lastId = 0;

  async function respond({ method, url, headers }: Request, text: string): Promise<Response> {
    const { pathname } = new URL(url);
    received.push(`${method} ${pathname}`);
    if (token !== undefined && headers.get('authorization') !== `Bearer ${token}`) return empty(401);
    const other = others(method, pathname);
    if (other) return other;
    const [, path = '', id] = /^(\/[^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
    const all = notes.get(path);
    if (!all) return empty(404);
    if (id === undefined && method === 'GET') return Response.json(all);
    if (id === undefined && method === 'POST') {
      const sent = readNote(text);
      if (!sent) return empty(400);
      const note = { ...sent, id: ++lastId };
      all.push(note);
      return Response.json(note, { status: 201 });
    }
    const index = all.findIndex((note) => String(note.id) === id);
    if (id === undefined || !['GET', ...(removable ? ['DELETE'] : [])].includes(method)) return empty(405);
    if (index < 0) return empty(404);
    if (method === 'GET') return Response.json(all[index]);
    all.splice(index, 1);
    return empty(204);
  }

  return {
    received,
    notes,
    fetch: async (url, init) => {
      const request = new Request(url, init);
      return respond(request, await request.text());
    },
  };
}

const empty = (status: number) => new Response(null, { status });

/** Undefined: it is invalid. */
function readNote(text: string): Omit<Note, 'id'> | undefined {
  try {
    const { name, size = 1 } = JSON.parse(text);
    const isNamed = typeof name === 'string' && name !== '' && [...name].length <= 60;
    return isNamed && Number.isInteger(size) && size >= 1 && size <= 9 ? { name, size } : undefined;
  } catch {
    return undefined;
  }
}
