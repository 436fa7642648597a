import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { COMPOSE_FILE, filesOf, readServices } from './compose.ts';

/** What compose.yaml says of its services; that they work together is in image.long.test.ts. */
const ENV = { POSTGRES_PASSWORD: 'a', PADDOCK_API_KEY: 'b', PADDOCK_ADMIN_TOKEN: 'c' };
const services = readServices(ENV);
const read = (name: string) => readFileSync(join(dirname(COMPOSE_FILE), name), 'utf8');

test('each secret must be chosen, and .env.example names them all', () => {
  for (const name of Object.keys(ENV)) expect(() => readServices({ ...ENV, [name]: '' })).toThrow(name);
  const named = [...read('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(Object.keys(ENV).sort());
});

test.each(['mock-one', 'mock-two', 'balancer'])('%s can change no file and gain no right', (name) => {
  expect(services[name]).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  });
  for (const { condition } of Object.values(services[name]?.depends_on ?? {}))
    expect(condition).toBe('service_healthy');
  expect(Object.keys(services[name]?.depends_on ?? {}).length).toBeGreaterThan(0);
  expect(Object.keys(filesOf(services[name] as NonNullable<(typeof services)[string]>))).toHaveLength(1);
});

test('the two mocks differ in their names alone, and nginx sends to both', () => {
  const [one, two] = ['mock-one', 'mock-two'].map((name) => services[name]);
  const { PADDOCK_REPLICA: _, ...same } = one?.environment ?? {};
  expect({ ...two, environment: { ...same, PADDOCK_REPLICA: 'two' } }).toEqual(two);
  expect([...read('nginx.conf').matchAll(/^ +server ([\w-]+):4020;$/gm)].map(([, name]) => name)).toEqual([
    'mock-one',
    'mock-two',
  ]);
});
