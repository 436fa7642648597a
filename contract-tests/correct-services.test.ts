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
  sent,
  text,
} from './testing/routed-service.ts';
import { runCheckOf } from './testing/run-check.ts';

const SERVICES: Record<string, RoutedService> = {
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
};

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

test('what words may excuse is worth a look, and gates with --strict presumed', async () => {
  const service = SERVICES['a condition of members is in the words of a create'] as RoutedService;
  const check = async (options: Partial<CheckOptions>) =>
    runCheckOf(service.document, { ...options, fetch: await fetchOf(service) });
  expect((await check({})).causes).toMatchObject([{ law: 'status', gates: false, worthALook: {} }]);
  expect(await check({ strict: ['presumed'] })).toMatchObject({ exitCode: 1 });
});
