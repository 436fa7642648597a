import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { micromark } from 'micromark';
import { expect, test } from 'vitest';
import { ROOT } from '../../quality/testing/command.ts';
import { builtPackage } from '../packaging/testing/project.ts';
import { ACTION, runAction } from './testing/run-action.ts';
import { NEW, readJson, startBreaking, startKeeping, userProject } from './testing/user-project.ts';

/** Runs the steps of action.yml as GitHub's runner does. */
const DOCUMENT = { document: 'api/openapi.yaml' };
const REPORTS = ['html', 'json', 'md', 'sarif', 'xml'];

const annotations = (log: string) =>
  workflowCommands(log).filter(({ name }) => ['error', 'warning', 'notice'].includes(name));

test('no script has an expression in it, and each action of others is pinned to a commit', () => {
  const { steps } = ACTION.runs;
  const scripts = steps.flatMap(({ run }) => run ?? []);
  expect(scripts).toHaveLength(4);
  expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  const used = steps.flatMap(({ uses }) => uses ?? []);
  expect(used).toHaveLength(4);
  expect(used.filter((name) => !/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/.test(name))).toEqual([]);
});

test('a service that keeps the contract: success, with a summary and reports', async () => {
  const { folder } = await userProject();
  const inputs = { ...DOCUMENT, target: await startKeeping() };
  const { status, summary, outputs, calls, log } = await runAction({ workspace: folder, inputs });
  expect({ status, log }).toEqual({ status: 'success', log });
  expect(outputs).toEqual({
    verdict: 'holds',
    'exit-code': '0',
    'compat-verdict': '',
    'compat-exit-code': '',
    reports: join(folder, 'paddock-reports'),
  });
  expect(summary).toMatch(/^## The contract holds for 1 of 1 operation \(1 of 1 response\)\. \(exit 0\)/);
  expect(calls.map(({ uses }) => uses.replace(/@.*/, ''))).toEqual([
    'actions/setup-node',
    'actions/upload-artifact',
  ]);
  for (const name of REPORTS) expect(existsSync(join(outputs.reports ?? '', `check.${name}`))).toBe(true);
  expect(annotations(log)).toEqual([
    {
      name: 'notice',
      properties: { title: 'Paddock' },
      message: 'The contract holds for 1 of 1 operation (1 of 1 response). (exit 0)',
    },
  ]);
});

test('one that breaks it, in a pull request that breaks clients: failure once the reports are uploaded, and nothing of the service is executed', async () => {
  const { folder, edit } = await userProject();
  edit(NEW);
  const inputs = {
    ...DOCUMENT,
    target: await startBreaking(),
    arguments: '--only\nlistBooks/200/\n',
    'code-scanning': 'true',
    artifact: 'of-staging',
  };
  const pull = { workspace: folder, github: { base_ref: 'main' }, inputs };
  const { status, code, summary, outputs, calls, log } = await runAction(pull);
  expect([status, code]).toEqual(['failure', 1]);
  const reports = join(folder, 'paddock-reports');
  const broken = { verdict: 'broken', 'exit-code': '1' };
  expect(outputs).toEqual({ ...broken, 'compat-verdict': 'broken', 'compat-exit-code': '1', reports });
  const scanned = (name: string) => ({
    uses: expect.stringContaining('github/codeql-action/upload-sarif@'),
    with: { sarif_file: join(reports, `${name}.sarif`), category: `paddock-${name}` },
  });
  expect(calls.slice(1)).toEqual([
    scanned('check'),
    scanned('compat'),
    {
      uses: expect.stringContaining('actions/upload-artifact@'),
      with: { name: 'of-staging', path: reports, 'if-no-files-found': 'ignore' },
    },
  ]);
  const [check, compat] = ['check', 'compat'].map((name) => readJson(join(reports, `${name}.json`)));
  const others = check.cases.filter(({ id }: { id: string }) => !id.startsWith('listBooks/200/'));
  expect(others).toEqual([]);
  // The commands come from the program: one for each verdict, and one for each cause.
  const shown = annotations(log);
  expect(workflowCommands(log)).toEqual(shown);
  expect(shown.map(({ name }) => name)).toEqual(
    Array(check.causes.length + compat.causes.length + 2).fill('error'),
  );
  const found = shown.filter(({ properties }) => properties.file !== undefined);
  expect(found).toHaveLength(shown.length - 2);
  for (const { properties } of found)
    expect(properties).toMatchObject({ file: 'api/openapi.yaml', line: expect.stringMatching(/^\d+$/) });
  expect(found.map(({ properties }) => properties.title)).toContain(
    '`[].title` in the 200 of listBooks: now optional',
  );
  expect(shown.filter(({ properties }) => properties.title === 'forged')).toEqual([]);
  expect(summary.match(/^\| listBooks \| ❌ 200 \|$/gm)).toHaveLength(2);
  expect(summary).not.toMatch(/```sh\s*```/);
  expect(summary).toMatch(/^# Compared with the base branch\n\n## NEW breaks clients of OLD\. \(exit 1\)/m);
  expect(micromark(summary, { allowDangerousHtml: true })).not.toContain('<script');
  expect(existsSync(join(folder, 'pwned'))).toBe(false);
  const tolerated = await runAction({ ...pull, inputs: { ...inputs, 'fail-on': 'nothing' } });
  expect([tolerated.status, tolerated.outputs['compat-verdict']]).toEqual(['success', 'broken']);
});

test('a pull request that changes nothing passes, and so does one with the first document of a branch', async () => {
  const { folder } = await userProject();
  const github = { base_ref: 'main' };
  const same = await runAction({ workspace: folder, github, inputs: DOCUMENT });
  expect([same.status, same.outputs['compat-verdict']]).toEqual(['success', 'holds']);
  const first = await runAction({ workspace: folder, github, inputs: { document: 'api/other.yaml' } });
  expect([first.status, first.outputs['compat-verdict']]).toEqual(['success', '']);
  expect(annotations(first.log).map(({ name }) => name)).toEqual(['notice', 'warning']);
});

test('an input is a text, whatever it says: no shell runs it', async () => {
  const { folder } = await userProject();
  const evil = `"; touch ran; $(touch ran) \`touch ran\` \${IFS}'&& touch ran #`;
  const texts = Object.keys(ACTION.inputs).filter(
    (name) => !['working-directory', 'node-version', 'artifact', 'code-scanning', 'reports'].includes(name),
  );
  expect(texts.length).toBeGreaterThan(10);
  for (const name of texts) {
    const inputs = { ...DOCUMENT, target: 'http://127.0.0.1:9', wait: '0', [name]: evil };
    const { log } = await runAction({ workspace: folder, inputs });
    expect({
      name,
      ran: existsSync(join(folder, 'ran')) || existsSync(join(folder, 'api/ran')),
      log,
    }).toEqual({
      name,
      ran: false,
      log,
    });
  }
  const { status } = await runAction({
    workspace: folder,
    inputs: DOCUMENT,
    github: { base_ref: '--upload-pack=touch ran' },
  });
  expect([status, existsSync(join(folder, 'ran'))]).toEqual(['failure', false]);
});

test('a target and the document of paddock.config, and a key that is shown nowhere', async () => {
  const { folder } = await userProject();
  const targets = { staging: { url: await startKeeping(), only: 'listBooks/200/' } };
  const configuration = JSON.stringify({ document: 'api/openapi.yaml', targets });
  writeFileSync(join(folder, 'paddock.config.json'), configuration);
  const github = { base_ref: 'main' };
  const inputs = { document: '', target: 'staging', 'api-key': 'my-secret' };
  const { status, outputs, log, summary } = await runAction({ workspace: folder, inputs, github });
  expect({ status, log }).toEqual({ status: 'success', log });
  expect([outputs.verdict, outputs['compat-verdict']]).toEqual(['holds', '']);
  expect(log + summary).not.toContain('my-secret');
});

test.each([
  ['an unknown fail-on', { 'fail-on': 'never' }, 2],
  ['a document that is not there', { document: 'none.yaml', target: 'http://127.0.0.1:9' }, 2],
  [
    'no service, though findings fail nothing',
    { target: 'http://127.0.0.1:9', wait: '0', 'fail-on': 'nothing' },
    3,
  ],
  ['a version that is none', { version: 'file:../x' }, 2],
])('%s: the job fails', async (_, inputs, expected) => {
  const { folder } = await userProject();
  const { status, code, log } = await runAction({ workspace: folder, inputs: { ...DOCUMENT, ...inputs } });
  expect({ status, code, log }).toEqual({ status: 'failure', code: expected, log });
});

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();

test('the package of the version of the action is installed beside the project', async () => {
  const { tarball } = await builtPackage();
  const { folder } = await userProject({ installed: false });
  // The tarball replaces the package in the registry; the rest is npm's normal behaviour.
  const bin = dirname(folder);
  const script = `#!/bin/sh
for argument; do
  shift
  case $argument in openapi-paddock@${version}) set -- "$@" '${tarball}' ;; *) set -- "$@" "$argument" ;; esac
done
exec '${npm}' "$@" --prefer-offline
`;
  writeFileSync(join(bin, 'npm'), script, { mode: 0o755 });
  const { NODE_EXTRA_CA_CERTS } = process.env;
  const { status, outputs, log } = await runAction({
    workspace: folder,
    env: { PATH: `${bin}:${process.env.PATH}`, NODE_EXTRA_CA_CERTS },
    inputs: { document: 'api/openapi.yaml', target: await startKeeping() },
  });
  expect({ status, log }).toEqual({ status: 'success', log });
  expect(outputs.verdict).toBe('holds');
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })).toBe(
    '?? paddock-reports/\n',
  );
});

