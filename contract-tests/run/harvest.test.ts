import { expect, test } from 'vitest';
import { contractOf } from '../../spec/testing/contract-of.ts';
import type { Exchange } from '../send/response.ts';
import { createHarvest } from './harvest.ts';

const text = { type: 'string' };
const done = { responses: { 200: { description: 'Done' } } };
const at = (name: string) => ({
  parameters: [{ name, in: 'path', required: true, schema: text }],
  get: done,
});

test('a path takes what responses have shown, and no secret of somebody else', async () => {
  const paths = {
    '/links': { get: done },
    '/links/{token}/preview': at('token'),
    '/cities/{city}': at('city'),
  };
  const info = { title: 'Links', version: '1' };
  const { operations } = await contractOf({ 'openapi.json': { openapi: '3.1.1', info, paths } });
  const [list, ...others] = operations;
  const harvest = createHarvest({ operations }, () => false);
  const value = [{ token: 'a-key-of-others', city: 'Oslo' }, { city: 'maps/oslo' }];
  harvest.note({
    operation: list,
    input: {},
    response: { status: 200, json: { value } },
  } as unknown as Exchange);
  const taken = others.flatMap((one) =>
    one.parameters.flatMap((parameter) => harvest.valuesFor(one, parameter)),
  );
  expect(taken).toContain('Oslo');
  expect(taken).not.toContain('a-key-of-others');
  expect(taken).not.toContain('maps/oslo');
});
