import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isHttp, isRecord, loadContract, namesLoopback, writeYaml } from '#spec';
import { replaceFile } from '#whole-file';
import { widest } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import type { Answers, Described } from './proposals.ts';

const FILE = 'paddock.config.yaml';
const MEANING = 'paddock.overlay.yaml';
const MANIFEST = 'package.json';
const PACKAGE = 'node_modules/openapi-paddock';

/** The folder that gets a configuration file. */
export interface Folder {
  readonly path: string;
  readonly hasManifest: boolean;
  /** Writes the files, and returns what was done, one line each. @throws UsageError for a file that cannot be written */
  write(answers: Answers, port: number): Promise<string[]>;
}

/** @throws UsageError if a configuration file exists, unless it is to be replaced */
export async function openFolder(path: string, force: boolean): Promise<Folder> {
  const names = await readdir(path);
  const there = names.filter((name) => /^paddock\.config\.(?:ya?ml|json|ts)$/.test(name));
  const other = there.find((name) => name !== FILE);
  if (other !== undefined)
    throw new UsageError(`${other} already exists, and a folder has one configuration file: remove it first`);
  if (there.length > 0 && !force) throw new UsageError(`${FILE} already exists; --force overwrites it`);
  return {
    path,
    hasManifest: names.includes(MANIFEST),
    async write(answers, port) {
      // Read first, so that nothing is written if either cannot be.
      const installed = packageFrom(path);
      const edited = answers.scripts
        ? await readScripts(join(path, MANIFEST), installed !== undefined)
        : undefined;
      const schema = `${installed ?? `./${PACKAGE}`}/paddock.schema.json`;
      const overlay = await overlayFor(path, answers);
      if (overlay) await written(join(path, MEANING), overlay.text, true);
      await written(
        join(path, FILE),
        configText(answers, { schema, port, overlay: overlay && MEANING }),
        force,
      );
      const done = [
        `${FILE} is ${there.length > 0 ? 'overwritten' : 'written'}`,
        ...(overlay ? [`${MEANING} has what is guessed of the document, to be corrected`] : []),
      ];
      if (!edited) return done;
      if (edited.added.length > 0) await written(join(path, MANIFEST), edited.text, true);
      if (edited.added.length > 0) done.push(`${MANIFEST} has the scripts ${edited.added.join(' and ')}`);
      if (edited.kept.length > 0)
        done.push(`${MANIFEST} already has a script ${edited.kept.join(' and ')}, which is kept`);
      return done;
    },
  };
}

/** An overlay with the document's meaning. Undefined: it is not the user's own document, or cannot be read. */
async function overlayFor(path: string, { document }: Answers): Promise<{ text: string } | undefined> {
  if (document === undefined) return undefined;
  const file = join(path, MEANING);
  const existing = existsSync(file) ? await readFile(file, 'utf8') : undefined;
  const location = isHttp(document) ? document : join(path, document);
  const overlays = existing === undefined ? [] : [file];
  const { writeGuesses } = await import('#whole-document');
  try {
    const contract = await loadContract(location, { overlays, presumeResponses: true });
    return writeGuesses(contract, existing, document);
  } catch {
    return undefined;
  }
}

async function readScripts(file: string, isInstalled: boolean) {
  try {
    return addScripts(await readFile(file, 'utf8'), isInstalled);
  } catch (error) {
    throw new UsageError(`${MANIFEST}: ${(error as Error).message}; nothing has been written`);
  }
}

/** Writes the whole file or nothing. */
async function written(file: string, text: string, replace: boolean): Promise<void> {
  try {
    if (!replace) return await writeFile(file, text, { flag: 'wx' });
    replaceFile(file, text, true);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The installed package, in the nearest `node_modules` with it. Undefined: it is not installed. */
function packageFrom(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, PACKAGE)))
      return `./${relative(folder, join(at, PACKAGE)).split(sep).join('/')}`.replace('./../', '../');
    if (dirname(at) === at) return undefined;
  }
}

/** The content of the file beside the answers. */
interface Surroundings {
  /** The path of the JSON Schema, from the file. */
  readonly schema: string;
  readonly port: number;
  /** The overlay with the document's meaning. Undefined: there is none. */
  readonly overlay?: string | undefined;
}

