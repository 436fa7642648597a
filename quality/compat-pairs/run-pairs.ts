import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, refuse } from '../arguments.ts';

const HELP = `npm run --silent compat-pairs -- FOLDER [PATH-OF-OASDIFF]

Compares versions of public documents with paddock compat and with oasdiff, and prints a table. The
folder holds files NAME-VERSION.yaml or .json; each is compared with the one before it. GNU time measures (/usr/bin/time).
`;

const {
  positionals: [folder = refuse('name the folder of the documents'), oasdiff = 'oasdiff'],
} = readArguments(HELP, {});

interface Measured {
  readonly code: number | null;
  readonly out: string;
  /** Of the processor, in seconds. */
  readonly seconds: number;
  /** In MB. */
  readonly peak: number;
}

async function measure(command: readonly string[]): Promise<Measured> {
  const child = spawn('/usr/bin/time', ['-f', '\n%U %S %M', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all(
    [child.stdout, child.stderr].map(async (stream) => {
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part as Buffer);
      return Buffer.concat(parts).toString();
    }),
  );
  const code =
    child.exitCode ?? (await new Promise<number | null>((resolve) => child.once('close', resolve)));
  const [user = 0, system = 0, peak = 0] =
    (err ?? '').trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  return { code, out: out ?? '', seconds: user + system, peak: Math.round(peak / 1024) };
}

interface Finding {
  readonly id: string;
  readonly level: number;
}

/** Several operations have one cause: it is counted once. */
async function breaksOfPaddock(old: string, next: string) {
  const work = await mkdtemp(join(tmpdir(), 'compat-pairs-'));
  const report = join(work, 'report.json');
  try {
    const measured = await measure([
      ...[process.execPath, 'cli/paddock.js', 'compat', old, next],
      ...['--report', `json=${report}`],
    ]);
    const { causes = [] } = JSON.parse(await readFile(report, 'utf8').catch(() => '{}')) as {
      causes?: unknown[];
    };
    return { ...measured, breaks: measured.code === 2 ? 'refused' : String(causes.length) };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function breaksOfOasdiff(old: string, next: string) {
  const measured = await measure([oasdiff, 'breaking', '--format', 'json', old, next]);
  const found = JSON.parse(measured.out || 'null') as readonly Finding[] | null;
  const errors = found?.filter(({ level }) => level === 3).length;
  return {
    ...measured,
    breaks: errors === undefined ? (measured.code === 0 ? '0' : 'refused') : String(errors),
  };
}

const files = (await readdir(folder)).filter((name) => /\.(?:ya?ml|json)$/.test(name));
const groups = Map.groupBy(files, (name) => name.replace(/-[^-]*\.[a-z]+$/, ''));
const versionOf = (file: string) => file.replace(/^.*-/, '').replace(/\.[a-z]+$/, '');
process.stdout.write('| documents | breaks | oasdiff | CPU | oasdiff | memory | oasdiff |\n');
process.stdout.write('| --------- | -----: | ------: | --: | ------: | -----: | ------: |\n');
for (const [name, versions] of groups) {
  const sorted = versions.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  for (const [index, file] of sorted.slice(1).entries()) {
    const before = sorted[index] ?? file;
    const pair = [join(folder, before), join(folder, file)] as const;
    const [ours, theirs] = [await breaksOfPaddock(...pair), await breaksOfOasdiff(...pair)];
    const cells = [
      `${name} ${versionOf(before)}, ${versionOf(file)}`,
      ...[ours.breaks, theirs.breaks],
      ...[ours, theirs].map(({ seconds }) => `${seconds.toFixed(seconds < 1 ? 2 : 1)} s`),
      ...[ours, theirs].map(({ peak }) => `${peak} MB`),
    ];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
}
