import { describe, expect, onTestFinished, test } from 'vitest';
import { createMock, type MockOptions } from '#mock';
import { describeInChromium } from '../quality/testing/describe-in-chromium.ts';
import { expectAccessible, openConsole, SHIPPED } from './testing/page.ts';

/** A mock that ends with the test. */
async function serve(options: Partial<MockOptions> = {}) {
  const mock = await createMock({ document: SHIPPED, port: 0, ...options });
  onTestFinished(() => mock.close());
  return mock;
}

const TOKEN = 't0ken-of-the-test';

describe('without a browser', () => {
  test('a browser is led to the console, and a program gets the 404 of every unknown path', async () => {
    const mock = await serve();
    const ask = (path: string, accept: string) =>
      fetch(new URL(path, mock.url), { headers: { accept }, redirect: 'manual' });
    const page = await ask('/', 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect([page.status, page.headers.get('location')]).toEqual([302, '/__admin/']);
    expect((await ask('/~tom/', 'text/html')).headers.get('location')).toBe('/~tom/__admin/');
    const program = await ask('/', '*/*');
    expect(program.status).toBe(404);
    expect(await program.json()).toMatchObject({ code: 'no_such_path', status: 404 });
    expect((await ask('/__admin?session=tom', '*/*')).headers.get('location')).toBe('/__admin/?session=tom');
  });

  test('the page has a strict policy, and no file beside it can be read', async () => {
    const mock = await serve();
    const page = await fetch(`${mock.controlUrl}/`);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-[\w+/]+='; style-src 'self'; [^*]*frame-ancestors 'none'$/,
    );
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const tag = page.headers.get('etag') as string;
    const again = await fetch(`${mock.controlUrl}/`, { headers: { 'if-none-match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    for (const name of [
      'access.test.ts',
      'testing/page.ts',
      'tsconfig.json',
      '..%2fpackage.json',
      'no.css',
      '',
    ])
      expect((await fetch(`${mock.controlUrl}/console/${name}`)).status).toBe(404);
    const posted = await fetch(`${mock.controlUrl}/`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('a foreign host gets no page, and with a token nothing but the page', async () => {
    const open = await serve();
    const foreign = await open.fetch(`${open.controlUrl}/`, { headers: { host: 'evil.example' } });
    expect(foreign.status).toBe(403);
    const closed = await serve({ adminToken: TOKEN });
    expect((await fetch(`${closed.controlUrl}/`)).status).toBe(200);
    expect((await fetch(`${closed.controlUrl}/contract`)).status).toBe(401);
    expect((await fetch(`${closed.controlUrl}/requests`)).status).toBe(401);
  });
});

describeInChromium('the console', (browser) => {
  test('it opens from the address of the mock, and complains of nothing', async () => {
    const mock = await serve();
    const { page, complaints } = await openConsole(browser(), new URL('/', mock.url).href);
    await page.getByRole('status').getByText('Live').waitFor();
    expect(page.url()).toBe(`${mock.controlUrl}/`);
    await page.getByTitle('Pet Store 1.0.0').waitFor();
    await page.getByRole('link', { name: 'Records' }).click();
    await page.getByRole('heading', { name: 'Records' }).waitFor();
    expect(await page.title()).toBe('Records · Pet Store · Paddock');
    expect(complaints).toEqual([]);
  });

  test('below the path of a session it shows that session', async () => {
    const mock = await serve();
    const own = mock.session('tom');
    const { page, complaints } = await openConsole(browser(), new URL('/~tom/', mock.url).href);
    await page.getByText('session tom').waitFor();
    await page.getByRole('region', { name: 'Session' }).getByText(own.url).waitFor();
    await fetch(`${mock.url}/pets/1`);
    await fetch(`${own.url}/pets/2`);
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByText('/v1/pets/2').waitFor();
    expect(await page.getByText('/v1/pets/1').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('with a token it asks for it, refuses another one, and keeps it for the tab', async () => {
    const mock = await serve({ adminToken: TOKEN });
    const { page } = await openConsole(browser(), `${mock.controlUrl}/?session=tom`);
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('requires its token').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Token').fill(TOKEN);
    await page.keyboard.press('Enter');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('session tom').waitFor();
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.getByLabel('Token').count()).toBe(0);
  });

  test('a lost connection is shown, and ends by itself', async () => {
    const mock = await serve();
    const { page } = await openConsole(browser(), `${mock.controlUrl}/`);
    await page.getByText('Live', { exact: true }).waitFor();
    await mock.close();
    await page.getByText('Connection lost', { exact: true }).waitFor();
    await expectAccessible(page);
    await serve({ port: Number(new URL(mock.url).port) });
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.getByText('does not respond').count()).toBe(0);
  });
});
