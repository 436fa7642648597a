import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Interface } from 'node:readline/promises';
import { type Contract, DocumentError, isRecord, loadContract } from '#spec';
import { needsKey, parseBase } from '#target';
import { SHIPPED_DOCUMENT } from '../shared-options.ts';
import { printable } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

/** What a new configuration file says. */
export interface Answers {
  /** Path or URL; undefined: the Pet Store that comes with Paddock. */
  readonly document: string | undefined;
  readonly target: string;
  /** Base URL of the target. */
  readonly url: string;
  /** The environment variable that holds the credential; undefined: none is needed. */
  readonly variable: string | undefined;
  /** Scripts are added to package.json. */
  readonly scripts: boolean;
}

/** What a document says of the service, as far as it can be read. */
export interface Described {
  /** `Pet Store 1.0.0, 3 operations`. */
  readonly summary: string;
  /** The path of its first server. */
  readonly basePath: string;
  readonly needsKey: boolean;
}

/** What was found in a folder. */
export interface Proposals {
  /** Documents of the folder, the likeliest first. */
  readonly documents: readonly string[];
  /** What `--yes` takes. */
  readonly answers: Answers;
}

const TARGET = 'local';
const VARIABLE = 'PADDOCK_API_KEY';

/** The base URL of the mock for a document. */
function mockUrl({ basePath }: Described, port: number): string {
  return `http://127.0.0.1:${port}${basePath}`;
}

/** Looks for documents; one that cannot be read is no default. */
export async function proposals(
  folder: { readonly path: string; readonly hasManifest: boolean },
  port: number,
): Promise<Proposals> {
  const documents = await findDocuments(folder.path);
  let document: string | undefined;
  for (const one of documents) {
    const described = await describeDocument(one);
    if (described instanceof Error) continue;
    document = one;
    break;
  }
  const described = await describeDocument(document);
  if (described instanceof Error) throw described;
  const variable = described.needsKey ? VARIABLE : undefined;
  const url = mockUrl(described, port);
  return { documents, answers: { document, target: TARGET, url, variable, scripts: folder.hasManifest } };
}

/** @param document undefined: the one that comes with Paddock */
export async function describeDocument(document: string | undefined): Promise<Described | DocumentError> {
  try {
    return describe(await loadContract(document ?? SHIPPED_DOCUMENT));
  } catch (error) {
    if (error instanceof DocumentError) return error;
    throw error;
  }
}

function describe({ title, version, operations, basePath }: Contract): Described {
  const count = `${operations.length} ${operations.length === 1 ? 'operation' : 'operations'}`;
  return { summary: `${title} ${version}, ${count}`.trim(), basePath, needsKey: operations.some(needsKey) };
}

/** Entries of folders that are looked at, and documents that are listed, at most. */
const MOST_ENTRIES = 20_000;
const MOST_DOCUMENTS = 20;
const DEEPEST = 6;
/** Bytes of a file: a YAML document says its version near its beginning, a JSON document is read as a whole. */
const HEAD = 64 * 1024;
const LARGEST_JSON = 16 * 1024 * 1024;

/**
 * The OpenAPI documents of a folder, by what is in them: paths relative to it, those nearest to it first. Folders of packages
 * and those whose name begins with a dot are left out, links are not followed.
 */
export async function findDocuments(folder: string): Promise<string[]> {
  const found: string[] = [];
  let level = [''];
  let entries = 0;
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const below: string[] = [];
    for (const at of level) {
      for (const entry of await listed(join(folder, at))) {
        if (++entries > MOST_ENTRIES || found.length >= MOST_DOCUMENTS) return found;
        const path = at === '' ? entry.name : `${at}/${entry.name}`;
        if (entry.isDirectory()) {
          if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) below.push(path);
        } else if (entry.isFile() && (await isDocument(join(folder, path)))) found.push(path);
      }
    }
    level = below;
  }
  return found;
}

/** In the order of their names, those that say what they are first. */
async function listed(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const rank = (name: string) => (/openapi|swagger/i.test(name) ? 0 : 1);
  return entries.sort((one, other) => rank(one.name) - rank(other.name) || (one.name < other.name ? -1 : 1));
}

