import { describe, expect, test } from 'vitest';
import { misfits } from '../../testing/documented.ts';
import { ask, fixture, serve } from '../../testing/serve.ts';

interface Identified {
  readonly id: number;
}
const ids = (records: readonly Identified[]) => records.map(({ id }) => id);

describe('lists in an object', () => {
  test.each<[string, { given: string; want: object; articles: number[] }]>([
    [
      'the first page',
      { given: '', want: { total_count: 50, page_number: 1, page_size: 10 }, articles: [1, 10] },
    ],
    [
      'another page',
      {
        given: '?page_number=3&page_size=8',
        want: { total_count: 50, page_number: 3, page_size: 8 },
        articles: [17, 24],
      },
    ],
    [
      'behind the last',
      { given: '?page_number=6', want: { total_count: 50, page_number: 6, page_size: 10 }, articles: [] },
    ],
  ])('%s', async (_, { given, want, articles }) => {
    const mock = await serve(fixture('warehouse.yaml'));
    const answer = await ask(mock, `GET /articles${given}`);
    expect(misfits(mock, 'list_articles', answer)).toEqual([]);
    expect(answer.body).toMatchObject(want);
    const listed = answer.body.articles.map(({ article_no }: { article_no: number }) => article_no);
    expect([listed[0], listed.at(-1)].filter((id) => id !== undefined)).toEqual(articles);
  });

  test('a filter counts in the total', async () => {
    const mock = await serve(fixture('warehouse.yaml'));
    const { body } = await ask(mock, 'GET /articles?unit=metre&page_size=50');
    expect(body.total_count).toBe(body.articles.length);
    expect(body.total_count).toBeLessThan(50);
  });

  test('an offset, and a filter that is a boolean', async () => {
    const mock = await serve(fixture('tide-gauges.yaml'));
    const key = { 'x-gauge-key': 'paddock-dev-key' };
    const listed = async (query: string) =>
      ids((await ask(mock, `GET /gauges?${query}`, undefined, key)).body);
    expect(await listed('skip=5&take=3')).toEqual([6, 7, 8]);
    const [on, off] = [await listed('active=true&take=200'), await listed('active=false&take=200')];
    expect([...on, ...off].sort((a, b) => a - b)).toEqual(await listed('take=200'));
  });

  test('a filter by several values at a time', async () => {
    const mock = await serve(fixture('notices/openapi.yaml'));
    const channels = async (query: string) =>
      new Set(
        ((await ask(mock, `GET /orders?${query}`)).body as { channel: string }[]).map(
          ({ channel }) => channel,
        ),
      );
    expect(await channels('channel=mail,hook&maxResults=100')).toEqual(new Set(['mail', 'hook']));
    expect(await channels('channel=message&maxResults=100')).toEqual(new Set(['message']));
  });
});
