import { expect, test } from 'vitest';
import { compileTemplate, messageOf, type Rendering } from './template.ts';

const BODY = { a: 1, 'a/b': [7, { c: 'x' }], size: 'XL', big: 9007199254740993n, none: null };

function rendering(): Rendering {
  const request = {
    method: 'POST',
    url: '/things?q=1',
    path: { id: 7 },
    query: { limit: 5, tags: ['a', 'b'] },
    headers: { 'x-tenant': 'a' },
    body: BODY,
  };
  return {
    values: { request, record: { name: 'Tom' }, now: '2030-01-31T10:00:00.000Z', seed: 1, count: 3 },
    fake: (method, args) => [method, ...args],
  };
}

function render(text: string): unknown {
  const template = compileTemplate(text);
  return typeof template === 'object' ? template.render(rendering()) : template;
}

test.each<[text: string, want: unknown]>([
  // A single value keeps its type.
  ['{{request.query.limit}}', 5],
  ['{{ request.body.big }}', 9007199254740993n],
  ['{{request.body}}', BODY],
  ['{{request.body.none}}', null],
  ['{% assign n = 5 %}{{ n | plus: 1 }}', 6],
  // Everything else is text.
  [' {{request.query.limit}}', ' 5'],
  ['{{request.query.limit}}{{request.query.nothing}}', '5'],
  ['{{request.method}} {{request.query.tags}} {{request.body.big}}', 'POST ["a","b"] 9007199254740993'],
  ['{% for tag in request.query.tags %}{{forloop.index}}{{tag}}{% endfor %}', '1a2b'],
  // A JSON Pointer after the body, also within expressions, but not within texts.
  ['{{request.body/a}}', 1],
  ['{{-request.body/a~1b/0-}}', 7],
  ['{{request.body/a~1b/1/c|upcase}}', 'X'],
  ['{% if request.body/a == 1 %}yes{% endif %}', 'yes'],
  ['{{ "request.body/a" }}', 'request.body/a'],
  ['{{request.body["a/b"][0]}}', 7],
  ['{% raw %}{{request.body/a}}{% endraw %}', '{{request.body/a}}'],
  // Only own members, and none that does not exist.
  ['{{request.query.size}}', undefined],
  ['{{request.body.size}}', 'XL'],
  ['{{request.query.tags.size}}', 2],
  ['{{record.constructor}}', undefined],
  ['{{record.__proto__}}', undefined],
  ['{{request.query.nothing.further | default: "none"}}', 'none'],
  ['{{request.headers.X-Tenant}}', 'a'],
  ['{{request.headers["X-Tenant"]}}', 'a'],
  // Times follow the session's clock.
  ['{{now}}', '2030-01-31T10:00:00.000Z'],
  ['{{now | date: "%Y-%m-%d %H:%M"}}', '2030-01-31 10:00'],
  ['{{"now" | date: "%Y"}}', '2030'],
  ['{{"today" | date_to_xmlschema}}', '2030-01-31T10:00:00+00:00'],
  ['{{now | offset: "-1 day"}}', '2030-01-30T10:00:00.000Z'],
  ['{{now | offset: "1 month" | date: "%Y-%m-%d"}}', '2030-02-28'],
  ['{{now | offset: "2 years"}}', '2032-01-31T10:00:00.000Z'],
  // Named arguments are faker's options.
  ['{{"number.int" | faker: min: 1, max: 5}}', ['number.int', { min: 1, max: 5 }]],
  ['{{"number.int" | faker: max: 100000000}}', ['number.int', { max: 100_000_000 }]],
  ['{{"commerce.price" | faker: max: 100000000}}', ['commerce.price', { max: 100_000_000 }]],
  ['{{"helpers.arrayElement" | faker: request.query.tags}}', ['helpers.arrayElement', ['a', 'b']]],
  ['{{request.query.tags | json}} {{request.body.big | json}}', '["a","b"] 9007199254740993'],
])('%s', (text, want) => {
  expect(render(text)).toEqual(want);
});

test.each([
  ['{{ a', /^output "{{ a" not closed, column 1$/],
  ['{{}}', /^invalid value expression/],
  ['{{ now | nothing }}', /^undefined filter: nothing, column 1$/],
  ['{{ now | constructor }}', /^undefined filter/],
  ['{% nothing %}', /^tag "nothing" not found/],
  ['{% include "a" %}', /^tag "include" not found/],
  ['{% render "a" %}', /^tag "render" not found/],
  ['{% layout "a" %}', /^tag "layout" not found/],
  ['{{ request.query.tags | sample }}', /^undefined filter: sample/],
  ["{{now offset='3 days'}}", /^expected "\|" before filter/],
  ['a\n{% if %}', /, line 2, column 6$/],
])('%j cannot be read', (text, want) => {
  expect(compileTemplate(text)).toMatch(want);
});

test.each([
  ['{% for i in (1..4000) %}{% for j in (1..4000) %}{% assign x = i %}{% endfor %}{% endfor %}', /limit/],
  ['{% for i in (1..100000000) %}x{% endfor %}', /limit/],
  ['{% for i in (1..4000) %}{% for j in (1..4000) %}{{request.body}}{% endfor %}{% endfor %}', /limit/],
  ['{{"string.alpha" | faker: 100000000}}', /^faker makes at most 10000 at once/],
  ['{{"lorem.words" | faker: min: 1, max: 100000000}}', /^faker makes at most/],
  ['{{"internet.password" | faker: length: 100000000}}', /^faker makes at most/],
  ['{{request.body.big | plus: 1}}', /BigInt/],
  ['{{now | offset: "soon"}}', /^offset must be such as "3 days"/],
  ['{{request.body.a | offset: "300000 years"}}', /too far away/],
])('%s cannot be rendered', (text, want) => {
  let thrown: unknown;
  try {
    render(text);
  } catch (error) {
    thrown = error;
  }
  expect(messageOf(thrown)).toMatch(want);
});
