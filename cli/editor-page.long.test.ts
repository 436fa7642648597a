import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMock } from '#mock';
import { runPaddock, startPaddock } from '../quality/testing/paddock.ts';

const SHIPPED = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));
const PAGE = fileURLToPath(new URL('../docs/editor.md', import.meta.url));

/** The used parts of a Visual Studio Code task. */
interface Task {
  readonly label: string;
  readonly command: string;
  readonly problemMatcher: {
    readonly severity?: string;
    readonly pattern: Readonly<Record<'regexp', string>> &
      Readonly<Record<'file' | 'line' | 'severity' | 'message', number>>;
    readonly background?: { readonly beginsPattern: string; readonly endsPattern: string };
  };
}

let tasks: readonly Task[] = [];

beforeAll(async () => {
  const [, block = ''] = /```json\n(.*?)```/s.exec(await readFile(PAGE, 'utf8')) ?? [];
  tasks = JSON.parse(block).tasks;
});

const taskOf = (label: string) => tasks.find((task) => task.label === label) as Task;

/** The words after the name of the program. */
function wordsOf({ command }: Task): string[] {
  const [, words = ''] = /^npx openapi-paddock (.*)$/.exec(command) ?? [];
  return words.split(' ');
}

/** The problems that a task's pattern finds in each line, as Visual Studio Code reads it. */
function problemsIn({ problemMatcher: { pattern, severity: usual } }: Task, output: string) {
  return output.split('\n').flatMap((line) => {
    const found = new RegExp(pattern.regexp).exec(line);
    if (!found) return [];
    const said = found[pattern.severity];
    // A word that is no severity counts as the matcher's default.
    const severity = ['error', 'warning', 'info'].includes(said ?? '') ? said : usual;
    return [
      {
        file: found[pattern.file],
        line: Number(found[pattern.line]),
        severity,
        message: found[pattern.message],
      },
    ];
  });
}

const NAME = "description: The animal's name.";
/** Refusing names of more than five characters is breaking; returns the lines. */
const shorter = (text: string) => text.replace(NAME, `${NAME}\n          maxLength: 5`);

/** A repository with the shipped document as `openapi.yaml`. */
async function repository() {
  const folder = await mkdtemp(join(tmpdir(), 'editor-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await copyFile(SHIPPED, join(folder, 'openapi.yaml'));
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'The document');
  const text = await readFile(SHIPPED, 'utf8');
  return { folder, text, save: (next: string) => writeFile(join(folder, 'openapi.yaml'), next) };
}

const lineOf = (text: string, part: string) => text.split('\n').findIndex((line) => line.includes(part)) + 1;

describe('the tasks of the page', () => {
  test('compat: what breaks is an error, and a warning a warning, in the lines of the edited file', async () => {
    const { folder, text, save } = await repository();
    const edited = shorter(text).replace('operationId: createPet', 'operationId: addPet');
    await save(edited);
    const task = taskOf('paddock compat');
    const { code, output } = await runPaddock(wordsOf(task), { cwd: folder });
    expect(code).toBe(1);
    expect(problemsIn(task, output)).toEqual([
      {
        file: 'openapi.yaml',
        line: lineOf(edited, 'maxLength: 5'),
        severity: 'error',
        message: expect.stringMatching(
          /^`name` in the request of createPet: max length none -> 5: OLD a valid request: 201; NEW 400: /,
        ),
      },
      {
        file: 'openapi.yaml',
        line: lineOf(edited, 'operationId: addPet'),
        severity: 'warning',
        message: expect.stringMatching(/^createPet: operation id changed: createPet -> addPet; /),
      },
    ]);
  });

  test('check: a broken promise is an error in the line that makes it', async () => {
    const { folder, text } = await repository();
    const mock = await createMock({ document: SHIPPED, port: 0 });
    onTestFinished(() => mock.close());
    mock.addRule({ operation: 'getPet', status: 200, body: { id: 1, name: 7, categoryId: 1 } });
    const task = taskOf('paddock check');
    const words = wordsOf(task).map((word) => (word.startsWith('http:') ? mock.url : word));
    const { code, output } = await runPaddock(words, {
      cwd: folder,
      env: { PADDOCK_API_KEY: 'paddock-dev-key' },
    });
    expect(code).toBe(1);
    const found = problemsIn(task, output);
    expect(found).toContainEqual({
      file: 'openapi.yaml',
      line: expect.any(Number),
      severity: 'error',
      message: expect.stringMatching(/name.*received .*documented .*string.*case getPet\/\S+ and \d+ more/),
    });
    for (const { file, line, severity } of found) {
      expect(file).toBe('openapi.yaml');
      expect(text.split('\n')[line - 1]).toMatch(/\S/);
      expect(severity).toMatch(/error|warning/);
    }
  });

  test('watch: each save begins and ends a round, whose problems are those of the file as it is', async () => {
    const { folder, text, save } = await repository();
    const task = taskOf('paddock watch');
    const { beginsPattern = '', endsPattern = '' } = task.problemMatcher.background ?? {};
    const mock = startPaddock([...wordsOf(task), '--port', '0'], { cwd: folder });
    onTestFinished(() => void mock.stop('SIGKILL'));
    let read = 0;
    /** The lines of the next round, including its last one. */
    const round = async () => {
      for (;;) {
        const lines = mock.output().out.slice(read).split('\n').slice(0, -1);
        const end = lines.findIndex((line) => new RegExp(endsPattern).test(line));
        if (end >= 0) {
          const ended = lines.slice(0, end + 1);
          read += ended.join('\n').length + 1;
          return ended;
        }
        await new Promise((resolve) => mock.child.stdout?.once('data', resolve));
      }
    };
    const begins = (lines: readonly string[]) =>
      lines.findIndex((line) => new RegExp(beginsPattern).test(line));

    expect(problemsIn(task, (await round()).join('\n'))).toEqual([]);
    await save(shorter(text));
    const changed = await round();
    expect(begins(changed)).toBeGreaterThanOrEqual(0);
    expect(problemsIn(task, changed.slice(begins(changed)).join('\n'))).toEqual([]);
    await save('openapi: 3.1.1\npaths: [\n');
    const refused = await round();
    const [first] = problemsIn(task, refused.slice(begins(refused)).join('\n'));
    expect(first).toMatchObject({ file: 'openapi.yaml', line: expect.any(Number), severity: 'error' });
    await save(text);
    const restored = await round();
    expect(begins(restored)).toBeGreaterThanOrEqual(0);
    expect(problemsIn(task, restored.slice(begins(restored)).join('\n'))).toEqual([]);
  });
});
