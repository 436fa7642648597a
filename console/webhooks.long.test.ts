import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '#mock';
import { startReceiver } from '../mock/webhooks/testing/receiver.ts';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { makeSelfSigned } from '../quality/testing/network.ts';
import { expectAccessible, openConsole } from './testing/page.ts';

describeInChromium('webhooks', (browser) => {
  test('what the mock sends is shown at once, and why it was not received', async () => {
    const mock = await createMock({ document: 'fixtures/specs/signals.yaml', port: 0 });
    onTestFinished(() => mock.close());
    const [good, secure] = [await startReceiver(), await startReceiver(undefined, makeSelfSigned())];
    const { page, complaints } = await openConsole(browser(), `${mock.controlUrl}/#/webhooks`);
    onTestFinished(() => page.context().close());
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('PUT onInspected').waitFor();
    await fetch(`${mock.url}/inspections?replyTo=${good.url}`, { method: 'POST' });
    const first = page.getByRole('article', { name: 'Webhook 1' });
    await first.getByText('onInspected was delivered').waitFor();
    await fetch(`${mock.url}/inspections?replyTo=${secure.url}`, { method: 'POST' });
    const second = page.getByRole('article', { name: 'Webhook 2' });
    await second.getByText('onInspected has failed').waitFor();
    await second.getByText(/its certificate cannot be verified/).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await second.evaluate((card) => card.scrollWidth <= card.clientWidth)).toBe(true);
    await page.getByRole('button', { name: 'Send' }).first().click();
    await page.getByText(/no client has given a URL for it/).waitFor();
    await expectAccessible(page);
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
  });
});
