import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CheckOptions } from './settings/check-options.ts';
import {
  bare,
  collection,
  documentOf,
  fetchOf,
  inPath,
  inQuery,
  keep,
  list,
  object,
  ok,
  type RoutedService,
  type Routes,
  sent,
  text,
} from './testing/routed-service.ts';
import { runCheckOf } from './testing/run-check.ts';

const CHANNEL = object({ key: text, title: text });

const PORT = object({ id: text, name: text });
const VIEW = [
  inQuery('fields', { description: 'Members to show, with commas.' }),
  inQuery('expand', { schema: { ...text, enum: ['port'] } }),
];

const RIVAL = { ...text, description: 'Only one of url, urlPath or urlPattern may be specified.' };
const STUB = {
  name: text,
  uuid: { ...text, description: 'Alias for the id.' },
  ...{ url: RIVAL, urlPath: RIVAL, urlPattern: RIVAL },
};

const CODE = inPath('code', { ...text, pattern: '^[A-Z]$', example: 'D' });

const SERVICES: Record<string, RoutedService> = {
  'each id of its form names a record': {
    document: documentOf({
      '/countries': { get: { responses: { 200: ok(list(object({ code: text, name: text }))) } } },
      '/countries/{code}': {
        get: { parameters: [CODE], responses: { 200: ok(object({ code: text })), 404: bare() } },
      },
      '/countries/{code}/towns': {
        get: { parameters: [CODE], responses: { 200: ok(list(object({ name: text }))), 404: bare() } },
      },
    }),
    start: () => {
      const isOne = (code = '') => /^[A-Z]$/.test(code);
      return {
        'GET /countries': () => [200, [{ code: 'D', name: 'Denmark' }]],
        'GET /countries/{code}': ({ ids: [code] }) => (isOne(code) ? [200, { code }] : [404, {}]),
        'GET /countries/{code}/towns': ({ ids: [code] }) =>
          isOne(code) ? [200, [{ name: `${code}-ville` }]] : [404, {}],
      };
    },
  },
  'the example of an optional parameter names what this one does not have': {
    document: documentOf(
      collection('/charts', {
        body: { name: text },
        more: { read: { parameters: [inQuery('provider', { schema: { ...text, example: 'my-plugin' } })] } },
      }),
    ),
    start: () => {
      const { routes, find } = keep('/charts', { name: 'Elbe' });
      return {
        ...routes,
        'GET /charts/{id}': ({ ids, query }) =>
          find(query.has('provider') ? undefined : ids[0], (record) => [200, record]),
      };
    },
  },
  'a condition of members is in the words of a create': {
    document: documentOf(
      collection('/members', {
        body: { name: text, email: text, phone: text },
        required: ['name'],
        invalid: 422,
        more: { create: { description: 'At least one of `email` and `phone` must be given.' } },
      }),
    ),
    start: () => {
      const { routes, add } = keep('/members', { name: 'Ada', email: 'ada@example.com' });
      const hasNone = ({ email, phone }: Record<string, unknown>) =>
        email === undefined && phone === undefined;
      return {
        ...routes,
        'POST /members': ({ body }) => (hasNone(body) ? [422, { message: 'none' }] : [201, add(body)]),
      };
    },
  },
  'a record has no position, and its state forbids a read': {
    document: documentOf({
      ...collection('/boats', { body: { name: text } }),
      '/boats/{id}/position': {
        parameters: [inPath('id')],
        get: {
          description: 'The last position. Where there is none the answer is 422.',
          responses: { 200: ok(object({ lat: { type: 'number' } })), 404: bare(), 422: bare() },
        },
      },
    }),
    start: () => {
      const { routes, find } = keep('/boats', { name: 'Ada' });
      return { ...routes, 'GET /boats/{id}/position': ({ ids }) => find(ids[0], () => [422, {}]) };
    },
  },
  'a read asks for a mode in words, and no refusal is documented': {
    document: documentOf({
      ...collection('/boats', { body: { name: text } }),
      '/radar': {
        get: {
          description: 'The harbour must be open for traffic to see it.',
          responses: { 200: ok(object({ range: { type: 'number' } })) },
        },
      },
    }),
    start: () => ({
      ...keep('/boats', { name: 'Ada' }).routes,
      'GET /radar': () => [400, { message: 'The harbour is closed.' }],
    }),
  },
  'the id has another name, and members exclude each other': {
    document: documentOf(
      collection('/stubs', {
        body: STUB,
        required: ['name'],
        item: {
          put: {
            requestBody: sent(object(STUB, ['name'])),
            responses: { 200: ok({}), 400: bare(), 404: bare() },
          },
        },
      }),
    ),
    start: () => {
      const { all, routes, add, change } = keep('/stubs', { name: 'Ada' });
      const plain = ({ name, url, urlPath, urlPattern }: Record<string, unknown>) =>
        url === undefined
          ? { name, ...(urlPath === undefined ? { urlPattern } : { urlPath }) }
          : { name, url };
      const named = (record: Record<string, unknown>) => ({ ...record, uuid: record.id });
      return {
        ...routes,
        'GET /stubs': () => [200, [...all.values()].map(named)],
        'GET /stubs/{id}': (asked) => {
          const [status, record] = routes['GET /stubs/{id}']?.(asked) ?? [500];
          return status === 200 ? [200, named(record as Record<string, unknown>)] : [status, record];
        },
        'POST /stubs': ({ body }) => [201, named(add(plain(body)))],
        'PUT /stubs/{id}': ({ ids, body }) => {
          const [status, record] = change(ids[0], () => plain(body));
          return status === 200 ? [200, named(record as Record<string, unknown>)] : [status, record];
        },
      };
    },
  },
  'only some records are kept': {
    document: documentOf(
      collection('/rules', {
        body: { name: text, enabled: { type: 'boolean' } },
        more: { create: { description: 'A rule is persisted only if `enabled` is true.' } },
        item: {
          put: {
            description: 'A disabled rule cannot be changed (400).',
            requestBody: sent(object({ name: text, enabled: { type: 'boolean' } })),
            responses: { 200: ok({}), 400: bare(), 404: bare() },
          },
        },
      }),
    ),
    start: () => {
      const { all, routes, add, change, find } = keep('/rules', { name: 'Ada', enabled: true });
      return {
        ...routes,
        'POST /rules': ({ body }) => {
          const made = add(body);
          if (!body.enabled) all.delete(made.id);
          return [201, made];
        },
        'PUT /rules/{id}': ({ ids: [id], body }) =>
          find(id, ({ enabled }) => (enabled ? change(id, () => body) : [400, { message: 'disabled' }])),
      };
    },
  },
  'optional parameters have examples of another installation': {
    document: documentOf({
      '/logs': {
        get: {
          parameters: [
            inQuery('service', { example: 'api' }),
            inQuery('region', { schema: { ...text, examples: ['eu-west-1'] } }),
          ],
          responses: { 200: ok(list(object({ line: text }))), 400: bare('Unknown service') },
        },
      },
    }),
    start: () => ({
      'GET /logs': ({ query }) =>
        [query.get('service') ?? 'web', query.get('region') ?? 'here'].join() === 'web,here'
          ? [200, [{ line: 'x' }]]
          : [400, { message: 'unknown service' }],
    }),
  },
  'a create says that texts are normalised, or a member does': {
    document: documentOf(
      collection('/contacts', {
        body: {
          name: text,
          email: { ...text, format: 'email' },
          phone: text,
          plate: { ...text, description: 'Any notation; stored in upper case.' },
        },
        required: ['name'],
        more: {
          create: { description: 'Names are trimmed, and telephones stored in the E.164 form.' },
          list: { parameters: [inQuery('email', { schema: { ...text, format: 'email' } })] },
        },
        item: {
          patch: {
            requestBody: sent(object({ email: { ...text, format: 'email' } }, [])),
            responses: { 200: ok({}), 400: bare(), 404: bare() },
          },
        },
      }),
    ),
    start: () => {
      const normal = ({ name, email, phone, plate, ...rest }: Record<string, string>) => ({
        ...rest,
        ...(name !== undefined && { name: name.trim() }),
        ...(email !== undefined && { email: email.toLowerCase() }),
        ...(phone !== undefined && { phone: `+${phone.replace(/\D/g, '')}` }),
        ...(plate !== undefined && { plate: plate.toUpperCase().replace(/\W/g, '') }),
      });
      const { all, add, change, routes } = keep(
        '/contacts',
        { name: 'Ada', email: 'ada@example.com' },
        normal,
      );
      const isPhone = (phone?: string) => phone === undefined || /^\+?[\d ()-]{6,}$/.test(phone);
      return {
        ...routes,
        'GET /contacts': ({ query }) => {
          const email = query.get('email')?.toLowerCase();
          return [200, [...all.values()].filter((one) => email === undefined || one.email === email)];
        },
        'POST /contacts': ({ body }) =>
          isPhone(body.phone) ? [201, add(body)] : [400, { message: 'phone' }],
        'PATCH /contacts/{id}': ({ ids: [id], body }) => change(id, (one) => ({ ...one, ...normal(body) })),
      };
    },
  },
  'fields are chosen, and records expanded': {
    document: documentOf({
      '/ports': { get: { responses: { 200: ok(list(PORT)) } } },
      ...collection('/ships', {
        body: { name: text, port: text },
        shown: { port: { oneOf: [text, PORT] } },
        more: {
          list: { parameters: [inQuery('name', { description: 'Only ships with this name.' }), ...VIEW] },
          read: { parameters: VIEW },
        },
      }),
    }),
    start: () => {
      const { all, routes, find } = keep('/ships', { name: 'Ada', port: 'p1' });
      const view = (query: URLSearchParams) => (ship: Record<string, unknown>) => {
        const names = query.get('fields')?.split(',');
        const port = query.has('expand') ? { id: ship.port, name: 'Alpha' } : ship.port;
        return Object.fromEntries(
          Object.entries({ ...ship, port }).filter(
            ([name]) => !names || name === 'id' || names.includes(name),
          ),
        );
      };
      return {
        ...routes,
        'GET /ports': () => [200, [{ id: 'p1', name: 'Alpha' }]],
        'GET /ships': ({ query }) => {
          const name = query.get('name');
          return [
            200,
            [...all.values()].filter((one) => name === null || one.name === name).map(view(query)),
          ];
        },
        'GET /ships/{id}': ({ ids: [id], query }) => find(id, (ship) => [200, view(query)(ship)]),
      };
    },
  },
  'patterns are not anchored': {
    document: documentOf(
      collection('/pods', {
        body: {
          name: text,
          memory: { ...text, pattern: '[0-9]+(Mi|Gi)' },
          version: { ...text, pattern: '[0-9]+\\.[0-9]+\\.[0-9]+' },
        },
      }),
    ),
    start: () => {
      const { routes, add } = keep('/pods', { name: 'Ada', memory: '1Gi', version: '1.0.0' });
      const isForm = ({ memory, version }: Record<string, string>) =>
        /^\d+[MG]i$/.test(memory ?? '') && /^\d+\.\d+\.\d+$/.test(version ?? '');
      return { ...routes, 'POST /pods': ({ body }) => (isForm(body) ? [201, add(body)] : [400, {}]) };
    },
  },
  'a PUT by a short key refuses the title of another record': {
    document: documentOf({
      '/channels': { get: { responses: { 200: ok(list(CHANNEL)) } } },
      '/channels/{key}': {
        parameters: [inPath('key', { ...text, pattern: '^[a-z]{2}$' })],
        get: { responses: { 200: ok(CHANNEL), 404: bare() } },
        put: {
          requestBody: sent(object({ title: text })),
          responses: {
            200: ok(CHANNEL),
            201: ok(CHANNEL),
            400: bare(),
            409: bare('Another channel has this title.'),
          },
        },
        delete: { responses: { 204: bare(), 404: bare() } },
      },
    }),
    start: () => {
      const all = new Map([['ma', { key: 'ma', title: 'Main' }]]);
      const find = (key = '') => all.get(key);
      return {
        'GET /channels': () => [200, [...all.values()]],
        'GET /channels/{key}': ({ ids: [key] }) => (find(key) ? [200, find(key)] : [404, {}]),
        'PUT /channels/{key}': ({ ids: [key = ''], body: { title } }) => {
          if ([...all.values()].some((one) => one.key !== key && one.title === title)) return [409, {}];
          const status = find(key) ? 200 : 201;
          all.set(key, { key, title });
          return [status, find(key)];
        },
        'DELETE /channels/{key}': ({ ids: [key = ''] }) => (all.delete(key) ? [204] : [404, {}]),
      };
    },
  },
};

