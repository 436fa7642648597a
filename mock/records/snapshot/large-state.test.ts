import { expect, test } from 'vitest';
import { SHIPPED, serve } from '../../testing/serve.ts';

test('a large --count reports its progress', async () => {
  const notices: string[] = [];
  const progress = (text: string) => notices.push(text);
  await serve(SHIPPED, { count: 200_000, progress });
  expect(notices).toEqual(['/pets: 100,000 of 200,000 records', '/pets: 200,000 of 200,000 records']);
});
