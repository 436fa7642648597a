import { describe, expect, test } from 'vitest';
import { compat, renderChangelog } from './index.ts';
import { compared, written } from './testing/compared.ts';
import { answered, asked, documentOf, json, OK, posted } from './testing/documents.ts';

/** What users say of changes: how long things stay, what is accepted, and who reads of it. */
const text = { type: 'string' };
const limited = (limits: object) =>
  posted({ type: 'object', properties: { name: { ...text, ...limits }, size: { type: 'integer' } } });
const dayAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('deprecationDays', () => {
  const ending = (members: object) =>
    documentOf({ '/things': { get: { operationId: 'list', ...members, responses: OK } } });

  test.for([
    ['enough days', { deprecated: true, 'x-sunset': dayAhead(100) }, 90, []],
    ['too few days', { deprecated: true, 'x-sunset': dayAhead(30) }, 90, ['sunset-too-soon']],
    ['no day', { deprecated: true }, 90, ['sunset-missing']],
    ['no day, and none is needed', { deprecated: true }, 0, []],
  ] as const)('%s', async ([, members, deprecationDays, breaking]) => {
    const { changes = [], exitCode } = await compared([ending({}), ending(members)], { deprecationDays });
    const rules = changes.filter((one) => one.class === 'breaking').map(({ rule }) => rule);
    expect({ rules, exitCode }).toEqual({ rules: breaking, exitCode: breaking.length > 0 ? 1 : 0 });
  });

  test('what was deprecated before, and ends when it was to, is not judged again', async () => {
    const before = ending({ deprecated: true, 'x-sunset': dayAhead(30) });
    const { exitCode } = await compared(
      [before, ending({ deprecated: true, 'x-sunset': dayAhead(30), summary: 'A' })],
      {
        deprecationDays: 90,
      },
    );
    expect(exitCode).toBe(0);
  });

  test.for(['a parameter', 'a member'] as const)('of %s', async (what) => {
    const mark = { deprecated: true, 'x-sunset': dayAhead(1) };
    const make = (marks: object) =>
      what === 'a parameter'
        ? asked([{ name: 'a', in: 'query', schema: text, ...marks }])
        : answered({ type: 'object', properties: { a: { ...text, ...marks } } });
    const { changes = [] } = await compared([make({}), make(mark)], { deprecationDays: 7 });
    expect(changes.filter((one) => one.class === 'breaking')).toMatchObject([{ rule: 'sunset-too-soon' }]);
  });
});

describe('--known', () => {
  test('two parameters that one operation now requires are two breaks', async () => {
    const required = (name: string) => ({ name, in: 'query', required: true, schema: text });
    const { causes } = await compared([asked([]), asked([required('page'), required('tenant')])]);
    expect(causes.map(({ title, received }) => [/`(.+)`/.exec(title)?.[1], received])).toEqual([
      ['page', expect.stringContaining('query page is required')],
      ['tenant', expect.stringContaining('query tenant is required')],
    ]);
  });

  const pair = [limited({}), limited({ maxLength: 9, pattern: '^[a-z]+$' })] as const;

  test('two limits on one member are accepted one by one', async () => {
    const { changes = [] } = await compared(pair);
    const keys = changes.map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
    const entry = (key: string | undefined, until: string) => JSON.stringify({ key, until, why: 'agreed' });
    const accept = async (...entries: string[]) => {
      const { exitCode, findings } = await compared(pair, { known: await written(`[${entries.join()}]`) });
      return { exitCode, open: findings.filter(({ gates }) => gates).map(({ key }) => key) };
    };
    const [first, second] = keys;
    expect(await accept(entry(first, '2999-01-01'))).toEqual({ exitCode: 1, open: [second] });
    expect(await accept(entry(second, '2999-01-01'))).toEqual({ exitCode: 1, open: [first] });
    expect(await accept(entry(first, '2999-01-01'), entry(second, '2999-01-01'))).toEqual({
      exitCode: 0,
      open: [],
    });
    expect(await accept(entry(first, '2999-01-01'), entry(second, '2020-01-01'))).toEqual({
      exitCode: 1,
      open: [second],
    });
  });

  test('a break that is gone, and a day that is over, are told', async () => {
    const [{ key = '' } = {}] = (await compared(pair)).changes ?? [];
    const known = await written(
      JSON.stringify([
        { key, until: '2020-01-01' },
        { key: 'status/none', until: '2999-01-01' },
      ]),
    );
    const { warnings, exitCode } = await compared(pair, { known });
    expect(exitCode).toBe(1);
    expect(warnings).toEqual([
      `${key} (--known): the entry expired on 2020-01-01; the break counts again`,
      'status/none (--known): there is no such break any more; remove the entry',
    ]);
  });
});

