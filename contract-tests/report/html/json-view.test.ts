import { parseFragment } from 'parse5';
import { describe, expect, test } from 'vitest';
import { textOf } from '../../testing/build-of.ts';
import { type Failing, jsonView } from './json-view.ts';

const shown = (source: string, failing?: Failing) => {
  const view = jsonView(source, failing);
  return view && textOf(parseFragment(view.markup.source).childNodes);
};

const marked = (source: string, path: readonly string[], isOfRecord = false) =>
  /<mark>(.*?)<\/mark>/
    .exec(jsonView(source, { path, isOfRecord })?.markup.source ?? '')?.[1]
    ?.replace(/<[^>]*>/g, '');

describe('a body is laid out as it was written', () => {
  test.each<[name: string, source: string, want: string | undefined]>([
    ['numbers', '{"id":9007199254740993,"n":1.50}', '{ "id": 9007199254740993, "n": 1.50 }'],
    [
      'what is long or nested, in lines',
      '{"a":{"b":[1,2]},"c":"x"}',
      '{\n  "a": {\n    "b": [1, 2]\n  },\n  "c": "x"\n}',
    ],
    ['a cut body', '{"a":1,"b":"x, y… (5000 characters)', '{ "a": 1 }\n… (5000 characters)'],
    [
      'a cut body, behind a key',
      '{"a":[1,2,{"b"… (5000 characters)',
      '{\n  "a": [\n    1,\n    2,\n    {}\n  ]\n}\n… (5000 characters)',
    ],
    [
      'records of a list',
      '{"id":1}\n{"id":2}\n… (2 concerned, of 30 records in all)',
      '{ "id": 1 }\n{ "id": 2 }\n… (2 concerned, of 30 records in all)',
    ],
    ['what is no JSON', '[link](http://x)', undefined],
    ['a template', '{0} %s', undefined],
    ['plain text', 'word', undefined],
    ['markup', '<b>', undefined],
  ])('%s', (_, source, want) => {
    expect(shown(source)).toBe(want);
  });

  test('unless it is nested too deep', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(shown(nested(2000))).toBeUndefined();
    expect(shown(nested(60))).toBeDefined();
  });

  test('with nothing that a browser obeys', () => {
    const hostile = '{"<img src=x>":"</pre><script>x</script>"}';
    expect(jsonView(hostile)?.markup.source).not.toMatch(/<(?:img|script)/);
    expect(shown(hostile)).toContain('<img src=x>');
  });
});

describe('what fails is marked', () => {
  test.each<
    [name: string, source: string, path: readonly string[], isOfRecord: boolean, want: string | undefined]
  >([
    ['a member', '{"a":{"b":7}}', ['a', 'b'], false, '"b": 7'],
    ['an item', '[{"n":1},{"n":2}]', ['1', 'n'], false, '"n": 2'],
    ['a list', '{"a":[1,2]}', ['a'], false, '"a": [1, 2]'],
    ['a member that is not there', '{"a":1}', ['b'], false, '&quot;b&quot; is not here'],
    ['a member of a record in an envelope', '{"data":{"a":1}}', ['a'], true, '"a": 1'],
    ['a member of a record in a list', '{"items":[{"a":1,"b":2}]}', ['b'], true, '"b": 2'],
    ['a member that the record lacks', '{"data":{"a":1}}', ['b'], true, '&quot;b&quot; is not here'],
    [
      'the item that is kept of a list',
      '{"id":1,"n":null}\n… (item /49, of 50 in all)',
      ['49', 'n'],
      false,
      '"n": null',
    ],
    ['not what was cut away', '{"a":1,"b":"x… (5000 characters)', ['c'], false, undefined],
    ['an escaped key', '{"a\\u0062":1}', ['ab'], false, '"ab": 1'],
  ])('%s', (_, source, path, isOfRecord, want) => {
    expect(marked(source, path, isOfRecord)?.replaceAll('&quot;', '"')).toBe(want?.replaceAll('&quot;', '"'));
  });
});