const JOB = object({ id: text, status: { ...text, enum: ['running', 'done'] }, clusterId: text }, [
  'id',
  'status',
]);

for (const [where, headers] of [
  ['in Location', { Location: { schema: text } }],
  ['in the body', {}],
] as const)
  SERVICES[`a create is accepted, and its job is named ${where}`] = {
    document: documentOf({
      ...collection('/clusters', {
        body: { name: text },
        more: {
          create: { responses: { 202: { ...ok(JOB, 'Accepted'), headers }, 400: bare() } },
          remove: { responses: { 202: ok(JOB), 404: bare() } },
        },
        item: {
          patch: {
            requestBody: sent(object({ name: text }, [])),
            responses: { 202: ok(JOB), 400: bare(), 404: bare() },
          },
        },
      }),
      '/jobs/{id}': {
        parameters: [inPath('id')],
        get: { responses: { 200: ok(JOB), 404: bare() } },
      },
    }),
    start: () => {
      const { all, routes, find } = keep('/clusters', { name: 'main' });
      const jobs = keep('/jobs');
      const accept = (act: () => void, clusterId?: string) => {
        const { id } = jobs.add({ act, looks: 0, clusterId });
        const shown = { id, status: 'running' };
        return [202, shown, where === 'in Location' ? { Location: `/jobs/${id}` } : {}] as const;
      };
      return {
        ...routes,
        'POST /clusters': ({ body }) => {
          const id = randomUUID();
          return accept(() => all.set(id, { ...body, id }), id);
        },
        // Nobody looks at these: they are under way as long as the run goes on.
        'PATCH /clusters/{id}': ({ ids: [id] }) => find(id, () => accept(() => undefined)),
        'DELETE /clusters/{id}': ({ ids: [id] }) => find(id, () => accept(() => undefined)),
        'GET /jobs/{id}': ({ ids: [name] }) =>
          jobs.find(name, ({ id, act, looks, clusterId }) => {
            jobs.change(id, (job) => ({ ...job, looks: looks + 1 }));
            if (looks === 1) act();
            return [200, { id, status: looks > 0 ? 'done' : 'running', ...(looks > 0 && { clusterId }) }];
          }),
      };
    },
  };