describe('the semantic version that follows', () => {
  const versioned = (version: string, schema: object, description = 'A thing.') => ({
    ...documentOf({ '/things': { get: { responses: { 200: { description, ...json(schema) } } } } }),
    info: { title: 'Things', version },
  });
  const small = { type: 'object', required: ['a'], properties: { a: text } };
  const large = { ...small, properties: { a: text, b: text } };
  const loose = { ...small, required: [] };
  const noted = { ...small, properties: { a: { ...text, default: 'x' } } };

  test.for([
    ['something breaks', small, loose, '1.2.3', '2.0.0', ['major', '2.0.0', true]],
    ['too small a step', small, loose, '1.2.3', '1.3.0', ['major', '2.0.0', false]],
    ['something is new', small, large, '1.2.3', '1.3.0', ['minor', '1.3.0', true]],
    ['a later version will do', small, large, '1.2.3', '4.0', ['minor', '1.3.0', true]],
    ['a note', small, noted, '1.2.3', '1.2.4', ['patch', '1.2.4', true]],
    ['nothing', small, small, '1.2.3', '1.2.3', ['none', '1.2.3', true]],
    ['no semantic version', small, large, 'today', '1.3.0', ['minor', undefined, undefined]],
  ] as const)('%s', async ([, old, next, from, to, [follows, expected, isEnough]]) => {
    const { semanticVersion } = await compared([versioned(from, old), versioned(to, next)]);
    expect(semanticVersion).toEqual({ follows, old: from, new: to, expected, isEnough });
  });

  test('an accepted break is still one', async () => {
    const pair = [versioned('1.0.0', small), versioned('1.0.1', loose)] as const;
    const [{ key = '' } = {}] = (await compared(pair)).changes ?? [];
    const known = await written(JSON.stringify([{ key, until: '2999-01-01' }]));
    const { exitCode, semanticVersion } = await compared(pair, { known });
    expect([exitCode, semanticVersion?.follows]).toEqual([0, 'major']);
  });
});

describe('the changelog', () => {
  test('what breaks first, with reasons; what is compatible without', async () => {
    const old = documentOf({
      '/things': {
        get: { operationId: 'list', parameters: [{ name: 'n', in: 'query', schema: text }], responses: OK },
      },
    });
    const next = documentOf({
      '/things': {
        get: {
          operationId: 'list',
          parameters: [{ name: 'n', in: 'query', required: true, schema: text }],
          responses: OK,
        },
      },
      '/others': { get: { operationId: 'more_*', responses: OK } },
    });
    const report = await compared([old, next]);
    const [heading = '', ...rest] = renderChangelog(report).split('\n');
    expect(heading).toMatch(/^## Changes from .*json to .*json$/);
    expect(rest.join('\n')).toBe(
      [
        '',
        '### Breaking changes',
        '',
        '- the query parameter `n` of list: now required (existing clients may omit it)',
        '',
        '### Compatible changes',
        '',
        '- more\\_\\*: operation added: GET /others',
        '',
        'Semantic version: major, 2.0.0 or later.',
        '',
      ].join('\n'),
    );
  });

  test('nothing', async () => {
    const report = await compat('fixtures/compat/old.yaml', 'fixtures/compat/old.yaml');
    expect(renderChangelog(report)).toBe(
      '## Changes from fixtures/compat/old.yaml to fixtures/compat/old.yaml\n\nNothing that clients see has changed.\n',
    );
  });
});
