import type { CheckOptions } from '#contract-tests';
import { DocumentError, isRecord, readSourceFile } from '#spec';
import { type CredentialSource, plainSecrets, sourceProblem } from '#user-code';
import { FILE, grouped, type OptionRow, wholeNumber } from './options.ts';
import {
  DOCUMENT_OPTIONS,
  generatedInputs,
  inputSeed,
  KNOWN,
  maxTime,
  parsePair,
  RATE,
  reportOption,
  STRICT,
  TARGET_OPTIONS,
  VERBOSE,
} from './shared-options.ts';
import { UsageError } from './usage-error.ts';

const SHARD = '^[1-9]\\d{0,3}/[1-9]\\d{0,3}$';

export const OPTIONS: readonly OptionRow<CheckOptions>[] = [
  ...grouped<CheckOptions>('Document', [...DOCUMENT_OPTIONS]),
  ...grouped<CheckOptions>('Access', [
    ...TARGET_OPTIONS,
    {
      flags: '--wait <s>',
      help: 'seconds to wait for the target to respond at all',
      brief: 'seconds to wait for the target to respond',
      value: wholeNumber(0, 3600),
      default: 0,
      to: 'wait',
    },
    {
      flags: '--timeout <ms>',
      help: 'time limit for one exchange, in milliseconds',
      isSetting: true,
      value: wholeNumber(1, 600_000),
      default: 10_000,
      to: 'timeout',
    },
    {
      flags: '--retries <n>',
      help: 'retries of a request that failed outside of the service',
      isSetting: true,
      value: wholeNumber(0, 100),
      default: 5,
      to: 'retries',
    },
  ]),
  ...grouped<CheckOptions>('Requests', [
    {
      flags: '--read-only',
      help: 'send safe methods only',
      brief: 'send safe methods only',
      conflicts: ['allowWrites'],
    },
    {
      flags: '--allow-writes',
      help: 'send unsafe methods to a target beyond loopback, which needs this or --read-only',
      brief: 'send writes to a target beyond this machine',
    },
    {
      flags: '--disposable',
      help: 'the target may be broken: call all operations, send writes in parallel, races and near misses of the key',
      brief: 'the target may be broken: call everything',
      to: 'disposable',
      see: 'safety.md#one-unsafe-request-at-a-time',
    },
    {
      flags: '--plan',
      help: 'send nothing; report what would be sent, withheld and left behind',
      brief: 'send nothing; say what would be sent',
      to: 'plan',
    },
    {
      flags: '--only <regexp>',
      help: 'run only the cases whose id matches, or of operations with a tag (tag:NAME); requests that set them up are sent, too; !REGEXP leaves out what matches',
      brief: 'only the cases whose id matches',
      isList: true,
      to: 'only',
      see: 'safety.md',
    },
    {
      flags: '--exclude <operation>',
      help: 'never call an operation, not even for set-up',
      brief: 'never call an operation',
      isList: true,
      to: 'exclude',
    },
    {
      flags: '--allow <operation>',
      help: 'call an operation that is withheld: operationId, "METHOD /path", tag:NAME or all',
      isList: true,
      to: 'allow',
      see: 'safety.md',
    },
    {
      flags: '--shard <k/n>',
      help: 'run the Kth of N parts of the run, such as 2/5; paddock merge joins their JSON reports',
      value: { type: 'text', pattern: SHARD },
      to: 'shard',
      see: 'reports.md#several-machines',
    },
    {
      flags: '--value <name=value>',
      help: 'value that is valid on the target',
      brief: 'value that is valid on the target',
      value: { type: 'pairs', between: '=' },
      isList: true,
      to: 'values',
      convert: (texts: readonly string[]) =>
        Object.fromEntries(texts.map((text) => parsePair('--value', text))),
    },
    {
      flags: '--body <operation=file>',
      help: 'file with a body that the target takes, for an operation',
      value: { type: 'pairs', between: '=', path: 'path' },
      isList: true,
      to: 'bodies',
      see: 'values.md#the-first-record',
      convert: (texts: readonly string[]) => Object.fromEntries(texts.map(parseBody)),
    },
    {
      flags: '--callback-url <url>',
      help: 'where the target can reach this run, which checks the callbacks that come there; URL,PORT where a tunnel passes them on to a port of this machine',
      defaultText: 'an address of this machine, where the target is on it; else callbacks are not checked',
      to: 'callbackUrl',
      see: 'webhooks.md',
    },
    {
      flags: '--provoke <file>',
      help: 'requests for statuses that the document does not say how to provoke',
      isSetting: true,
      value: FILE,
      to: 'provoke',
      see: 'values.md#responses-without-a-known-trigger',
    },
    {
      flags: '--hook <command>',
      help: 'command with hooks in any language, which speaks lines of JSON on standard input and output',
      to: 'hook',
      see: 'hooks.md#other-languages',
    },
    {
      flags: '--stateless',
      help: 'for a target without state: request each status with "Prefer: code="',
      isSetting: true,
      to: 'stateless',
    },
    generatedInputs('generated inputs for each operation, and generated sequences for each resource', 25),
    inputSeed('a run'),
  ]),
  ...grouped<CheckOptions>('Limits', [
    maxTime('the whole run'),
    {
      flags: '--rate <n/s>',
      help: 'maximum request rate, such as 5/s',
      brief: 'maximum request rate, such as 5/s',
      ...RATE,
      to: 'rate',
    },
    {
      flags: '--max-creates <n>',
      help: 'maximum number of records to leave behind that the service cannot remove',
      value: wholeNumber(0, 100_000),
      defaultText: '60; with --disposable as many as the cases need',
      to: 'maxCreates',
    },
    {
      flags: '--settle <ms>',
      help: 'milliseconds for which a read that is not yet consistent is repeated',
      value: wholeNumber(0, 600_000),
      default: 2000,
      to: 'settle',
    },
    {
      flags: '--jobs <n>',
      help: 'cases that run in parallel; 1 runs one after another',
      isSetting: true,
      value: wholeNumber(1, 64),
      default: 4,
      to: 'jobs',
    },
  ]),
  ...grouped<CheckOptions>('Verdict and report', [
    STRICT,
    KNOWN,
    {
      flags: '--accept',
      help: 'write the causes of this run into the file of --known',
      brief: 'write the causes of this run into it',
      to: 'accept',
    },
    reportOption('har'),
    VERBOSE,
  ]),
];

/** An object in YAML is the source of a credential, as in a configuration file; any other text is the credential. */
export function withSources(
  credentials: Readonly<Record<string, string>>,
): Readonly<Record<string, CredentialSource>> {
  return Object.fromEntries(
    Object.entries(credentials).map(([scheme, text]) => {
      const source = text.startsWith('{') ? readYaml(text) : undefined;
      if (!isRecord(source)) return [scheme, text];
      const [secret] = plainSecrets(source);
      const problem =
        sourceProblem(source) ??
        (secret === undefined
          ? undefined
          : `${secret} is a secret: name the variable that holds it, {env: NAME}`);
      if (problem !== undefined) throw new UsageError(`--credential ${scheme}: ${problem}`);
      return [scheme, source as CredentialSource];
    }),
  );
}

function readYaml(text: string): unknown {
  try {
    return readSourceFile('--credential', text).value;
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

function parseBody(text: string): [operation: string, file: string] {
  const [operation, file] = parsePair('--body', text);
  if (file === '') throw new UsageError(`--body: "${text}" names no file`);
  return [operation, file];
}
