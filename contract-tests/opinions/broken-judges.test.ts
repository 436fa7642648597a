import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '#spec';
import { SHIPPED_DOCUMENT } from '../../quality/mutants/suspect.ts';
import { openRun } from '../run/run.ts';
import { SettingsError } from '../settings/check-options.ts';
import { resolveSettings } from '../settings/settings.ts';
import { askJudge } from './compare.ts';
import { findJudge } from './judge.ts';

/** A project in which a script stands in for Prism. */
async function projectWith(script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  const home = join(folder, 'node_modules/@stoplight/prism-cli');
  await mkdir(home, { recursive: true });
  const manifest = { name: '@stoplight/prism-cli', version: '0.0.1', bin: 'prism.js' };
  await writeFile(join(home, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(home, 'prism.js'), script);
  return folder;
}

const FORWARDS_ALL = `
const upstream = process.argv[4];
require('node:http').createServer((request, response) => {
  fetch(upstream, { headers: { 'paddock-exchange': request.headers['paddock-exchange'] } }).then(async (answer) => {
    response.writeHead(answer.status, { 'paddock-exchange': answer.headers.get('paddock-exchange') });
    response.end(await answer.text());
  });
}).listen(0, '127.0.0.1', function () { console.log('Prism is listening on http://127.0.0.1:' + this.address().port); });
`;

test.for([
  ['accepts every body', FORWARDS_ALL, 'prism sees no broken body at all: its silence says nothing'],
  [
    'does not start',
    'console.error("error: no such option"); process.exit(1);',
    'prism ends at once: no such option',
  ],
  [
    'prints its environment',
    'console.log(Object.keys(process.env).sort().join()); process.exit(1)',
    'prism ends at once: HOME,NO_COLOR,PATH',
  ],
] as const)('a judge that %s is reported with the reason, and stops no run', async ([, script, reason]) => {
  const settings = resolveSettings({ target: 'http://127.0.0.1:1/v1', document: SHIPPED_DOCUMENT });
  const run = openRun(await loadContract(SHIPPED_DOCUMENT), settings);
  const { judges, opinions } = await askJudge(run, [], findJudge('prism', await projectWith(script)));
  run.close();
  expect(judges).toEqual([{ judge: 'prism', version: '0.0.1', judged: 0, agreed: 0, notes: [], reason }]);
  expect(opinions).toEqual([]);
});

test('a judge that is not installed is a settings error with the command that installs it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  expect(() => findJudge('prism', folder)).toThrow(SettingsError);
  expect(() => findJudge('dredd', folder)).toThrow('npm install --save-dev dredd');
});
