import { onTestFinished } from 'vitest';
import type { WebhooksView } from '../../control/webhooks-endpoint.ts';
import { createMock, type Mock } from '../../mock.ts';
import type { MockOptions } from '../../options.ts';

const SIGNALS = 'fixtures/specs/signals.yaml';

export async function startMock(options: Partial<MockOptions> = {}): Promise<Mock> {
  const mock = await createMock({ document: SIGNALS, port: false, count: 2, ...options });
  onTestFinished(() => mock.close());
  return mock;
}

/** Sends a client's request. */
export const post = (mock: Mock, path: string, body?: unknown, method = 'POST') =>
  mock.fetch(mock.url + path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

export const admin = async (mock: Mock, path: string, method = 'GET', body?: unknown) => {
  const response = await mock.fetch(`${mock.controlUrl}/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: await jsonOf(response).catch(() => undefined) };
};

export const logged = async (mock: Mock) => (await admin(mock, 'webhooks')).json as WebhooksView;

/** Waits for all deliveries to finish. */
export async function settled(mock: Mock): Promise<WebhooksView['deliveries']> {
  for (;;) {
    const { deliveries } = await logged(mock);
    if (deliveries.length > 0 && deliveries.every(({ state }) => state !== 'waiting')) return deliveries;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A readable line for a request. */
export const seen = ({
  method,
  path,
  body,
}: {
  method?: string | undefined;
  path?: string | undefined;
  body: string;
}) => [method, path, JSON.parse(body)];

/** The JSON of a response, whose members a test knows. */
// biome-ignore lint/suspicious/noExplicitAny: what is wrong with it the test shows.
export const jsonOf = (response: Response): Promise<any> => response.json();
