import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT, run } from '../../quality/testing/command.ts';
import { HEAD, jobsWith } from './testing/component.ts';
import { conforms, linter } from './testing/linters.ts';
import { ACTION, runAction, type Step } from './testing/run-action.ts';
import { NEW, OLD, startKeeping, userProject } from './testing/user-project.ts';

/** Checks docs/ci.md: its snippets conform to the schemas, and its tables contain each input. */
const PAGE = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8');
const sectionOf = (title: string) => PAGE.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
const snippetOf = (title: string) => /^```yaml\n(.*?)^```/ms.exec(sectionOf(title))?.[1] ?? '';
const namedIn = (title: string) => [
  ...new Set(
    [...sectionOf(title).matchAll(/^\| (`[^|]*`) +\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
    ),
  ),
];

test('the tables name each input, and no other', () => {
  const values = ['any', 'broken', 'nothing'];
  expect(namedIn('GitHub').sort()).toEqual([...Object.keys(ACTION.inputs), ...values].sort());
  expect(namedIn('GitLab').sort()).toEqual(Object.keys(HEAD.spec.inputs).sort());
});

test('the snippets give inputs that there are', () => {
  const [step] = parse(snippetOf('GitHub')).jobs.contract.steps.slice(1);
  expect(Object.keys(step.with).length).toBeGreaterThan(4);
  expect(Object.keys(step.with).filter((name) => !(name in ACTION.inputs))).toEqual([]);
  const [{ inputs }] = parse(snippetOf('GitLab')).include;
  expect(Object.keys(jobsWith(inputs))).toEqual(['paddock']);
});

test('the outputs are named', () => {
  for (const name of Object.keys(ACTION.outputs)) expect(sectionOf('GitHub')).toContain(`\`${name}\``);
});

/** The job in docs/guides/ci.md. */
const GUIDE = readFileSync(join(ROOT, 'docs/guides/ci.md'), 'utf8');
const [, WORKFLOW = ''] = /^```yaml\n(.*?)^```/ms.exec(GUIDE) ?? [];

test('the guide and the page use the same versions of the actions of GitHub as action.yml', () => {
  const versions = (text: string) =>
    [...text.matchAll(/uses: (actions\/[\w-]+)@\S+(?: # (v\d+)\S*)?/g)].map(
      ([use, name, pinned]) => `${name}@${pinned ?? use.split('@')[1]}`,
    );
  const own = versions(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
  const [checkout = '', ...others] = versions(GUIDE);
  expect(versions(PAGE)).toEqual([checkout]);
  expect(others.sort()).toEqual(own.sort());
});

test.each([
  [
    'a document that breaks clients',
    NEW,
    'failure',
    /^## The contract holds[\s\S]*^## NEW breaks clients of OLD/m,
  ],
  ['the same document', OLD, 'success', /^## The contract holds[\s\S]*^## /m],
])(
  'the job of the guide with %s: both questions are answered, in the summary as well',
  async (_, document, status, summary) => {
    const { folder, edit } = await userProject();
    edit(document);
    // Like actions/checkout with fetch-depth: 0.
    const fetched = await run(folder, [
      'git',
      'fetch',
      '--quiet',
      'origin',
      '+refs/heads/main:refs/remotes/origin/main',
    ]);
    expect(fetched.code).toBe(0);
    const text = WORKFLOW.replaceAll(/(?<=[ :])openapi\.yaml/g, 'api/openapi.yaml')
      .replace('https://staging.example/v1', await startKeeping())
      .replace('run: npm ci', 'run: "true"');
    const { steps } = parse(text).jobs.contract as { readonly steps: readonly Step[] };
    const result = await runAction({ workspace: folder, steps });
    expect(result).toMatchObject({ status, code: status === 'success' ? 0 : 1 });
    expect(result.summary).toMatch(summary);
    expect(result.log).not.toContain('No such file');
    expect(existsSync(join(folder, 'reports/check.xml'))).toBe(true);
  },
);

describe.skipIf(linter('check-jsonschema') === undefined)('by check-jsonschema', () => {
  test.each([
    ['GitHub', 'vendor.github-workflows'],
    ['GitLab', 'vendor.gitlab-ci'],
  ])('the snippet of %s conforms to %s', { timeout: 60_000 }, async (title, schema) => {
    const { code, output } = await conforms(schema, snippetOf(title));
    expect({ code, output }).toEqual({ code: 0, output });
  });
});
