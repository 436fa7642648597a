import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { CheckOptions, JudgeName } from '#contract-tests';
import { parsePair, valuesOf } from './options.ts';
import { UsageError } from './usage-error.ts';

/** The options of the suite from those of the command line. */
export async function toOptions(target: string, document: string, command: Command): Promise<CheckOptions> {
  const given = command.opts();
  if (given.knownUpdate && given.known === undefined)
    throw new UsageError('--known-update writes the file of --known FILE, which is missing');
  if (given.newOnly && given.baseline === undefined)
    throw new UsageError('--new-only compares with the report of --baseline FILE, which is missing');
  return {
    target,
    document,
    allowRefs: valuesOf(command, 'allowRefs'),
    overlays: valuesOf(command, 'overlay'),
    strictDocument: given.strictDocument,
    apiKey: given.apiKeyFile === undefined ? given.apiKey : await readKey(given.apiKeyFile),
    credentials: credentialsOf(command),
    clientCert: given.clientCert,
    clientKey: given.clientKey,
    insecure: given.insecure,
    headers: valuesOf(command, 'header').map(parseHeader),
    writes: given.readOnly ? false : given.allowWrites,
    only: given.only,
    skip: given.skip,
    values: Object.fromEntries(valuesOf(command, 'value').map((text) => parsePair('--value', text))),
    stateless: given.stateless,
    allow: valuesOf(command, 'allow'),
    exclude: valuesOf(command, 'exclude'),
    plan: given.plan,
    strictStability: given.strictStability,
    probeKey: given.probeKey,
    known: given.known,
    provoke: given.provoke,
    strictCells: given.strictCells,
    knownUpdate: given.knownUpdate,
    baseline: given.baseline,
    newOnly: given.newOnly,
    examples: given.examples,
    races: given.races,
    seed: given.seed,
    wait: given.wait,
    jobs: given.jobs,
    rate: given.rate,
    timeout: given.timeout,
    retries: given.retries,
    settle: given.settle,
    maxCreates: given.maxCreates,
    maxTime: given.maxTime,
    opinions: valuesOf(command, 'opinion').map(parseJudge),
  };
}

async function readKey(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`--api-key-file: ${error.message}`);
  });
  return text.split(/\r?\n/, 1)[0]?.trim() ?? '';
}

const CREDENTIAL = 'PADDOCK_CREDENTIAL_';

/** By security scheme: the command line wins over the environment, and that over a configuration file. */
function credentialsOf(command: Command): Record<string, string> {
  const named = Object.fromEntries(valuesOf(command, 'credential').map(parseCredential));
  const held = credentialsIn(process.env);
  return command.getOptionValueSource('credential') === 'config'
    ? { ...named, ...held }
    : { ...held, ...named };
}

/** The variables of credentials, without their prefix; an empty one counts as unset. */
function credentialsIn(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      name.startsWith(CREDENTIAL) && value ? [[name.slice(CREDENTIAL.length), value]] : [],
    ),
  );
}

function parseCredential(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  const name = at < 0 ? '' : `, such as ${text.slice(0, at) || 'NAME'}=VALUE`;
  throw new UsageError(
    `--credential: one is not of the form NAME=VALUE${name}; NAME is a security scheme of the document, and what was given may be a secret and is not shown`,
  );
}

function parseHeader(text: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(
      "--header: one is not of the form 'Name: value'; it may be a secret and is not shown",
    );
  return [name, value];
}

export const JUDGES: readonly JudgeName[] = ['prism', 'dredd'];

function parseJudge(text: string): JudgeName {
  const judge = JUDGES.find((name) => name === text);
  if (judge) return judge;
  throw new UsageError(`--opinion: "${text}" must be one of ${JUDGES.join(', ')}`);
}
