import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openReports } from './reports.ts';
import { killWriters } from './testing/kill-writers.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'reports-'));

async function write(file: string, text: string): Promise<void> {
  for (const report of await openReports([`json=${file}`], ['json'])) await report.write(text);
}

describe('a report', () => {
  test('is not there before it is whole, and nothing else is there afterwards', async () => {
    const place = folder();
    const file = join(place, 'report.json');
    const [report] = await openReports([`json=${file}`], ['json']);
    expect(readdirSync(place)).toEqual([]);
    await report?.write('{}');
    expect(readdirSync(place)).toEqual(['report.json']);
    expect(readFileSync(file, 'utf8')).toBe('{}');
    await write(file, '[]');
    expect(readFileSync(file, 'utf8')).toBe('[]');
  });

  test('keeps the mode of the file that it replaces', async () => {
    const file = join(folder(), 'report.json');
    writeFileSync(file, 'old');
    chmodSync(file, 0o640);
    await write(file, 'new');
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  test.each<[string, (place: string, outside: string) => string]>([
    ['a link', (place, outside) => linked(join(place, 'link'), join(outside, 'kept.json'))],
    ['a link to nothing', (place, outside) => linked(join(place, 'link'), join(outside, 'new.json'))],
    ['a relative link', (place, outside) => linked(join(place, 'link'), `../${basename(outside)}/kept.json`)],
    [
      'a link through a linked folder',
      (place, outside) => {
        linked(join(place, 'inside'), outside);
        return linked(join(place, 'link'), 'inside/kept.json');
      },
    ],
    [
      'a link out of a linked folder, by ..',
      (place, outside) => {
        mkdirSync(join(outside, 'deep'));
        linked(join(place, 'inside'), join(outside, 'deep'));
        return linked(join(place, 'link'), 'inside/../kept.json');
      },
    ],
    [
      'a link to a link',
      (place, outside) => linked(join(place, 'a'), linked(join(place, 'b'), join(outside, 'kept.json'))),
    ],
    ['a link that is made meanwhile', (place) => join(place, 'later')],
  ])('does not follow what leads out of its folder: %s', async (_, plant) => {
    const [place, outside] = [folder(), folder()];
    writeFileSync(join(outside, 'kept.json'), 'kept');
    const file = plant(place, outside);
    const written = async () => {
      const [report] = await openReports([`json=${file}`], ['json']);
      if (!existsSync(file)) linked(file, join(outside, 'kept.json'));
      await report?.write('new');
    };
    await expect(written()).rejects.toThrow(/^--report: .* is a link that leads out of its folder, to \//);
    expect(readdirSync(outside).filter((name) => name !== 'deep')).toEqual(['kept.json']);
    expect(readFileSync(join(outside, 'kept.json'), 'utf8')).toBe('kept');
  });

  test('goes into the folder that its user has named, by a link as well', async () => {
    const [place, outside] = [folder(), folder()];
    await write(join(linked(join(place, 'reports'), outside), 'report.json'), 'new');
    expect(readFileSync(join(outside, 'report.json'), 'utf8')).toBe('new');
  });

  test('goes to where a symbolic link leads, even to nothing, and the link stays', async () => {
    const place = folder();
    const [file, link, other] = ['report.json', 'link', 'link to the link'].map((name) =>
      join(place, name),
    ) as [string, string, string];
    symlinkSync('report.json', link);
    symlinkSync(link, other);
    for (const text of ['new', 'newer']) {
      await write(other, text);
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
    expect(readdirSync(place).sort()).toEqual(['link', 'link to the link', 'report.json']);
  });

  test.skipIf(process.platform === 'win32')('goes into a named pipe', async () => {
    const pipe = join(folder(), 'pipe');
    await new Promise((resolve) => execFile('mkfifo', [pipe], resolve));
    const text = 'x'.repeat(2 ** 20);
    const [read] = await Promise.all([readFile(pipe, 'utf8'), write(pipe, text)]);
    expect(read).toBe(text);
  });

  test.each([
    ['a folder', () => folder(), /is a folder/],
    ['a loop of links', loop, /symbolic links/],
    [
      'in a folder that takes no files',
      () => join(closedFolder(), 'a.json'),
      /no file can be made in .* \(E\w+\)/,
    ],
    ['below a file', () => join(import.meta.filename, 'a.json'), /ENOTDIR|EEXIST/],
  ])('that cannot be written is refused before the run: %s', async (_, place, message) => {
    await expect(openReports([`json=${place()}`], ['json'])).rejects.toThrow(message);
  });
});

function linked(link: string, target: string): string {
  symlinkSync(target, link);
  return link;
}

function loop(): string {
  const link = join(folder(), 'loop');
  symlinkSync(link, link);
  return link;
}

/** The superuser may write anywhere, except among the system's virtual files. */
function closedFolder(): string {
  if (process.getuid?.() === 0) return '/sys/kernel';
  const place = folder();
  chmodSync(place, 0o555);
  return place;
}

describe('what a killed run has left beside a report', () => {
  const host = hostname()
    .replace(/[^\w-]/g, '')
    .slice(0, 40);

  test('is removed by the next one; what another is writing is not', async () => {
    const place = folder();
    const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await new Promise((resolve) => ended.once('close', resolve));
    const leave = (name: string) => writeFileSync(join(place, name), '{');
    const gone = [
      `.report.json.${host}~${ended.pid}~0.paddock-new`,
      '.report.json.elsewhere~1~0.paddock-new',
    ];
    const kept = [
      `.report.json.${host}~${process.ppid}~0.paddock-new`,
      '.report.json.elsewhere~2~0.paddock-new',
      `.other.json.${host}~${ended.pid}~0.paddock-new`,
      '.report.json.mine',
    ];
    for (const name of [...gone, ...kept]) leave(name);
    const yesterday = Date.now() / 1000 - 86_400;
    utimesSync(join(place, gone[1] as string), yesterday, yesterday);
    await write(join(place, 'report.json'), '{}');
    expect(readdirSync(place).sort()).toEqual([...kept, 'report.json'].sort());
  });
});

test('a process that is killed while it writes leaves the old report or the new one, never a part of one', async () => {
  // For more, see reports.nightly.test.ts.
  const { reports, leftOver } = await killWriters({
    rounds: 3,
    entries: 30_000,
    seed: Number(process.env.SEED ?? 1),
  });
  expect(reports).toHaveLength(3);
  expect(leftOver).toBeLessThan(2);
});

test('standard output that leads into a file is written to, and not replaced', async () => {
  const file = join(folder(), 'out.txt');
  const code =
    "const { openReports } = await import(process.argv[1]); console.log('before');\
    const [one] = await openReports(['json=/dev/stdout'], ['json']); await one.write('{}'); ";
  const url = new URL('reports.ts', import.meta.url).href;
  const command = `"${process.execPath}" --input-type=module -e "$CODE" ${url} > "${file}"`;
  await new Promise((resolve) =>
    execFile('sh', ['-c', command], { env: { ...process.env, CODE: code } }, resolve),
  );
  expect(existsSync(file) && readFileSync(file, 'utf8')).toMatch(/\{\}$/);
});
