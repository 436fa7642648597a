import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import { parse } from 'yaml';
import { ROOT } from '../../../quality/testing/command.ts';
import { runScript } from './user-project.ts';

/** A step of a composite action. */
export interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

/** A composite action, as in its file. */
export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

export const ACTION: Action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));

export interface Job {
  /** The folder with the user's checked-out repository. */
  readonly workspace: string;
  readonly inputs?: Readonly<Record<string, string>>;
  /** Its steps; default: those of the action of this repository. */
  readonly steps?: readonly Step[];
  /** Members of the context `github`, besides those that always exist. */
  readonly github?: Readonly<Record<string, string>>;
  /** Variables of the job. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface JobResult {
  readonly status: JobStatus;
  /** The exit code of the first failed step; 0 if none failed. */
  readonly code: number;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** The third-party actions that would have been called, in order. */
  readonly calls: readonly { readonly uses: string; readonly with: Readonly<Record<string, string>> }[];
}

/** Runs the steps of the action as GitHub's runner does; third-party actions are only recorded. */
export async function runAction({
  workspace,
  inputs = {},
  steps: run = ACTION.runs.steps,
  github = {},
  env = {},
}: Job): Promise<JobResult> {
  const temporary = mkdtempSync(join(tmpdir(), 'runner-'));
  const summary = join(temporary, 'summary.md');
  writeFileSync(summary, '');
  const contexts = {
    github: { base_ref: '', action_path: ROOT, workspace, ...github },
    runner: { temp: temporary, os: 'Linux' },
    secrets: {},
  };
  const inputValues = Object.entries(ACTION.inputs).map(([name, { default: usual = '' }]) => [
    name,
    inputs[name] ?? fillIn(usual, contexts),
  ]);
  const steps: Record<string, { outputs: Readonly<Record<string, string>>; outcome: string }> = {};
  const all = { ...contexts, inputs: Object.fromEntries(inputValues), steps };
  const result = {
    status: 'success' as JobStatus,
    code: 0,
    log: '',
    calls: [] as JobResult['calls'][number][],
  };
  for (const [index, step] of run.entries()) {
    // A skipped step has no outputs, but naming them is no error.
    if (step.id !== undefined) steps[step.id] = { outputs: {}, outcome: 'skipped' };
    if (!isTrue(step.if ?? 'success()', all, result.status)) continue;
    if (step.uses !== undefined) {
      result.calls.push({ uses: step.uses, with: filled(step.with, all) });
      continue;
    }
    const output = join(temporary, `output-${index}`);
    writeFileSync(output, '');
    const { code, output: log } = await runScript({
      shell: ['bash', '--noprofile', '--norc', '-eo', 'pipefail'],
      script: fillIn(step.run ?? '', all),
      folder: resolve(workspace, fillIn(step['working-directory'] ?? '.', all)),
      env: {
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: workspace,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
        RUNNER_TEMP: temporary,
        ...env,
        ...filled(step.env, all),
      },
    });
    result.log += log;
    const outcome = code === 0 ? 'success' : 'failure';
    if (step.id !== undefined)
      steps[step.id] = { outputs: readCommandFile(readFileSync(output, 'utf8')), outcome };
    if (code !== 0 && result.status === 'success') Object.assign(result, { status: 'failure', code });
  }
  const values = Object.entries(ACTION.outputs).map(([name, { value }]) => [name, fillIn(value, all)]);
  return { ...result, summary: readFileSync(summary, 'utf8'), outputs: Object.fromEntries(values) };
}

function filled(values: Readonly<Record<string, unknown>> = {}, contexts: Contexts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, fillIn(String(value), contexts)]),
  );
}

/** What expressions may refer to: `inputs.document`, `steps.check.outputs.verdict`, ... */
type Contexts = Readonly<Record<string, unknown>>;

/** The result of the steps before this one. */
type JobStatus = 'success' | 'failure' | 'cancelled';

/** Functions about the earlier steps, which GitHub's library leaves to the runner. */
const STATUS_FUNCTIONS: Readonly<Record<string, (status: JobStatus) => boolean>> = {
  always: () => true,
  success: (status) => status === 'success',
  failure: (status) => status === 'failure',
  cancelled: (status) => status === 'cancelled',
};

/** Replaces each `${{ }}` in a text by its value. */
function fillIn(text: string, contexts: Contexts, status: JobStatus = 'success'): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
    evaluate(expression, contexts, status).coerceString(),
  );
}

/** Whether a step with this `if:` runs. Without a function about the earlier steps, all of them must have succeeded. */
function isTrue(condition: string, contexts: Contexts, status: JobStatus): boolean {
  const [, expression = condition] = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(condition) ?? [];
  const tells = Object.keys(STATUS_FUNCTIONS).some((name) =>
    new RegExp(`\\b${name}\\s*\\(`).test(expression),
  );
  const whole = tells ? expression : `success() && (${expression})`;
  const value = evaluate(whole, contexts, status);
  return value.kind === data.Kind.Boolean ? value.value : value.coerceString() !== '';
}

function evaluate(expression: string, contexts: Contexts, status: JobStatus): data.ExpressionData {
  const functions = Object.entries(STATUS_FUNCTIONS).map(([name, call]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(call(status)),
  }));
  const parsed = new Parser(new Lexer(expression).lex().tokens, Object.keys(contexts), functions).parse();
  const values = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary;
  return new Evaluator(parsed, values, new Map(functions.map((one) => [one.name, one]))).evaluate();
}

/** The pairs of a file such as GITHUB_OUTPUT: `name=value` on a line, or `name<<END`, lines, `END`. */
function readCommandFile(text: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  const lines = text.split('\n');
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    if (line === '') continue;
    const [, name = '', sign, rest = ''] = /^([^=<]+)(=|<<)(.*)$/.exec(line) ?? [];
    if (sign === undefined) throw new Error(`no pair: ${line}`);
    if (sign === '=') pairs[name] = rest;
    else {
      const end = lines.indexOf(rest);
      if (end < 0) throw new Error(`no ${rest} ends ${name}`);
      pairs[name] = lines.splice(0, end).join('\n');
      lines.shift();
    }
  }
  return pairs;
}
