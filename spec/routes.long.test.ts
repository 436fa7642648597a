import { expect, test } from 'vitest';
import type { Operation } from './operation.ts';
import { compileRoutes } from './routes.ts';

const PATHS = Array.from(
  { length: 1500 },
  (_, index) => `/area${index % 40}/things${index}/{id}/parts/{part}`,
);

test('the last of 1,500 templates is found about as fast as the first, and so is a path that is none', () => {
  const endpoints = PATHS.map((path) => ({ operation: { path, method: 'GET' } as Operation }));
  const route = compileRoutes(endpoints, ({ operation: { path } }) => ({ path, basePaths: ['/v1'] }));
  const pathOf = (template: string | undefined) => `/v1${template?.replace(/\{[^}]+\}/g, '7')}`;
  const [first, last, none] = [pathOf(PATHS[0]), pathOf(PATHS.at(-1)), '/v1/area1/things/7'];
  expect([route(first)?.path, route(last)?.path, route(none)]).toEqual([
    { id: '7', part: '7' },
    { id: '7', part: '7' },
    undefined,
  ]);
  const times = [first, last, none].map((path) => bestTime(() => route(path)));
  const [ofFirst = 0, ofLast = 0, ofNone = 0] = times;
  expect(Math.max(ofLast, ofNone)).toBeLessThan(4 * ofFirst);
});

/** The fastest of many rounds, since other work of the machine only makes rounds slower. */
function bestTime(work: () => void): number {
  const rounds = Array.from({ length: 30 }, () => {
    const begun = performance.now();
    for (let count = 0; count < 2000; count++) work();
    return performance.now() - begun;
  });
  return Math.min(...rounds);
}
