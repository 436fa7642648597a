import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { Https } from '#certificates';
import type { CheckOptions, StrictPart } from '#contract-tests';
import type { ObserveOptions } from '#observe';
import { type Contract, compileMask, type Mask } from '#spec';
import { BASE_URL_VARIABLE, FILE, type OptionRow, valuesOf, wholeNumber } from './options.ts';
import { UsageError } from './usage-error.ts';

/** Library options that several verbs set by options of the same name. */
type Shared = Pick<
  CheckOptions,
  | 'allowRefs'
  | 'overlays'
  | 'strictDocument'
  | 'clientCert'
  | 'insecure'
  | 'headers'
  | 'strict'
  | 'known'
  | 'only'
  | 'settle'
  | 'examples'
  | 'seed'
  | 'maxTime'
>;
type Row<To extends keyof Shared> = OptionRow<Pick<Shared, To>>;

/** The document that ships with the package. */
export const SHIPPED_DOCUMENT = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));
const SHIPPED_TITLE = 'the Pet Store';
const DOCUMENT_HELP = 'OpenAPI 3 or Swagger 2.0 document, YAML or JSON: path or URL';

export function documentArgument(): Argument {
  return new Argument('[document]', DOCUMENT_HELP).default(SHIPPED_DOCUMENT, SHIPPED_TITLE);
}

/** One document, or several that are served together. */
export function documentsArgument(): Argument {
  return new Argument('[document...]', DOCUMENT_HELP).default([SHIPPED_DOCUMENT], SHIPPED_TITLE);
}

/** `--document`, where documents are no argument. */
export function documentOption(): OptionRow {
  return {
    flags: '--document <file>',
    help: DOCUMENT_HELP,
    value: FILE,
    default: SHIPPED_DOCUMENT,
    defaultText: SHIPPED_TITLE,
  };
}

/** The base URL of a target, or its name in the configuration file. */
export function targetArgument(name: 'base-url' | 'target'): Argument {
  const help = `base URL of the service with its path prefix, or the name of a target (env: ${BASE_URL_VARIABLE})`;
  return new Argument(`[${name}]`, help).default(process.env[BASE_URL_VARIABLE]);
}

export const ALLOW_REFS: Row<'allowRefs'> = {
  flags: '--allow-refs <place>',
  help: "folder, file or URL that $refs may name outside of the document's folder or host",
  value: FILE,
  isList: true,
  to: 'allowRefs',
};

export const STRICT_DOCUMENT: Row<'strictDocument'> = {
  flags: '--strict-document',
  help: 'refuse a document that is otherwise read with warnings',
  to: 'strictDocument',
};

export const DOCUMENT_OPTIONS: readonly Row<'allowRefs' | 'overlays' | 'strictDocument'>[] = [
  ALLOW_REFS,
  {
    flags: '--overlay <file>',
    help: 'OpenAPI Overlay that is applied to the document before it is read: path or URL',
    brief: 'apply an OpenAPI Overlay before it is read',
    value: FILE,
    isList: true,
    to: 'overlays',
    see: 'documents.md#overlays',
  },
  STRICT_DOCUMENT,
];

/** The address and protocol of mock and proxy. */
export function listenOptions(port: number): readonly OptionRow<{ port?: unknown; host?: unknown }>[] {
  return [
    {
      flags: '--port <n>',
      help: 'port to listen on; 0 takes a free one',
      brief: `port (default: ${port}; 0 takes a free one)`,
      value: wholeNumber(0, 65_535),
      default: port,
      to: 'port',
    },
    {
      flags: '--host <address>',
      help: 'address to listen on',
      brief: 'address to listen on (default: 127.0.0.1)',
      default: '127.0.0.1',
      to: 'host',
    },
    {
      flags: '--https',
      help: 'speak https, with a certificate for localhost that is made and kept; the start says whom to trust',
      brief: 'speak https with a certificate that is made',
      see: 'https.md',
    },
    {
      flags: '--cert <file>',
      help: 'speak https with this certificate and its chain, and then the file of its key where that is another one, PEM',
      value: FILE,
      isList: true,
      see: 'https.md#a-certificate-of-your-own',
    },
  ];
}

/** The library's value of these options. @throws UsageError */
export function httpsOf(command: Command): Https {
  const [cert, key = cert, ...others] = valuesOf(command, 'cert');
  if (others.length > 0)
    throw new UsageError('--cert: name the certificate, and the file of its key at most');
  return cert !== undefined && key !== undefined ? { cert, key } : command.opts().https === true;
}

/** Lines for people on how clients trust a certificate from Paddock. */
export function trustLines(authority: string | undefined): string[] {
  if (authority === undefined) return [];
  return [
    `  trust     ${authority}`,
    '            for Node NODE_EXTRA_CA_CERTS, for curl --cacert, for Python, Go and others SSL_CERT_FILE',
  ];
}

