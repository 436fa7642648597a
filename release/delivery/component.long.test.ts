import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Ended, run } from '../../quality/testing/command.ts';
import { type GitlabJob, HEAD, jobsWith } from './testing/component.ts';
import {
  NEW,
  readJson,
  runScript,
  startBreaking,
  startKeeping,
  userProject,
} from './testing/user-project.ts';

/** Runs the job of templates/paddock.yml as a GitLab runner does. */
const INPUTS = { document: 'api/openapi.yaml', version: '' };
const MERGE_REQUEST = { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' };

test('each input is used, in quotes or as a whole', () => {
  const text = readFileSync('templates/paddock.yml', 'utf8');
  for (const name of Object.keys(HEAD.spec.inputs)) expect(text).toContain(`$[[ inputs.${name} ]]`);
  expect(text.match(/\$\[\[/g)?.length).toBe(text.match(/'\$\[\[ inputs\.[\w-]+ \]\][\w./*]*'/g)?.length);
  const [job] = Object.values(jobsWith());
  const lines = [...(job?.before_script ?? []), ...(job?.script ?? [])];
  expect(lines.filter((line) => line.includes('$[['))).toEqual([]);
});

test('in bash: a service that keeps the contract', async () => {
  const { folder } = await userProject();
  const inputs = { ...INPUTS, target: await startKeeping() };
  const { code, output, artifacts } = await runComponent({ folder, inputs, shell: 'bash' });
  expect({ code, output }).toEqual({ code: 0, output });
  expect(artifacts).toEqual({
    junit: ['paddock-reports/check.xml'],
    codequality: ['paddock-reports/codequality.json'],
  });
  expect(readJson(join(folder, 'paddock-reports/codequality.json'))).toEqual([]);
});

test('in sh: one that breaks it, in a merge request that breaks clients', async () => {
  const { folder, edit } = await userProject();
  edit(NEW);
  const run = { folder, variables: MERGE_REQUEST, shell: 'sh' } as const;
  const inputs = { ...INPUTS, target: await startBreaking() };
  const { code, output, artifacts } = await runComponent({ ...run, inputs });
  expect({ code, output }).toEqual({ code: 1, output });
  expect(artifacts.junit).toEqual(['paddock-reports/check.xml', 'paddock-reports/compat.xml']);
  const issues = readJson(join(folder, 'paddock-reports/codequality.json'));
  const causes = ['check', 'compat'].flatMap(
    (name) => readJson(join(folder, `paddock-reports/${name}.json`)).causes,
  );
  expect(issues).toHaveLength(causes.length);
  expect(new Set(issues.map((one: { location: { path: string } }) => one.location.path))).toEqual(
    new Set(['api/openapi.yaml']),
  );
  expect(existsSync(join(folder, 'pwned'))).toBe(false);
  const tolerant = { ...inputs, target: '', 'fail-on': 'nothing' };
  expect((await runComponent({ ...run, inputs: tolerant })).code).toBe(0);
});

test('an error that prevented the check fails, whatever findings may', async () => {
  const { folder } = await userProject();
  const inputs = { ...INPUTS, target: 'http://127.0.0.1:9', wait: 0, 'fail-on': 'nothing' };
  expect((await runComponent({ folder, inputs })).code).toBe(3);
  const missing = await runComponent({ folder, inputs: { ...inputs, document: 'none.yaml' } });
  expect({ code: missing.code, output: missing.output }).toEqual({ code: 2, output: missing.output });
});

test('an input is a text, whatever it says', async () => {
  const { folder } = await userProject();
  const evil = '"; touch ran; $(touch ran) `touch ran` $HOME && touch ran #';
  for (const name of ['document', 'target', 'known']) {
    const inputs = { ...INPUTS, target: 'http://127.0.0.1:9', wait: 0, [name]: evil };
    const { output } = await runComponent({ folder, inputs });
    expect({ name, ran: existsSync(join(folder, 'ran')), output }).toEqual({ name, ran: false, output });
  }
  for (const name of ['version', 'image', 'reports', 'fail-on', 'wait', 'read-only'])
    expect(() => jobsWith({ [name]: evil })).toThrow(`the input ${name} does not take`);
  expect(() => jobsWith({ document: "a'b" })).toThrow('the input document does not take');
});

interface Pipeline {
  /** The folder with the checked-out repository. */
  readonly folder: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** GitLab's predefined variables, and those of the project. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The shell of the image: GitLab prefers bash. */
  readonly shell?: 'bash' | 'sh';
}

/** Runs the lines of the component's job as a GitLab runner does: in one shell, which the first failure ends. */
async function runComponent({ folder, inputs, variables, shell = 'bash' }: Pipeline) {
  const [job] = Object.values(jobsWith(inputs)) as [GitlabJob];
  const own = Object.entries(job.variables).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.value,
  ]);
  const ended = await runScript({
    shell: shell === 'bash' ? ['bash', '-eo', 'pipefail'] : ['sh', '-e'],
    script: [...job.before_script, ...job.script].join('\n'),
    folder,
    env: { CI: 'true', GITLAB_CI: 'true', ...Object.fromEntries(own), ...variables },
  });
  return { ...ended, artifacts: await filesOf(folder, job) };
}

/** The files that GitLab would keep for each report, matched by the shell. */
async function filesOf(folder: string, { artifacts }: GitlabJob): Promise<Record<string, string[]>> {
  const lists = Object.entries(artifacts.reports).map(async ([name, pattern]) => {
    const { output }: Ended = await run(folder, ['sh', '-c', `ls ${pattern}`]);
    return [name, output.trim().split('\n')];
  });
  return Object.fromEntries(await Promise.all(lists));
}
