import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Command } from 'commander';
import { createMock } from '#mock';
import { createProxy } from '#proxy';
import { programFor } from '../../cli/program.ts';
import reportSchema from '../../contract-tests/report/report.schema.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };
import configurationSchema from '../../paddock.schema.json' with { type: 'json' };
import { ROOT } from '../../quality/testing/command.ts';
import { declarationsOfEntryPoints, withoutVariables } from '../site/reference/write-reference.ts';
import { type ChangeLogSection, readChangeLog } from './change-log.ts';

/**
 * `npm run interface [-- --check]` writes what users rely on into stable-interface.txt, and refuses while CHANGELOG.md does
 * not say that it has changed. With `--check` it writes nothing, and ends with 1 where the file is not that of the code.
 */
const FILE = 'stable-interface.txt';

/** What the code says of itself: help, endpoints, schemas, declarations. */
async function snapshot(): Promise<string> {
  const { commands } = await withoutVariables(() => programFor());
  const parts = [
    ...commands.filter(isShown).flatMap(helpsOf),
    ['/__admin', (await endpoints()).join('\n')] as const,
    ['paddock.schema.json', withoutTexts(configurationSchema)] as const,
    ['report.schema.json', withoutTexts(reportSchema)] as const,
    ...(await declarationsOfEntryPoints()).map(({ path, declarations }) => {
      const stable = declarations.filter(({ comment }) => !comment.includes('@experimental'));
      return [
        packageJson.name + path.slice(1),
        stable.map(({ text }) => withoutComments(text)).join('\n'),
      ] as const;
    }),
  ];
  return parts.map(([title, text]) => `## ${title}\n\n${text.trim()}\n`).join('\n');
}

/** Those that are not for people, such as what a shell calls to complete a line, are not in the help. */
function isShown(command: Command): boolean {
  const { parent } = command;
  return parent === null || parent.createHelp().visibleCommands(parent).includes(command);
}

function helpsOf(command: Command): (readonly [string, string])[] {
  let help = '';
  const writeOut = (text: string) => {
    help += text;
  };
  // At one width, whatever the terminal.
  command
    .configureOutput({ writeOut, getOutHelpWidth: () => 120, getOutHasColors: () => false })
    .outputHelp();
  const name = `paddock ${command.name()}`;
  const below = command.commands.flatMap((one) => helpsOf(one.name(`${command.name()} ${one.name()}`)));
  return [[name, help.replaceAll(ROOT, '')], ...below];
}

interface SchemaParts {
  readonly properties?: object;
  readonly definitions?: object;
  readonly $defs?: object;
}

type Send = (path: string, method: string) => Promise<Response>;

/** The endpoints under `/__admin` of mock and proxy. */
async function endpoints(): Promise<string[]> {
  const document = join(ROOT, 'spec/openapi.yaml');
  const mock = await createMock({ document, port: false });
  // No connection is made to the target.
  const proxy = await createProxy({ target: 'http://127.0.0.1:9', document, port: 0 });
  const ofMock = await endpointsOf('mock', (path, method) =>
    mock.fetch(new URL(path, mock.controlUrl), { method }),
  );
  const ofProxy = await endpointsOf('proxy', (path, method) =>
    fetch(new URL(path, proxy.adminUrl), { method }),
  );
  await Promise.all([mock.close(), proxy.close()]);
  return [...ofMock, ...ofProxy];
}

/** A path that does not exist is answered with all that do, and OPTIONS with the methods of one. */
async function endpointsOf(server: string, send: Send): Promise<string[]> {
  const { message } = (await (await send('/__admin/none', 'GET')).json()) as { message: string };
  const paths = message.match(/\/__admin\/[\w-]+(?=,|$)/g) ?? [];
  const lines = paths.map(async (path) => {
    const methods = (await send(path, 'OPTIONS')).headers.get('allow');
    return `${server}: ${path}: ${methods}`;
  });
  return Promise.all(lines);
}

/** A schema with what it says to people left out: a line for each property and definition. */
function withoutTexts({ properties, definitions, $defs, ...rest }: SchemaParts): string {
  const parts = Object.entries({ ...properties, ...definitions, ...$defs, rest });
  const isText = (key: string, value: unknown) => key === 'description' && typeof value === 'string';
  const textOf = (part: unknown) =>
    JSON.stringify(part, (key, value) => (isText(key, value) ? undefined : value));
  return parts.map(([name, part]) => `${name}: ${textOf(part)}`).join('\n');
}

const withoutComments = (text: string) => text.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '');

/** What to do about a snapshot; undefined: nothing. */
export function objection(
  earlier: string | undefined,
  current: string,
  { lines }: Pick<ChangeLogSection, 'lines'>,
): string | undefined {
  if (earlier === undefined || earlier === current) return undefined;
  const [before, after] = [earlier, current].map((text) => new Set(text.split('\n'))) as [
    Set<string>,
    Set<string>,
  ];
  const gone = [...before].filter((line) => !after.has(line));
  const added = [...after].filter((line) => !before.has(line));
  const isAnnounced = lines.some(({ kind }) => gone.length === 0 || kind === 'Changed' || kind === 'Removed');
  if (isAnnounced) return undefined;
  const shown = [...gone.map((line) => `  - ${line}`), ...added.map((line) => `  + ${line}`)].join('\n');
  const where = gone.length > 0 ? 'Changed or Removed' : 'Added';
  return `The stable interface has changed since the last version:\n${shown}\nAdd a line to CHANGELOG.md under ${where} that says so, then run \`npm run interface\`.`;
}

/** The snapshot at the tag of the present version; undefined: it has none, so that nobody relies on it yet. */
function releasedSnapshot(): string | undefined {
  const { status, stdout } = spawnSync('git', ['show', `v${packageJson.version}:${FILE}`], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return status === 0 ? stdout : undefined;
}

async function main(): Promise<number> {
  const { check } = parseArgs({ options: { check: { type: 'boolean' } } }).values;
  const current = await snapshot();
  const [newest] = readChangeLog(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));
  const refusal = objection(releasedSnapshot(), current, newest ?? { lines: [] });
  if (refusal !== undefined) process.stdout.write(`${refusal}\n`);
  else if (!check) writeFileSync(join(ROOT, FILE), current);
  else if (readFileSync(join(ROOT, FILE), 'utf8') !== current) {
    process.stdout.write(
      `${FILE} is not that of the code: run \`npm run interface\`, and look at the difference.\n`,
    );
    return 1;
  }
  return refusal === undefined ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main();
