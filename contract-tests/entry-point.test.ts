import * as entryPoint from 'openapi-paddock/check';
import { check, DocumentError, prepare, type Report, SettingsError } from 'openapi-paddock/check';
import { expect, test } from 'vitest';
import { startShop } from '../quality/mutants/by-hand/shop.ts';
import { SHIPPED_DOCUMENT } from '../quality/mutants/suspect.ts';

/** The suite as another program imports it: by the package's name. */
test('the entry point exports these values, and no others', () => {
  expect(Object.keys(entryPoint).sort()).toEqual([
    'DocumentError',
    'LAWS',
    'REPORT_FORMATS',
    'SettingsError',
    'UserCodeError',
    'check',
    'createReplay',
    'joinTargets',
    'judgeTraffic',
    'loadContract',
    'mergeReports',
    'observe',
    'prepare',
    'readReport',
    'renderGithub',
    'renderHtml',
    'renderJson',
    'renderJunit',
    'renderMarkdown',
    'renderSarif',
    'renderTerminal',
    'updateKnown',
    'withoutCommands',
  ]);
});

test('events are yielded one by one; the report is in the last one, and is the return value', async () => {
  const { url: target, apiKey, close } = await startShop({ page: (records) => records });
  const events = check({ target, apiKey, document: SHIPPED_DOCUMENT, only: '/200/limit-' });
  const types: string[] = [];
  let told: Report | undefined;
  for (;;) {
    const { value, done } = await events.next();
    if (done) {
      expect(value).toBe(told);
      break;
    }
    if (value.type !== types.at(-1)) types.push(value.type);
    if (value.type === 'finished') told = value.report;
  }
  await close();
  expect(types.slice(0, 3)).toEqual(['started', 'progress', 'case']);
  expect(types.at(-1)).toBe('finished');
  expect(new Set(types)).toEqual(new Set(['started', 'progress', 'case', 'confirming', 'finished']));
  expect(told).toMatchObject({ verdict: 'broken', exitCode: 1, target });
});

test('a caller can run the cases one by one, in any order: the report has the order of all cases', async () => {
  const { url: target, apiKey, close } = await startShop();
  const suite = await prepare({ target, apiKey, document: SHIPPED_DOCUMENT });
  const wanted = suite.cases.filter(({ id }) => id.endsWith('/ordinary')).reverse();
  for (const one of wanted) expect((await suite.execute(one)).outcome).toBe('passed');
  const { cases } = await suite.finish();
  await close();
  expect(cases.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id).reverse());
});

test('invalid options and documents reject with errors of their own', async () => {
  const given = { target: 'http://127.0.0.1:9/v1', document: SHIPPED_DOCUMENT };
  await expect(prepare({ ...given, target: 'nowhere' })).rejects.toThrow(SettingsError);
  await expect(prepare({ ...given, document: 'no-such-file.yaml' })).rejects.toThrow(DocumentError);
});