/** The text of a new `paddock.config.yaml`. */
export function configText(answers: Answers, { schema, port, overlay }: Surroundings): string {
  const { document, target, url, variable } = answers;
  const lines = [
    `# yaml-language-server: $schema=${schema}`,
    '# Options of all verbs of Paddock: keys are the long options in camelCase. The command line and the',
    '# environment come before this file. See: npx openapi-paddock help configuration',
    '',
    '# The OpenAPI document: path or URL. Without one it is the Pet Store that comes with Paddock.',
    document === undefined ? '# document: openapi.yaml' : `document: ${scalar(document)}`,
    ...(overlay === undefined
      ? []
      : [
          '# What it means beyond OpenAPI, to be corrected: npx openapi-paddock explain',
          `overlay: ${overlay}`,
        ]),
    '',
    `# Services by name: npx openapi-paddock check ${target}. The name of the only one can be left out.`,
    'targets:',
    `  ${scalar(target)}:`,
    `    url: ${scalar(url)}`,
    ...(variable === undefined
      ? []
      : [
          '    # The environment variable that holds the key; the key itself never stands here.',
          `    apiKeyEnv: ${variable}`,
        ]),
    ...(isLoopbackUrl(url)
      ? []
      : [
          '    # On a service that others use: send no request that changes something.',
          '    readOnly: true',
        ]),
    '',
    'mock:',
    `  port: ${port}`,
    '',
    '# check:',
    '#   report: [junit=reports/paddock.xml, html=reports/paddock.html]',
    '',
  ];
  return lines.join('\n');
}

function scalar(text: string): string {
  return writeYaml(text).trimEnd();
}

/** The mock's default key, which is public. */
const KEY_OF_MOCK = 'paddock-dev-key';

/** The next steps with the new files. */
export function nextSteps({ url, variable }: Answers, document: Described | Error): string[] {
  const summary = document instanceof Error ? '' : document.summary;
  const onLoopback = isLoopbackUrl(url);
  const key = onLoopback ? KEY_OF_MOCK : '...';
  const lines = [
    ['npx openapi-paddock mock', summary],
    ...(variable === undefined
      ? []
      : [[`export ${variable}=${key}`, onLoopback ? 'public development key' : 'its key']]),
    ['npx openapi-paddock check', 'is the contract kept?'],
  ];
  const width = widest(lines.map(([line = '']) => line));
  const [mock = '', ...check] = lines.map(([line = '', note]) => `  ${line.padEnd(width)}  # ${note}`);
  return [
    'Next:',
    mock,
    'and in another terminal:',
    ...check,
    '',
    'npx openapi-paddock help lists all verbs.',
  ];
}

/** Whether a base URL is on this machine. */
function isLoopbackUrl(url: string): boolean {
  return namesLoopback(new URL(url).hostname);
}

/** The scripts of `paddock init`, named after their verbs. */
const SCRIPTS = ['mock', 'check'];

/** Without the package in the project, "npx paddock" would fetch another package with that name. */
const INSTALLED = 'paddock';
const FETCHED = 'npx openapi-paddock';

export interface Edited {
  /** The text with the scripts, formatted like npm. */
  readonly text: string;
  readonly added: readonly string[];
  /** Names that are in use already. */
  readonly kept: readonly string[];
}

/**
 * Adds scripts to the text of a package.json, keeping its indentation and line ends.
 * @param isInstalled whether the project has the package
 * @throws SyntaxError, TypeError if the text is no package.json
 */
export function addScripts(text: string, isInstalled: boolean): Edited {
  const manifest: unknown = JSON.parse(text);
  if (!isRecord(manifest) || !isRecord('scripts' in manifest ? manifest.scripts : {}))
    throw new TypeError('it is no package.json');
  const old = (manifest.scripts ?? {}) as Readonly<Record<string, string>>;
  const added = SCRIPTS.filter((name) => !Object.hasOwn(old, name));
  const kept = SCRIPTS.filter(
    (name) =>
      Object.hasOwn(old, name) && ![`${INSTALLED} ${name}`, `${FETCHED} ${name}`].includes(old[name] ?? ''),
  );
  if (added.length === 0) return { text, added, kept };
  const program = isInstalled ? INSTALLED : FETCHED;
  const scripts = { ...old, ...Object.fromEntries(added.map((name) => [name, `${program} ${name}`])) };
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  const lines = JSON.stringify({ ...manifest, scripts }, undefined, indent) + (/\n$/.exec(text)?.[0] ?? '');
  return { text: text.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines, added, kept };
}
