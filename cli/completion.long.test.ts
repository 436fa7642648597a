import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REPORT_FORMATS } from '#contract-tests';
import { PROGRAM, runPaddock } from '../quality/testing/paddock.ts';
import { HAS_TERMINAL, openTerminal, type Terminal } from '../quality/testing/terminal.ts';

/** The scripts of `paddock completion` in real shells, and their queries to the program. */
const isThere = (shell: string) => spawnSync(shell, ['--version']).status === 0;
const reason = (shell: string, needs = true) =>
  !isThere(shell)
    ? `: no ${shell} is here`
    : needs && !HAS_TERMINAL
      ? ': no script of util-linux is here'
      : '';

/** A project with files of many names, and the program where npm puts it. */
let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'paddock-')));
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await mkdir(join(folder, 'below'));
  const line = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  await writeFile(join(folder, 'node_modules/.bin/openapi-paddock'), line, { mode: 0o755 });
  const targets =
    'targets:\n  local: { url: http://127.0.0.1:4020 }\n  staging: { url: https://staging.example }\n';
  await writeFile(join(folder, 'paddock.config.yaml'), targets);
  for (const file of ['openapi.yaml', 'seed one.yaml', 'records.db', 'below/traffic.har'])
    await writeFile(join(folder, file), '');
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, output } = await runPaddock(['completion', shell]);
    expect(code).toBe(0);
    await writeFile(join(folder, `paddock.${shell}`), output);
  }
});

/** Typed text with a tab at its end, and the arguments with which the program is called. */
const TYPED: readonly (readonly [typed: string, called: readonly string[]])[] = [
  ['paddock ch', ['check']],
  ['paddock mock --st', ['mock', '--st']],
  ['paddock mock --sto', ['mock', '--store']],
  ['paddock mock --store m', ['mock', '--store', 'memory']],
  ['paddock mock --store=m', ['mock', '--store=memory']],
  ['paddock mock --store file:rec', ['mock', '--store', 'file:records.db']],
  ['paddock mock --log j', ['mock', '--log', 'json']],
  ['paddock mock --log=j', ['mock', '--log=json']],
  ["paddock mock --log 'j", ['mock', '--log', 'json']],
  ['paddock "mo', ['mock']],
  ['paddock mock op', ['mock', 'openapi.yaml']],
  ['paddock mock --fixture se', ['mock', '--fixture', 'seed one.yaml']],
  ['paddock mock --fixture=se', ['mock', '--fixture=seed one.yaml']],
  ['paddock mock "seed one.yaml" --see', ['mock', 'seed one.yaml', '--seed']],
  [
    'paddock check http://127.0.0.1:1/v1 --report mark',
    ['check', 'http://127.0.0.1:1/v1', '--report', 'markdown='],
  ],
  ['paddock check --report json=rec', ['check', '--report', 'json=records.db']],
  ['paddock judge below/', ['judge', 'below/traffic.har']],
  ['paddock completion z', ['completion', 'zsh']],
  ['paddock check sta', ['check', 'staging']],
  ['paddock help exit', ['help', 'exit-codes']],
  ['paddock nosuch a', ['nosuch', 'a']],
];

/** Lines of a shell on a terminal, where the program only prints its arguments. */
const SHELLS = [
  [
    'bash',
    'bash --noprofile --norc -i',
    "PS1='$ '; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; source ./paddock.bash",
  ],
  [
    'zsh',
    'zsh -f -i',
    "PS1='$ '; unsetopt beep; autoload -Uz compinit; compinit -u -D; source ./paddock.zsh",
  ],
] as const;

describe.for(SHELLS)('%s', ([shell, start, prepare]) => {
  describe.skipIf(reason(shell) !== '')(`on a terminal${reason(shell)}`, () => {
    let terminal: Terminal;
    beforeAll(async () => {
      terminal = openTerminal(start, folder, { HISTFILE: '/dev/null' });
      terminal.type(`${prepare}\n`);
      // The program itself is called by its path, as in the script.
      terminal.type(`called() { printf 'called'; printf ' <%s>' "$@"; printf ' end\\n'; }\n`);
      terminal.type(`paddock() { called "$@"; }; echo rea''dy\n`);
      await terminal.see(/ready/);
    });
    afterAll(() => terminal?.close());

    test.for(TYPED)('%s', async ([typed, called]) => {
      // A second word shows that the completed one is closed; the shell closes an open quote.
      terminal.type(`${typed}\t\n`);
      const seen = await terminal.see(/called( <[^\n]*>)? end/);
      expect(seen).toBe(`called${called.map((word) => ` <${word}>`).join('')} end`);
    });

    test('the program is found by the path that is typed', async () => {
      terminal.type("cd below; echo ar''rived\n");
      await terminal.see(/arrived/);
      terminal.type(
        'echo ../node_modules/.bin/openapi-paddock; ../node_modules/.bin/openapi-paddock --vers\t\n',
      );
      await terminal.see(/\d+\.\d+\.\d+/);
      terminal.type('paddock jud\t\n');
      expect(await terminal.see(/called.* end/)).toBe('called <judge> end');
    });
  });
});