for (const [flag, live, over] of [
  ['archived', false, true],
  ['deletedAt', null, '2026-01-01T00:00:00Z'],
] as const)
  SERVICES[`what was removed is shown with ${flag}, and what is below it stays`] = {
    document: documentOf({
      ...collection('/projects', {
        body: { name: text },
        shown: { [flag]: { type: ['boolean', 'string', 'null'], readOnly: true } },
      }),
      ...collection('/projects/{project}/tasks', { body: { title: text } }),
    }),
    start: () => {
      const projects = keep('/projects', { name: 'Ada' }, (body) => ({ ...body, [flag]: live }));
      const tasks = keep('/projects/{project}/tasks', {}, ({ title, project }) => ({ title, project }));
      const below = (project: string | undefined) =>
        [...tasks.all.values()].filter((one) => one.project === project).map(({ project: _, ...one }) => one);
      const find = ([project, id]: readonly string[]) => below(project).find((one) => one.id === id);
      return {
        ...projects.routes,
        'DELETE /projects/{id}': ({ ids: [id] }) =>
          projects.change(id, (one) => ({ ...one, [flag]: over }))[0] === 200 ? [204] : [404, {}],
        'GET /projects/{project}/tasks': ({ ids: [id] }) => projects.find(id, () => [200, below(id)]),
        'POST /projects/{project}/tasks': ({ ids: [id], body }) =>
          projects.find(id, () => [201, { ...body, id: tasks.add({ ...body, project: id }).id }]),
        'GET /projects/{project}/tasks/{id}': ({ ids }) => (find(ids) ? [200, find(ids)] : [404, {}]),
        'DELETE /projects/{project}/tasks/{id}': ({ ids }) =>
          find(ids) && tasks.all.delete(ids[1] ?? '') ? [204] : [404, {}],
      };
    },
  };

