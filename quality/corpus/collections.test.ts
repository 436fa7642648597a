import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../testing/documents.ts';

/** The list of collections is data for a measurement: what is checked here is that it can be trusted to be one. */
const MANY = ['createMany', 'updateMany', 'removeMany'];
const ONE = ['create', 'read', 'replace', 'update', 'remove'];
const ROLES = ['list', ...ONE, ...MANY];
const OPERATION = /^(GET|PUT|POST|DELETE|PATCH) \/\S*$/;

type Subject = { path: string; id?: string } & Record<string, string | string[]>;
interface Entry {
  document: string;
  within?: string[];
  collections: Subject[];
  singletons?: Subject[];
  actions?: string[];
  either?: string[];
}

const ENTRIES: Entry[] = parse(readFileSync(`${ROOT}quality/corpus/collections.yaml`, 'utf8'));
const BY_DOCUMENT = ENTRIES.map((entry): [name: string, entry: Entry] => [entry.document, entry]);
const fileOf = ({ document }: Entry) => `${ROOT}node_modules/${document}`;
const INSTALLED = BY_DOCUMENT.filter(([, entry]) => existsSync(fileOf(entry)));

const rolesOf = (subject: Subject) => Object.keys(subject).filter((key) => key !== 'path' && key !== 'id');

function operationsOf({ collections, singletons = [], actions = [], either = [] }: Entry): string[] {
  const inRoles = [...collections, ...singletons].flatMap((subject) =>
    rolesOf(subject).flatMap((role) => subject[role] ?? []),
  );
  return [...inRoles, ...actions, ...either];
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

test('each document is judged once, and there are many', () => {
  const documents = ENTRIES.map(({ document }) => document);
  expect(new Set(documents).size).toBe(documents.length);
  expect(documents.length).toBeGreaterThanOrEqual(20);
});

describe.each(BY_DOCUMENT)('%s', (_, entry) => {
  test('has the fields of an entry and no others', () => {
    const fields = ['document', 'within', 'collections', 'singletons', 'actions', 'either'];
    expect(Object.keys(entry).filter((key) => !fields.includes(key))).toEqual([]);
    expect(Array.isArray(entry.collections)).toBe(true);
    for (const { path } of [...entry.collections, ...(entry.singletons ?? [])]) expect(path).toMatch(/^\//);
    for (const operation of operationsOf(entry)) expect(operation).toMatch(OPERATION);
  });

  test('can read what it names: a list or a record of each collection, and each singleton', () => {
    for (const collection of entry.collections) {
      expect({
        path: collection.path,
        odd: rolesOf(collection).filter((role) => !ROLES.includes(role)),
      }).toEqual({
        path: collection.path,
        odd: [],
      });
      expect(Object.keys(collection)).toSatisfy(
        (keys: string[]) => keys.includes('list') || keys.includes('read'),
      );
    }
    for (const singleton of entry.singletons ?? []) {
      expect(rolesOf(singleton).filter((role) => !ONE.includes(role))).toEqual([]);
      expect(singleton).toHaveProperty('read');
    }
  });

  test('names no operation twice, and no path of a collection', () => {
    const operations = operationsOf(entry);
    expect(operations.filter((operation, index) => operations.indexOf(operation) !== index)).toEqual([]);
    const paths = entry.collections.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test('names operations below its prefixes only', () => {
    const { within = ['/'] } = entry;
    const paths = operationsOf(entry).map((operation) => operation.slice(operation.indexOf('/')));
    const outside = paths.filter((path) => !within.some((prefix) => prefix === '/' || isBelow(path, prefix)));
    expect(outside).toEqual([]);
  });
});

/** Of packages that are not installed nothing more can be said. */
test.each(INSTALLED)('%s has every operation that is named', (_, entry) => {
  const { paths } = JSON.parse(readFileSync(fileOf(entry), 'utf8'));
  const operations = Object.entries<object>(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operationsOf(entry).filter((operation) => !operations.includes(operation))).toEqual([]);
});

test('documents of both packages that are installed for development are among them', () => {
  const installed = INSTALLED.map(([name]) => name).join('\n');
  expect(installed).toContain('@readme/oas-examples/');
  expect(installed).toContain('@scalar/galaxy/');
});