async function isDocument(file: string): Promise<boolean> {
  if (!/\.(?:ya?ml|json)$/i.test(file)) return false;
  const isJson = /\.json$/i.test(file);
  const text = await head(file, isJson ? LARGEST_JSON : HEAD);
  if (!isJson || text.length > LARGEST_JSON)
    return /^["']?(?:openapi["']?:\s*["']?3\.|swagger["']?:\s*["']?2\.0)/m.test(text);
  if (!/"(?:openapi|swagger)"/.test(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && (/^3\./.test(String(value.openapi)) || value.swagger === '2.0');
  } catch {
    return false;
  }
}

/** What cannot be read is no document. */
async function head(file: string, most: number): Promise<string> {
  try {
    await using handle = await open(file);
    const size = Math.min((await handle.stat()).size, most);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(size), 0, size, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  }
}

/** What `configuration` takes as the name of a target, and of a variable; it complains of others itself. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Asks the four questions; each has an answer that Enter takes. */
export async function askQuestions(
  terminal: Interface,
  { documents, answers: usual }: Proposals,
  port: number,
): Promise<Answers> {
  const say = (text: string) => console.log(printable(text));
  const { ask } = createQuestions(terminal, say);
  documents.forEach((name, index) => {
    say(`  ${index + 1}  ${name}`);
  });
  const question =
    documents.length > 0
      ? 'OpenAPI document (number, path or URL)'
      : 'OpenAPI document (path or URL; empty: the Pet Store)';
  const [document, described] = await ask(question, usual.document ?? '', readDocument);
  say(`  ${described.summary}`);
  const target = await ask('Name of the target', TARGET, (text) =>
    NAME.test(text) ? text : new Error('letters, digits, "-", "_" and "."'),
  );
  const url = await ask('Base URL of the target', mockUrl(described, port), readUrl);
  const variable = await ask(
    'Environment variable that holds its key, or none',
    described.needsKey ? VARIABLE : 'none',
    readVariable,
  );
  const scripts =
    usual.scripts &&
    (await ask('Scripts mock and check in package.json? (yes or no)', 'yes', readYesOrNo)) === 'yes';
  return { document, target, url, variable: variable === 'none' ? undefined : variable, scripts };

  async function readDocument(text: string): Promise<[string | undefined, Described] | Error> {
    const named = /^\d+$/.test(text) ? documents[Number(text) - 1] : text;
    const described = await describeDocument(named || undefined);
    return described instanceof Error ? described : [named || undefined, described];
  }
}

function readUrl(text: string): string | Error {
  try {
    parseBase(text);
    return text;
  } catch (error) {
    return error as Error;
  }
}

/** What is no name may be the key itself, and is not repeated. */
function readVariable(text: string): string | Error {
  return VARIABLE_NAME.test(text)
    ? text
    : new Error('the name of a variable, such as STAGING_API_KEY; never the key itself');
}

function readYesOrNo(text: string): 'yes' | 'no' | Error {
  if (/^y(?:es)?$/i.test(text)) return 'yes';
  return /^no?$/i.test(text) ? 'no' : new Error('yes or no');
}

/** Asks on a terminal until an answer can be used. */
interface Questions {
  /**
   * @param usual for an empty answer
   * @param read gives the value of an answer; an Error says why it is none
   */
  ask<T>(
    question: string,
    usual: string,
    read: (answer: string) => T | Error | Promise<T | Error>,
  ): Promise<T>;
}

function createQuestions(terminal: Interface, say: (text: string) => void): Questions {
  // The end of the input, as Ctrl-D, would leave the question open forever.
  const closed = new Promise<never>((_, reject) => {
    terminal.once('close', () => reject(new UsageError('interrupted; nothing has been written')));
  });
  closed.catch(() => undefined);
  return {
    async ask(question, usual, read) {
      for (;;) {
        const asked = terminal.question(`${question}${usual && ` [${usual}]`}: `);
        const answer = (await Promise.race([asked, closed])).trim() || usual;
        const value = await read(answer);
        if (!(value instanceof Error)) return value;
        say(`  ${value.message}`);
      }
    },
  };
}