const PICTURE = { 'image/png': { schema: { ...text, format: 'byte' } } };
SERVICES['a picture is sent in base64, as its schema has it'] = {
  document: documentOf({
    '/logo': { get: { responses: { 200: { description: 'The logo', content: PICTURE } } } },
  }),
  start: () => ({ 'GET /logo': () => [200, 'iVBORw0KGgo=', { 'Content-Type': 'image/png' }] }),
};

const CREW = { $ref: '#/components/schemas/Crew' };
const WORK = { $ref: '#/components/schemas/Work' };
const work = object(
  { id: text, status: { ...text, enum: ['queued', 'succeeded', 'failed'] }, result: object({}), error: text },
  ['id', 'status'],
);
const ofCrew = { $ref: '#/components/schemas/NewCrew' };
const result = object({ index: { type: 'integer' }, crew: CREW, error: text }, ['index']);
const crews = (path: string, description: string, responses: object, more: object = {}) => ({
  ...documentOf({
    '/crews': {
      get: { responses: { 200: ok(list(CREW)) } },
      post: { requestBody: sent(ofCrew), responses: { 201: ok(CREW), 400: bare() } },
    },
    '/crews/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: ok(CREW), 404: bare() } },
      delete: { responses: { 204: bare(), 404: bare() } },
    },
    [path]: { post: { description, requestBody: sent(object({ crews: list(ofCrew) })), responses } },
    ...more,
  }),
  components: {
    schemas: { NewCrew: object({ name: text }), Crew: object({ id: text, name: text }), Work: work },
  },
});

