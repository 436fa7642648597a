import { expect, test } from 'vitest';
import type { Contract } from '../contract.ts';
import { contractOf, problemsOf } from '../testing/contract-of.ts';
import { placeOf, rawChild, type Spot } from './spot.ts';

const DOCUMENT = `openapi: 3.1.1
info: {title: A service, version: "1"}
paths:
  /things:
    get:
      tags: [one, two]
      parameters:
        - {name: old, in: query, schema: {type: string}}
        - {name: kept, in: query, schema: {type: string}}
      responses: {"200": {description: Done}}
    post: {responses: {"201": {description: Made}}}
`;

/** An overlay whose actions start in line 3. */
const overlay = (...actions: string[]) =>
  ['overlay: 1.0.0', 'actions:', ...actions.map((action) => `  - ${action}`), ''].join('\n');

const apply = (actions: string[], document = DOCUMENT): Promise<Contract> =>
  contractOf({ 'a.yaml': document, 'o.yaml': overlay(...actions) }, { overlays: ['o.yaml'] });

const follow = ({ document }: Contract, ...path: string[]): Spot =>
  path.reduce((here, step) => rawChild(here, step) as Spot, document.root);

const shownAt = (spot: Spot) => {
  const { uri, line } = placeOf(spot);
  return `${uri.replace(/^.*\//, '')}:${line}`;
};

const GET = ['paths', '/things', 'get'];

test('an update merges objects, appends to lists, and replaces anything else', async () => {
  const contract = await apply([
    '{target: $.info, update: {title: Another, x-more: {deep: [1]}}}',
    '{target: $.info, update: {x-more: {deep: [2, 3], other: true}}}',
    '{target: "$.paths[\'/things\'].get.tags", update: three}',
    '{target: "$.paths.*.get", update: {tags: [four]}}',
    '{target: "$.paths.*.post.responses.*", update: {description: {now: an object}}}',
  ]);
  expect(contract.document.root.value).toMatchObject({
    info: { title: 'Another', version: '1', 'x-more': { deep: [1, 2, 3], other: true } },
    paths: {
      '/things': {
        get: { tags: ['one', 'two', 'three', 'four'] },
        post: { responses: { 201: { description: { now: 'an object' } } } },
      },
    },
  });
  expect(contract.title).toBe('Another');
});

test('what an overlay adds has its place there, and the rest keeps the one in the document', async () => {
  const contract = await apply([
    '{target: "$.paths.*.get.parameters[?@.name==\'old\']", remove: true}',
    '{target: "$.paths.*.get.parameters", update: {name: late, in: query}}',
    '{target: $, update: {paths: {/things: {get: {summary: Lists}}, /more: {get: {responses: {}}}}}}',
  ]);
  const parameters = follow(contract, ...GET, 'parameters');
  expect(parameters.value).toMatchObject([{ name: 'kept' }, { name: 'late' }]);
  expect(shownAt(follow(contract, ...GET, 'parameters', '0', 'name'))).toBe('a.yaml:9');
  expect(shownAt(follow(contract, ...GET, 'parameters', '1'))).toBe('o.yaml:4');
  expect(shownAt(follow(contract, ...GET, 'summary'))).toBe('o.yaml:5');
  expect(shownAt(follow(contract, ...GET, 'responses', '200'))).toBe('a.yaml:10');
  expect(shownAt(follow(contract, 'paths', '/more', 'get', 'responses'))).toBe('o.yaml:5');
});

test('actions follow each other: what one adds the next one changes, in the other places not', async () => {
  const contract = await apply([
    '{target: $.paths.*.*, update: {x-mark: {list: [1]}}}',
    '{target: $.paths.*.get.x-mark, update: {list: [2]}}',
    '{target: $.paths.*.post, remove: true}',
    '{target: "$.paths[\'/things\']", update: {post: {responses: {}}}}',
  ]);
  expect(follow(contract, ...GET, 'x-mark').value).toEqual({ list: [1, 2] });
  expect(follow(contract, 'paths', '/things', 'post').value).toEqual({ responses: {} });
});

test('a copy (Overlay 1.1) keeps the place of what was copied', async () => {
  const actions = [
    '{target: $.paths, update: {/others: {}}}',
    '{target: "$.paths[\'/others\']", copy: "$.paths[\'/things\']"}',
    '{target: "$.paths[\'/others\'].get", update: {tags: [three]}}',
  ];
  const contract = await apply(actions);
  expect(follow(contract, ...GET, 'tags').value).toEqual(['one', 'two']);
  expect(follow(contract, 'paths', '/others', 'get', 'tags').value).toEqual(['one', 'two', 'three']);
  expect(shownAt(follow(contract, 'paths', '/others', 'post'))).toBe('a.yaml:11');
  expect(contract.operations.map(({ id }) => id)).toContain('POST /others');
});