/** How a connection to the target is secured. */
export const TLS_OPTIONS: readonly Row<'clientCert' | 'insecure'>[] = [
  {
    flags: '--client-cert <file>',
    help: 'client certificate for an https target, and then the file of its key where that is another one, PEM',
    value: FILE,
    isList: true,
    to: 'clientCert',
  },
  {
    flags: '--insecure',
    help: 'do not verify the certificate of an https target',
    brief: 'do not verify the certificate',
    to: 'insecure',
  },
];

export function credentialOption(help: string): OptionRow {
  return {
    flags: '--credential <name=value>',
    help,
    value: { type: 'pairs', between: '=' },
    isList: true,
    isSecret: true,
    // A credential may contain a comma, so each has its own variable.
    variables: 'PADDOCK_CREDENTIAL_NAME',
    see: 'values.md#credentials',
  };
}

/** How requests reach the target, and with which credentials and headers. */
export const TARGET_OPTIONS: readonly Row<'clientCert' | 'insecure' | 'headers'>[] = [
  {
    flags: '--api-key <key>',
    help: 'credential, USER:PASSWORD for Basic; other users can see the command line, not the environment',
    brief: 'credential; better in PADDOCK_API_KEY',
    isSecret: true,
    see: 'values.md#credentials',
  },
  {
    flags: '--api-key-file <file>',
    help: 'file with the credential in its first line',
    isSetting: true,
    value: FILE,
    conflicts: ['apiKey'],
  },
  credentialOption(
    "credential of one security scheme, or where it comes from: '{command: gh auth token}', {grant: ...} or {login: ...}",
  ),
  ...TLS_OPTIONS,
  {
    flags: '--header <header>',
    help: "header of every request, as 'Name: value'",
    brief: "header of every request: 'Name: value'",
    value: { type: 'pairs', between: ': ' },
    isList: true,
    to: 'headers',
    convert: (texts: readonly string[]) => texts.map(parseHeader),
  },
];

/** The parts of `--strict`, a copy of the suite's `STRICT_PARTS`, which is loaded on demand. */
const STRICT_PARTS: readonly StrictPart[] = ['stability', 'statuses', 'cells', 'presumed', 'all'];

export const STRICT: Row<'strict'> = {
  flags: '--strict <part>',
  brief: 'let more decide: presumed, cells, ... or all',
  help: 'let more decide the verdict: findings on operations from draft to beta (stability), undocumented 4xx where the document is silent (statuses), documented statuses that were not reached (cells), what breaks presumed facts (presumed), or all',
  value: { type: 'text', choices: STRICT_PARTS },
  isList: true,
  to: 'strict',
};

/** The report on a terminal. */
export const VERBOSE: OptionRow = {
  flags: '--verbose',
  brief: 'list every response and all cases of each cause',
  help: 'list every documented response, all cases of each cause, and what the document leaves open, on the terminal, too',
};

export const KNOWN: Row<'known'> = {
  flags: '--known <file>',
  brief: 'causes that are waived temporarily',
  help: 'causes that are waived temporarily, YAML or JSON: only new ones decide the verdict',
  value: FILE,
  to: 'known',
};

/** Which cells of others' traffic are judged. */
export const JUDGED_CELLS: Row<'only'> = {
  flags: '--only <regexp>',
  help: 'judge only the responses whose id (OPERATION/STATUS/traffic) matches; !REGEXP leaves out what matches',
  isList: true,
  to: 'only',
};

/** `--settle` for others' traffic. */
export const REPLICA_LAG: Row<'settle'> = {
  flags: '--settle <ms>',
  help: 'milliseconds that a replica may lag behind a change',
  value: wholeNumber(0, 600_000),
  default: 2000,
  to: 'settle',
};

const IN_A_SECOND = '^(?!0*(?:\\.0*)?(?:/s)?$)(\\d+(?:\\.\\d+)?)(?:/s)?$';

/** The value of a rate limit. */
export const RATE = {
  value: { type: 'text', orNumber: { exclusiveMinimum: 0 }, pattern: IN_A_SECOND },
  parse(text: string): number {
    const [, count] = new RegExp(IN_A_SECOND).exec(text) ?? [];
    if (count !== undefined) return Number(count);
    throw new InvalidArgumentError('It must be a number in a second, such as 5/s.');
  },
} as const satisfies Partial<OptionRow>;

export const MASKED: OptionRow<Pick<ObserveOptions, 'mask'>> = {
  flags: '--mask <name>',
  help: 'hide values in logs, reports and recordings: of members, parameters and headers of this name, or what a JSON Pointer such as /owner/email leads to in bodies',
  isList: true,
  to: 'mask',
  see: 'traffic.md#what-is-masked',
};

