import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../../quality/testing/command.ts';
import { requireCi } from './publish.ts';
import { planRelease } from './release.ts';
import { ReleaseError } from './release-error.ts';
import { runSteps } from './run-steps.ts';
import { STEPS } from './steps.ts';

const HELP = `npm run release -- [--dry-run]

Checks what a release needs, makes its files in dist-release/, and publishes the package. It stops at the first step that
fails, and says why.

Steps:
${STEPS.map(({ title }, at) => `  ${String(at + 1).padStart(2)}  ${title}`).join('\n')}

Options:
  --dry-run  everything but publishing; without it, it runs in .github/workflows/release.yml only
  --help     this text

Exit codes:
  0  released, or with --dry-run: could be
  1  a step failed
  2  invalid option, or not the place to publish from

Examples:
  npm run release -- --dry-run
  git tag --annotate v1.0.0 && git push origin v1.0.0   # the workflow does the rest
`;

process.exitCode = await release();

async function release(): Promise<number> {
  const write = (text: string) => process.stdout.write(text);
  try {
    const options = { help: { type: 'boolean' }, 'dry-run': { type: 'boolean' } } as const;
    const { help, 'dry-run': isDryRun = false } = parseArgs({ options }).values;
    if (help) {
      write(HELP);
      return 0;
    }
    // npm keeps what stands before `--` for itself.
    if (!isDryRun && process.env.npm_config_dry_run)
      throw new ReleaseError('npm took --dry-run for its own', 'npm run release -- --dry-run');
    const plan = planRelease(ROOT, isDryRun, process.env);
    requireCi(plan);
    write(`${plan.name} ${plan.version}${isDryRun ? ', a dry run' : ''}\n\n`);
    if (!(await runSteps(STEPS, plan, write))) return 1;
    write(
      `\n${isDryRun ? 'It could be released' : 'Released'}. The files are in ${relative(ROOT, plan.folder)}/.\n`,
    );
    return 0;
  } catch (error) {
    const remedy = error instanceof ReleaseError ? error.remedy : 'npm run release -- --help';
    process.stderr.write(`error: ${(error as Error).message}\n→ ${remedy}\n`);
    return 2;
  }
}