test('several overlays, in JSON too, are applied in their order, to Swagger 2.0 before it is converted', async () => {
  const swagger = `swagger: "2.0"
info: {title: Old, version: "1"}
paths: {/a: {get: {produces: [text/plain], responses: {"200": {description: Done, schema: {type: string}}}}}}
`;
  const json = {
    overlay: '1.0.0',
    actions: [{ target: '$.info', update: { version: '3', huge: 2n ** 60n } }],
  };
  const contract = await contractOf(
    {
      'a.yaml': swagger,
      'one.yaml': overlay(
        '{target: $.info, update: {version: "2"}}',
        '{target: "$.paths.*.get.produces[0]", remove: true}',
      ),
      'two.json': json,
    },
    { overlays: ['one.yaml', 'two.json'] },
  );
  expect(contract.version).toBe('3');
  expect(contract.document.root.value).toMatchObject({ openapi: '3.0.4', info: { huge: 2n ** 60n } });
  const [response] = contract.operations[0]?.responses ?? [];
  expect(response?.content.map(({ type }) => type)).toEqual(['application/json']);
});

test('a reference in an overlay counts from the document', async () => {
  const contract = await contractOf(
    {
      'a.yaml': DOCUMENT,
      'o.yaml': overlay('{target: $.paths, update: {/b: {$ref: "b.yaml"}}}'),
      'b.yaml': 'get: {responses: {"200": {description: Done}}}\n',
    },
    { overlays: ['o.yaml'] },
  );
  expect(contract.operations.map(({ id }) => id)).toContain('GET /b');
});

/** The expected line and message of each problem; the overlay is `o.yaml`. */
const REFUSED: [name: string, { text: string; want: string[] }][] = [
  [
    'no overlay',
    {
      text: 'openapi: 3.1.0\n',
      want: ['o.yaml:1: this is no overlay: the member "overlay" (1.0.x or 1.1.x) is missing'],
    },
  ],
  ['a text', { text: 'overlay\n', want: ['o.yaml:1: this is no overlay: it must be an object'] }],
  [
    'an unknown version',
    {
      text: 'overlay: 2.0.0\nactions: []\n',
      want: ['o.yaml:1: "overlay" must be a version 1.0.x or 1.1.x, not "2.0.0"'],
    },
  ],
  [
    'no actions',
    { text: 'overlay: 1.0.0\nactions: {}\n', want: ['o.yaml:2: an overlay must have a list of "actions"'] },
  ],
  [
    'wrong actions, each of them',
    {
      text: overlay(
        '7',
        '{update: {}}',
        '{target: [], update: {}}',
        '{target: "paths[", update: {}}',
        '{target: $.info, remove: maybe}',
        '{target: $.info, update: [1]}',
        '{target: $, remove: true}',
        '{target: $.info, copy: $.paths.*.*}',
      ),
      want: [
        'o.yaml:3: an action must be an object, not 7',
        'o.yaml:4: the action has no "target"',
        'o.yaml:5: "target" must be a text, a JSONPath, not a list',
        expect.stringMatching(/^o\.yaml:6: "target" is no JSONPath \(RFC 9535\): ./),
        'o.yaml:7: "remove" must be true or false, not "maybe"',
        expect.stringMatching(
          /^o\.yaml:8: only an object can be merged into the target, an object \(.*a\.yaml:2\)$/,
        ),
        'o.yaml:9: the whole document cannot be removed',
        'o.yaml:10: "copy" must match exactly one part of the document',
      ],
    },
  ],
  [
    'copies that grow without bound',
    {
      // Each member of `x` contains the previous one twice.
      text: overlay(
        '{target: $.info, update: {x: {"0": {}}}}',
        ...Array.from({ length: 40 }, (_, n) => [
          `{target: $.info.x, update: {"${n + 1}": {l: {}, r: {}}}}`,
          `{target: "$.info.x['${n + 1}']['l', 'r']", copy: "$.info.x['${n}']"}`,
        ]).flat(),
      ),
      want: ['o.yaml:2: with these actions the aliases expand to more than 5000000 values'],
    },
  ],
];

test.for(REFUSED)('%s is refused with its line', async ([, { text, want }]) => {
  const problems = await problemsOf({ 'a.yaml': DOCUMENT, 'o.yaml': text }, { overlays: ['o.yaml'] });
  expect(problems.map(({ uri, line, message }) => `${uri}:${line}: ${message}`)).toEqual(want);
});

test('what changes nothing, and what is for another document, is a warning with its line', async () => {
  const text = `${overlay('{target: $.paths.*.delete, update: {}}', '{target: $.info}')}extends: other.yaml\n`;
  const files = { 'a.yaml': DOCUMENT, 'o.yaml': text };
  const { warnings } = await contractOf(files, { overlays: ['o.yaml'] });
  const shown = warnings.map(({ uri, line, message }) => `${uri.replace(/^.*\//, '')}:${line}: ${message}`);
  expect(shown).toEqual([
    'o.yaml:4: the action has neither "update" nor "copy" nor "remove: true"; it is ignored',
    expect.stringMatching(/^o\.yaml:5: the overlay is for other\.yaml, and is applied to .*a\.yaml$/),
    'o.yaml:3: the target $.paths.*.delete matches nothing in the document; the action is ignored',
  ]);
  expect(await problemsOf(files, { overlays: ['o.yaml'] })).toHaveLength(3);
  const own = await contractOf(
    { ...files, 'o.yaml': text.replace('other', './a') },
    { overlays: ['o.yaml'] },
  );
  expect(own.warnings).toHaveLength(2);
});