SERVICES['results of several records are in another order, by their index'] = {
  document: crews('/crews/batch', 'Creates crews, each by itself.', {
    ...{ 200: ok(object({ results: list(result) })), 400: bare() },
  }),
  start: () => {
    const { routes, add } = keep('/crews', { name: 'Ada' });
    const made = (one: Record<string, unknown>, index: number) => ({ index, crew: add(one) });
    return {
      ...routes,
      'POST /crews/batch': ({ body }) => [200, { results: body.crews.map(made).toReversed() }],
    };
  },
};

SERVICES['a job shows no result, and is gone when its end was seen'] = {
  document: crews(
    '/imports',
    'Creates crews.',
    { 202: { ...ok(WORK), headers: { Location: { schema: text } } }, 400: bare() },
    { '/works/{id}': { parameters: [inPath('id')], get: { responses: { 200: ok(WORK), 404: bare() } } } },
  ),
  start: () => {
    const { routes, add } = keep('/crews', { name: 'Ada' });
    const works = keep('/works');
    return {
      ...routes,
      'POST /imports': ({ body }) => {
        const { id } = works.add({ looks: 0 });
        for (const one of body.crews) add(one);
        return [202, { id, status: 'queued' }, { Location: `/works/${id}` }];
      },
      'GET /works/{id}': ({ ids: [name] }) =>
        works.find(name, ({ id, looks }) => {
          works.change(id, (work) => ({ ...work, looks: looks + 1 }));
          if (looks > 1) works.all.delete(id);
          return [200, { id, status: looks > 1 ? 'succeeded' : 'queued' }];
        }),
    };
  },
};

SERVICES['a credential is asked for of which the document says nothing but 401'] = {
  document: documentOf({
    ...collection('/boats', { body: { name: text } }),
    '/me': { get: { responses: { 200: ok(object({ name: text })), 401: bare() } } },
    '/me/orders/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: ok(object({ name: text })), 401: bare(), 404: bare() } },
    },
  }),
  start: () => ({
    ...keep('/boats', { name: 'Ada' }).routes,
    'GET /me': () => [401, {}],
    'GET /me/orders/{id}': () => [401, {}],
  }),
};

SERVICES['a record is made at its path'] = {
  document: documentOf({
    '/tags': { get: { responses: { 200: ok(list(object({ name: text }))) } } },
    '/tags/{name}': {
      parameters: [inPath('name')],
      get: { responses: { 200: ok(object({ name: text })), 404: bare() } },
      post: { responses: { 200: bare(), 400: bare() } },
      delete: { responses: { 204: bare(), 404: bare() } },
    },
  }),
  start: () => {
    const all = new Map([['a', { name: 'a' }]]);
    return {
      'GET /tags': () => [200, [...all.values()]],
      'GET /tags/{name}': ({ ids: [id = ''] }) => (all.has(id) ? [200, all.get(id)] : [404, {}]),
      'POST /tags/{name}': ({ ids: [id = ''] }) => {
        if (all.has(id)) return [400, { message: 'exists' }];
        all.set(id, { name: id });
        return [200];
      },
      'DELETE /tags/{name}': ({ ids: [id = ''] }) => (all.delete(id) ? [204] : [404, {}]),
    };
  },
};