describe.skipIf(!isThere('fish'))(`fish${reason('fish', false)}`, () => {
  const offered = (typed: string) => {
    const { stdout } = spawnSync(
      'fish',
      [
        '--no-config',
        '--command',
        `source paddock.fish; function paddock; end; complete --do-complete=${JSON.stringify(typed)}`,
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t')[0]);
  };

  test.for<[string, readonly string[]]>([
    ['paddock ch', ['check']],
    ['paddock mock --st', ['--strict-document', '--store']],
    ['paddock mock --store ', ['memory', 'file:', 'postgres://']],
    ['paddock mock --store file:rec', ['file:records.db']],
    ['paddock mock --log=', ['--log=text', '--log=json', '--log=quiet']],
    ['paddock mock op', ['openapi.yaml']],
    ['paddock mock --fixture se', ['seed one.yaml']],
    ["paddock mock --fixture 'seed ", ['seed one.yaml']],
    ['paddock check --report mark', ['markdown=']],
    ['paddock check --report json=rec', ['json=records.db']],
    ['paddock completion z', ['zsh']],
    ['paddock check sta', ['staging']],
    ['paddock help exit', ['exit-codes']],
    ['paddock nosuch a', []],
  ])('%s', ([typed, words]) => {
    expect(offered(typed).sort()).toEqual([...words].sort());
  });
});

/** The program's answers to the scripts. */
async function asked(...words: string[]): Promise<string[]> {
  const { code, output } = await runPaddock(['__complete', '--', ...words]);
  expect(code).toBe(0);
  return output.trimEnd().split('\n');
}

test('verbs come with what they do; what is for the scripts is not shown', async () => {
  const [kind, ...verbs] = await asked('');
  expect(kind).toBe('words');
  expect(verbs).toContainEqual(expect.stringMatching(/^check\tCheck a running service/));
  expect(verbs.join()).not.toContain('__complete');
});

test('the names of reports are those that there are', async () => {
  const [, ...names] = await asked('check', '--report', '');
  expect(names.map((line) => line.replace(/=$/, ''))).toEqual(Object.keys(REPORT_FORMATS));
});

test('a flag is offered once, an option with a value again, and nothing after --', async () => {
  expect(await asked('mock', '--watch', '--wat')).toEqual(['words']);
  expect(await asked('mock', '--fixture', 'a', '--fix')).toHaveLength(2);
  expect(await asked('mock', '--', '--wat')).toEqual(['files:']);
  expect(await asked('mock', '--port', '')).toEqual(['words']);
});

test('a configuration file that cannot be read gives no names, and no message', async () => {
  const elsewhere = await realpath(await mkdtemp(join(tmpdir(), 'paddock-')));
  await writeFile(join(elsewhere, 'paddock.config.yaml'), 'targets: [');
  const { code, output } = await runPaddock(['__complete', '--', 'check', ''], { cwd: elsewhere });
  expect({ code, output }).toEqual({ code: 0, output: 'words\n' });
});

test('a tab runs no configuration file, and no program that only the folder has', async () => {
  const elsewhere = await realpath(await mkdtemp(join(tmpdir(), 'paddock-')));
  const touch = `require('node:fs').writeFileSync('ran', '')`;
  await writeFile(join(elsewhere, 'paddock.config.ts'), `${touch};\nmodule.exports = { targets: {} };\n`);
  const { output } = await runPaddock(['__complete', '--', 'check', ''], { cwd: elsewhere });
  expect(output).toBe('words\n');
  expect(await readdir(elsewhere)).not.toContain('ran');
  // Calling a verb runs the same file.
  await runPaddock(['check', 'nosuch'], { cwd: elsewhere });
  expect(await readdir(elsewhere)).toContain('ran');

  await mkdir(join(elsewhere, 'node_modules/.bin'), { recursive: true });
  const program = join(elsewhere, 'node_modules/.bin/openapi-paddock');
  await writeFile(program, '#!/bin/sh\necho words; echo started\n', { mode: 0o755 });
  const completing = (before: string) =>
    spawnSync(
      'bash',
      [
        '-c',
        `${before}; source '${folder}/paddock.bash'; COMP_WORDS=(paddock ch) COMP_CWORD=1 COMP_LINE='paddock ch' COMP_POINT=10; _paddock; echo "\${COMPREPLY[@]}"`,
      ],
      { cwd: elsewhere, encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } },
    ).stdout.trim();
  expect(completing('true')).toBe('');
  expect(completing('paddock() { :; }')).toContain('started');
});

test('an unknown shell is a usage error that names the others', async () => {
  const { code, output } = await runPaddock(['completion', 'tcsh']);
  expect(output).toContain('bash, zsh, fish');
  expect(code).toBe(2);
});