/** A command in a log that GitHub's runner executes. */
interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/**
 * The commands in a log that the runner executes: `::name key=value::message` at the start of a line, `##[name]`
 * anywhere in it, and neither between `::stop-commands::TOKEN` and `::TOKEN::`.
 */
function workflowCommands(log: string): WorkflowCommand[] {
  let stopped: string | undefined;
  return log.split(/\r?\n|\r/).flatMap((line) => {
    const [, name, properties = '', message = ''] =
      /^\s*::([^\s:]+)(?: ([^:]*))?::(.*)$/.exec(line) ?? /##\[([^\s\]]+) ?([^\]]*)\](.*)$/.exec(line) ?? [];
    if (name === undefined) return [];
    if (stopped !== undefined) {
      if (name === stopped) stopped = undefined;
      return [];
    }
    if (name === 'stop-commands') {
      stopped = message;
      return [];
    }
    const pairs = properties.split(',').filter(Boolean);
    return [
      {
        name,
        properties: Object.fromEntries(
          pairs.map((pair) => /^([^=]*)=(.*)$/s.exec(pair)?.slice(1).map(decode) ?? []),
        ),
        message: decode(message),
      },
    ];
  });
}

const SIGNS: Readonly<Record<string, string>> = {
  '%25': '%',
  '%0D': '\r',
  '%0A': '\n',
  '%3A': ':',
  '%2C': ',',
};

function decode(text: string): string {
  return text.replace(/%(?:25|0D|0A|3A|2C)/g, (sign) => SIGNS[sign] as string);
}