const SECURED = { components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } } };

SERVICES['a change of the own password needs the one that the account has'] = {
  document: {
    ...documentOf({
      ...collection('/users', { body: { name: text } }),
      '/users/change-password': {
        post: {
          security: [{ key: [] }],
          requestBody: sent(object({ currentPassword: text, newPassword: text })),
          responses: { 201: bare() },
        },
      },
    }),
    ...SECURED,
  },
  start: () => ({
    ...keep('/users', { name: 'Ada' }).routes,
    'POST /users/change-password': () => [403, { message: 'wrong' }],
  }),
};

SERVICES['only some texts are names of what is looked up elsewhere'] = {
  document: documentOf({
    '/plugins': { get: { responses: { 200: ok(list(object({ name: text, displayName: text }))) } } },
    '/plugins/lookup/{pluginName}': {
      parameters: [inPath('pluginName')],
      get: { responses: { 200: ok({}) } },
    },
    '/backups/{backupId}': {
      parameters: [inPath('backupId', { type: 'number' })],
      get: { responses: { 200: ok({}) } },
    },
  }),
  start: () => ({
    'GET /plugins': () => [200, [{ name: 'plugin-a', displayName: 'The A' }]],
    'GET /plugins/lookup/{pluginName}': ({ ids: [name = ''] }) =>
      name.startsWith('plugin-') ? [404, {}] : [400, { message: 'Invalid plugin name.' }],
    'GET /backups/{backupId}': ({ ids: [id = ''] }) => (/^\d+$/.test(id) ? [404, {}] : [400, {}]),
  }),
};

SERVICES['an act takes no number that was made up'] = {
  document: documentOf({
    ...collection('/boats', { body: { name: text } }),
    '/kv/range': {
      post: {
        requestBody: sent(object({ key: text, limit: text, revision: { type: 'integer' } }, [])),
        responses: { 200: ok(object({ count: text })) },
      },
    },
  }),
  start: () => ({
    ...keep('/boats', { name: 'Ada' }).routes,
    'POST /kv/range': ({ body }) =>
      body.key === undefined || body.revision !== undefined
        ? [400, { message: 'no' }]
        : [200, { count: '0' }],
  }),
};

SERVICES['an act is refused for what is there'] = {
  document: documentOf({
    ...collection('/roles', { body: { name: text } }),
    '/roles/grant': {
      post: {
        requestBody: sent(object({ role: text, user: text })),
        responses: { 200: ok({}), 400: bare() },
      },
    },
    '/auth/enable': { post: { requestBody: sent(object({})), responses: { 200: ok({}), 400: bare() } } },
  }),
  start: () => ({
    ...keep('/roles', { name: 'Ada' }).routes,
    'POST /roles/grant': () => [412, { message: 'role name not found' }],
    'POST /auth/enable': () => [412, { message: 'root user does not exist' }],
  }),
};

/** Another client removes everything at each of these requests. */
function clearedAt(isCleared: (number: number) => boolean): RoutedService {
  const change = {
    requestBody: sent(object({ name: text })),
    responses: { 200: ok({}), 400: bare(), 404: bare() },
  };
  return {
    document: documentOf({
      ...collection('/boats', { body: { name: text }, item: { put: change } }),
      ...collection('/boats/{boat}/crew', { body: { name: text } }),
    }),
    start: () => {
      const boats = keep('/boats', { name: 'Ada' });
      const crew = new Map<string, ReturnType<typeof keep>>();
      const crewOf = (boat = '') => {
        const own = crew.get(boat) ?? keep('/boats/{boat}/crew', { name: 'Bob' });
        crew.set(boat, own);
        return own.routes;
      };
      const below = Object.keys(crewOf()).map((route): [string, Routes[string]] => [
        route,
        (asked) => boats.find(asked.ids[0], () => crewOf(asked.ids[0])[route]?.(asked) ?? [501]),
      ]);
      const routes: Routes = {
        ...boats.routes,
        ...Object.fromEntries(below),
        'PUT /boats/{id}': ({ ids, body }) => boats.change(ids[0], () => body),
      };
      let number = 0;
      return Object.fromEntries(
        Object.entries(routes).map(([route, answer]): [string, Routes[string]] => [
          route,
          (asked) => {
            if (isCleared(++number)) boats.all.clear();
            return answer(asked);
          },
        ]),
      );
    },
  };
}
SERVICES['another client clears it once'] = clearedAt((number) => number === 60);
SERVICES['another client clears it again and again'] = clearedAt((number) => number % 120 === 0);

