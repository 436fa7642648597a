import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { Contract } from '#spec';
import type { CaseResult } from '../cases/case.ts';
import type { Recorded, Traffic } from '../run/recording.ts';
import { type JudgeName, SettingsError } from '../settings/check-options.ts';
import type { Settings } from '../settings/settings.ts';

/** A run of the suite, as far as judges get to see it. */
export interface RecordedRun {
  readonly contract: Contract;
  readonly settings: Pick<Settings, 'base'>;
  readonly traffic: Traffic | undefined;
  readonly results: readonly CaseResult[];
}

/** What a judge says of one exchange of the run. */
export interface Judgement {
  readonly exchange: Recorded;
  /** Empty: the judge accepts the response. */
  readonly violations: readonly string[];
}

/** What a judge says of one run. */
export interface JudgeResult {
  readonly judgements: readonly Judgement[];
  /** What the judge cannot see or was not asked; its silence there says nothing. */
  readonly notes: readonly string[];
  /** Why the judge could not be asked at all. */
  readonly failure: string | undefined;
}

/** Plays runs of one contract back to a judge, which is started once for all of them. */
export type Judge = (
  contract: Contract,
  runs: readonly RecordedRun[],
  installed: Installed,
) => Promise<JudgeResult[]>;

/** A judge that does not start or breaks off. */
export class JudgeFailure extends Error {
  override name = 'JudgeFailure';
}

export function failed(failure: string): JudgeResult {
  return { judgements: [], notes: [], failure };
}

/** A judge's program, as it is installed in the user's project. */
export interface Installed {
  readonly judge: JudgeName;
  readonly version: string;
  /** To be run by Node. */
  readonly program: string;
}

const PACKAGES: Readonly<Record<JudgeName, string>> = { prism: '@stoplight/prism-cli', dredd: 'dredd' };

/**
 * Looks for a judge from the working directory up, as Node does.
 * @throws SettingsError with the line that installs it
 */
export function findJudge(judge: JudgeName, folder: string = process.cwd()): Installed {
  const name = PACKAGES[judge];
  try {
    const manifest = createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`);
    const { version, bin } = JSON.parse(readFileSync(manifest, 'utf8'));
    const program = typeof bin === 'string' ? bin : bin[judge];
    return { judge, version: String(version), program: join(dirname(manifest), program) };
  } catch {
    throw new SettingsError(
      `--opinion ${judge}: it is not installed in this project; this installs it: npm install --save-dev ${name}`,
    );
  }
}

/** A judge's program at work. */
interface Program {
  /** Waits for the output that matches. @throws JudgeFailure */
  waitFor(ready: RegExp, timeout: number): Promise<RegExpExecArray>;
  /** Waits for the end of the program, and gives its output. @throws JudgeFailure */
  waitForEnd(timeout: number): Promise<string>;
  isRunning(): boolean;
  stop(): Promise<unknown>;
}

interface StartOptions {
  readonly folder: string;
  /** Further variables; of the user's own, which may hold keys, the judge gets none. */
  readonly env?: Readonly<Record<string, string>>;
}

export function startProgram(
  { judge, program }: Installed,
  args: readonly string[],
  { folder, env }: StartOptions,
): Program {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH, HOME, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const closed = new Promise<'closed'>((resolve) => child.once('close', () => resolve('closed')));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    isRunning,
    async waitFor(ready, timeout) {
      for (const end = performance.now() + timeout; performance.now() < end; await setTimeout(20)) {
        if (!isRunning()) await closed;
        const found = ready.exec(output);
        if (found) return found;
        if (!isRunning()) throw new JudgeFailure(`${judge} ends at once: ${complaintOf(output)}`);
      }
      throw new JudgeFailure(`${judge} does not start`);
    },
    async waitForEnd(timeout) {
      const late = new AbortController();
      const first = await Promise.race([closed, setTimeout(timeout, 'late', late)]);
      late.abort();
      if (first === 'late') throw new JudgeFailure(`${judge} does not end`);
      return output;
    },
    stop() {
      kill();
      return closed;
    },
  };
}

/** What went wrong, in the program's words: its first error, else its last line. */
export function complaintOf(output: string): string {
  const lines = stripVTControlCharacters(output).trim().split('\n');
  return lines.find((line) => /^error: /i.test(line))?.replace(/^error: /i, '') ?? lines.at(-1) ?? '';
}
