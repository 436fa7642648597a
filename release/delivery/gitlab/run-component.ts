import { type Ended, run } from '../../../quality/testing/command.ts';
import { runScript } from '../testing/run-script.ts';
import { type GitlabJob, jobsWith } from './component.ts';

interface Pipeline {
  /** Where the repository is checked out. */
  readonly folder: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Those that GitLab predefines, and those of the project. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The shell of the image: GitLab takes bash where there is one. */
  readonly shell?: 'bash' | 'sh';
}

/** Runs the lines of the component's job as a GitLab runner does: one shell, which the first failure ends. */
export async function runComponent({ folder, inputs, variables, shell = 'bash' }: Pipeline) {
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

/** What GitLab would keep of each report, by the shell's reading of the pattern. */
async function filesOf(folder: string, { artifacts }: GitlabJob): Promise<Record<string, string[]>> {
  const lists = Object.entries(artifacts.reports).map(async ([name, pattern]) => {
    const { output }: Ended = await run(folder, ['sh', '-c', `ls ${pattern}`]);
    return [name, output.trim().split('\n')];
  });
  return Object.fromEntries(await Promise.all(lists));
}
