import { cleanup, render, screen } from '@testing-library/react';
import { createFactories } from 'openapi-paddock/factories';
import { afterEach, expect, test } from 'vitest';
import { OrderList } from './order-list.jsx';

const { make, respond } = await createFactories('src/openapi.yaml', { seed: 7 });
afterEach(cleanup);

test('each order is shown with its status', async () => {
  const response = await respond('listOrders', 200, [{ status: 'paid' }, { status: 'shipped' }]);
  render(<OrderList fetchOrders={async () => response} />);
  const items = await screen.findAllByRole('listitem');
  expect(items.map((item) => item.firstChild.textContent)).toEqual(['paid', 'shipped']);
});

test('an order without a note has no empty line', async () => {
  const body = make('Order', {}, { shape: 'minimal', count: 3 });
  render(<OrderList fetchOrders={async () => ({ status: 200, body })} />);
  const items = await screen.findAllByRole('listitem');
  expect(items.map((item) => item.childElementCount)).toEqual([0, 0, 0]);
});

test('orders name customers that are there', () => {
  const ids = make('Customer', {}, { count: 50 }).map(({ id }) => id);
  for (const { customerId } of make('Order', {}, { count: 50 })) expect(ids).toContain(customerId);
});

test('the title of an error is shown', async () => {
  const response = await respond('listOrders', 503, { title: 'Back in a minute' });
  render(<OrderList fetchOrders={async () => response} />);
  expect((await screen.findByRole('alert')).textContent).toBe('Back in a minute');
});