const OPTIONS: readonly Partial<CheckOptions>[] = [{}, { disposable: true }, { strict: ['statuses'] }];

const runs = Object.entries(SERVICES).flatMap(([name, service]) =>
  OPTIONS.map((options) => [name, JSON.stringify(options), service, options] as const),
);

test.each(runs)('a correct service is accused of nothing where %s (%s)', async (_, __, service, options) => {
  const fetch = await fetchOf(service);
  const { causes, exitCode } = await runCheckOf(service.document, { settle: 100, ...options, fetch });
  const gating = causes.filter(({ gates }) => gates);
  expect(gating.map(({ law, title, received }) => `${law}: ${title}: ${received}`)).toEqual([]);
  expect([0, 4]).toContain(exitCode);
});

test('records are made below new ones where somebody else has removed those of the run', async () => {
  const service = SERVICES['another client clears it once'] as RoutedService;
  const { cases } = await runCheckOf(service.document, { fetch: await fetchOf(service), disposable: true });
  const lacking = cases.filter(({ reason }) => /creating one answers 404/.test(reason ?? ''));
  expect(lacking.map(({ id }) => id)).toEqual([]);
});

test('the 409 of a PUT by key is reached with a fresh key', async () => {
  const service = SERVICES['a PUT by a short key refuses the title of another record'] as RoutedService;
  const report = await runCheckOf(service.document, { fetch: await fetchOf(service) });
  expect(report.cells.filter(({ verdict }) => verdict !== 'covered')).toEqual([]);
});

test('what a POST makes at its path is removed again', async () => {
  const service = SERVICES['a record is made at its path'] as RoutedService;
  const report = await runCheckOf(service.document, { fetch: await fetchOf(service) });
  expect(report.operations.map(({ verdict }) => verdict)).toEqual(Array(4).fill('covered'));
  expect(report.created).toEqual([]);
});

test('what words may excuse is worth a look, and gates with --strict presumed', async () => {
  const service = SERVICES['a condition of members is in the words of a create'] as RoutedService;
  const check = async (options: Partial<CheckOptions>) =>
    runCheckOf(service.document, { ...options, fetch: await fetchOf(service) });
  expect((await check({})).causes).toMatchObject([{ law: 'status', gates: false, worthALook: {} }]);
  expect(await check({ strict: ['presumed'] })).toMatchObject({ exitCode: 1 });
});

test('results that lack one of several records are found', async () => {
  const service = SERVICES[
    'results of several records are in another order, by their index'
  ] as RoutedService;
  const start: RoutedService['start'] = () => {
    const routes = service.start();
    return {
      ...routes,
      'POST /crews/batch': (asked) => {
        const [, body] = routes['POST /crews/batch']?.(asked) ?? [];
        return [200, { results: (body as { results: unknown[] }).results.slice(1) }];
      },
    };
  };
  const { causes, exitCode } = await runCheckOf(service.document, {
    fetch: await fetchOf({ ...service, start }),
  });
  expect(causes.filter(({ law }) => law === 'results')).not.toEqual([]);
  expect(exitCode).toBe(0);
});

test('a new record never has the second id of another one, which a service may replace', async () => {
  const document = documentOf(
    collection('/stubs', { body: { uuid: { ...text, format: 'uuid' }, name: text }, required: ['name'] }),
  );
  const { routes, all, add } = keep('/stubs', { name: 'Elbe', uuid: 'a2b9b0a4-7a4f-4d8e-9a51-0d6a3a1e5f10' });
  const [first] = all.values();
  const start: RoutedService['start'] = () => ({
    ...routes,
    'POST /stubs': ({ body }) => {
      const same = [...all.values()].find(({ uuid }) => uuid !== undefined && uuid === body.uuid);
      if (same) all.set(same.id, { ...same, ...body });
      return [201, same ? all.get(same.id) : add(body)];
    },
  });
  await runCheckOf(document, { fetch: await fetchOf({ document, start }), disposable: true });
  expect(all.get(first?.id)).toEqual(first);
});
