import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configSchemaText } from './config-schema.ts';

test('paddock.schema.json is what the command line defines (npm run config-schema)', async () => {
  expect(readFileSync(new URL('../paddock.schema.json', import.meta.url), 'utf8')).toBe(
    await configSchemaText(),
  );
});
