import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '#mock';
import { SHIPPED } from '../testing/serve.ts';

test('whoever listens hears of what the library changes, as of what the control API does', async () => {
  const mock = await createMock({ document: SHIPPED, port: 0, count: 2 });
  onTestFinished(() => mock.close());
  const heard = await listen(`${mock.controlUrl}/events`);
  const other = await listen(`${mock.controlUrl}/events?session=other`);
  const remove = mock.addRule({ operation: 'listPets', status: 503 });
  expect(await heard.next('rule')).toMatchObject({ id: 1, operation: 'listPets', status: 503 });
  await mock.changeRule(1, { enabled: false });
  expect(await heard.next('rules')).toMatchObject([{ id: 1, enabled: false }]);
  remove();
  expect(await heard.next('rules')).toEqual([]);
  await mock.setLatency({ low: 5, high: 6 });
  expect(await heard.next('latency')).toEqual({ latency: '5-6' });
  await mock.setClock(new Date('2030-12-06T00:00:00Z'));
  expect(await heard.next('clock')).toMatchObject({ given: true });
  await mock.restore({ records: { '/pets': [] } });
  expect(await heard.next('state')).toEqual({});
  await mock.reset();
  expect(await heard.next('reset')).toEqual({});
  expect(heard.events).toEqual(['rule', 'rules', 'rules', 'latency', 'clock', 'state', 'reset']);
  expect(other.events).toEqual([]);
});

async function listen(url: string) {
  const { body } = await fetch(url);
  const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  onTestFinished(() => reader.cancel());
  const events: string[] = [];
  const waiting: unknown[] = [];
  let wake = () => {};
  void (async () => {
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      const blocks = text.split('\n\n');
      text = blocks.pop() as string;
      for (const block of blocks) {
        const [, event, data] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? [];
        if (event === undefined) continue;
        events.push(event);
        waiting.push(JSON.parse(data as string));
        wake();
      }
    }
  })();
  return {
    events,
    /** The data of the next event, which must have this name. */
    async next(name: string): Promise<unknown> {
      while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      expect(events.at(-waiting.length)).toBe(name);
      return waiting.shift();
    },
  };
}