/** @throws UsageError */
export function readMask(command: Command): Mask {
  try {
    return compileMask(valuesOf(command, 'mask'));
  } catch (error) {
    throw new UsageError(`--mask: ${(error as Error).message}`);
  }
}

export function generatedInputs(help: string, usual: number): Row<'examples'> {
  return {
    flags: '--examples <n>',
    help,
    isSetting: true,
    value: wholeNumber(0, 1000),
    default: usual,
    to: 'examples',
  };
}

export function inputSeed(repeated: string): Row<'seed'> {
  return {
    flags: '--seed <n>',
    help: `seed of the generated inputs; the same seed repeats ${repeated}`,
    value: wholeNumber(0, 2 ** 31 - 1),
    default: 1,
    to: 'seed',
  };
}

/** `--max-time`; default: ten minutes. */
export function maxTime(limited: string): Row<'maxTime'> {
  return {
    flags: '--max-time <s>',
    help: `time limit for ${limited}, in seconds`,
    brief: 'time limit in seconds (default: 600)',
    value: wholeNumber(1, 86_400),
    default: 600,
    to: 'maxTime',
  };
}

/** The purpose of each report, by its name for `--report NAME=FILE`; a test compares them with the formats. */
export const REPORTS: Readonly<Record<string, string>> = {
  json: 'everything, for programs; its schema is report.schema.json in the package',
  junit: 'a test case for each case of the run: what most CI services show',
  html: 'one page for people, which needs no other file',
  sarif: 'findings on lines of the document: code scanning',
  markdown: 'a summary for a job or a pull request',
  ctrf: 'Common Test Report Format, for comments and dashboards',
  codequality: 'issues of GitLab, beside the lines of the document in merge requests',
  lines: 'FILE:LINE: error: a line for each cause, as compilers print them: for editors',
  har: 'every exchange, for the developer tools of browsers; of check and proxy alone',
  changelog: 'all changes as Markdown, for those who use the API; of compat alone',
};

const OF_SOME_VERBS: readonly string[] = ['har', 'changelog'];

/** `--report`. @param others reports of this verb only */
export function reportOption(...others: readonly string[]): OptionRow {
  const names = Object.keys(REPORTS).filter((name) => !OF_SOME_VERBS.includes(name) || others.includes(name));
  return {
    flags: '--report <name=file>',
    brief: 'json, junit, html, sarif, markdown, ...',
    help: `write a report: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}; the file - is standard output`,
    value: { type: 'pairs', between: '=', names, path: 'path' },
    isList: true,
  };
}

/** `name=value`; the value may contain further equals signs. @throws UsageError */
export function parsePair(flag: string, text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${flag}: "${text}" is not of the form name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function parseHeader(text: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(
      "--header: one is not of the form 'Name: value'; it is not shown, since it may be a secret",
    );
  return [name, value];
}

/** The key of `--api-key`, or of the setting `apiKeyFile`. */
export async function readKey(command: Command): Promise<string | undefined> {
  const { apiKey, apiKeyFile } = command.opts();
  if (apiKeyFile === undefined) return apiKey;
  const text = await readFile(apiKeyFile, 'utf8').catch((error: Error) => {
    throw new UsageError(`apiKeyFile: ${error.message}`);
  });
  return text.split(/\r?\n/, 1)[0]?.trim() ?? '';
}

/** @throws UsageError for a key or a token that no header can carry as it is */
export function requireKeyForm(what: string, text: string): void {
  if (!/^[\x21-\x7e]{1,256}$/.test(text))
    throw new UsageError(`${what} must have 1 to 256 characters, printable ASCII without spaces`);
}

/** Whether any operation needs a key. */
export function takesCredential({ operations }: Pick<Contract, 'operations'>): boolean {
  return operations.some(({ security }) => security.some((all) => all.length > 0));
}

const CREDENTIAL = 'PADDOCK_CREDENTIAL_';

/**
 * `--credential`, by security scheme: the command line takes precedence over the environment, and that over a configuration
 * file.
 */
export function credentialsOf(command: Command): Record<string, string> {
  const named = Object.fromEntries(valuesOf(command, 'credential').map(parseCredential));
  // The variables without their prefix; an empty one counts as unset.
  const held = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith(CREDENTIAL) && value ? [[name.slice(CREDENTIAL.length), value]] : [],
    ),
  );
  return command.getOptionValueSource('credential') === 'config'
    ? { ...named, ...held }
    : { ...held, ...named };
}

function parseCredential(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  const name = at < 0 ? '' : `, such as ${text.slice(0, at) || 'NAME'}=VALUE`;
  throw new UsageError(
    `--credential: one is not of the form NAME=VALUE${name}; NAME is a security scheme of the document. What was given is not shown, since it may be a secret`,
  );
}
