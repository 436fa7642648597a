import type { Command } from 'commander';
import type { CheckOptions } from '#contract-tests';
import { addConfigOptions } from './configured.ts';
import { type Remark, renderRemark } from './doctor/remark.ts';
import { exitCodes } from './exit-codes.ts';
import { addOptions, examples, libraryOptions, type OptionRow, variablesOf, wholeNumber } from './options.ts';
import {
  DOCUMENT_OPTIONS,
  documentOption,
  readCredentials,
  TARGET_OPTIONS,
  targetArgument,
} from './shared-options.ts';
import { hasColours } from './terminal.ts';
import { onCommandLine, UsageError } from './usage-error.ts';

/** All options of `paddock doctor`: what it examines is what `mock` and `check` are given. */
const OPTIONS: readonly OptionRow<CheckOptions>[] = [
  documentOption('the document where no base URL is given'),
  ...DOCUMENT_OPTIONS,
  {
    flags: '--port <n>',
    help: 'port that the mock is to listen on',
    value: wholeNumber(0, 65_535),
    default: 4020,
  },
  { flags: '--host <address>', help: 'address that the mock is to listen on', default: '127.0.0.1' },
  ...TARGET_OPTIONS,
  {
    flags: '--timeout <ms>',
    help: 'time limit for connecting, and for one exchange, in milliseconds',
    value: wholeNumber(1, 600_000),
    default: 10_000,
  },
  { flags: '--json', help: 'write one JSON object' },
];

const EXAMPLES = examples([
  'paddock doctor',
  'paddock doctor http://127.0.0.1:4020/v1',
  'paddock doctor staging',
  'PADDOCK_API_KEY=secret paddock doctor https://staging.example/v1 openapi.yaml',
  'paddock doctor --document openapi.yaml --port 8080',
  'paddock doctor https://staging.example/v1 --json',
]);

const PROMISE = `
Only GET requests are sent. No output contains a credential.
`;

/** @param definitions the program with all its verbs, whose options have the variables that are known */
export function addDoctor(program: Command, definitions: () => Promise<Command>): void {
  const command = program
    .command('doctor')
    .description('Report what is wrong with Node, document, port, target, key or clock, and how to solve it.')
    .addArgument(targetArgument('base-url'))
    .argument('[document]', 'OpenAPI 3 or Swagger 2.0 document, YAML or JSON: path or URL');
  addConfigOptions(addOptions(command, OPTIONS))
    .addHelpText('after', PROMISE + exitCodes('doctor') + EXAMPLES)
    .action(async () => {
      process.exitCode = await run(command, await definitions());
    });
}

async function run(command: Command, program: Command): Promise<number> {
  const [{ examine }, { examineConfiguration }, { obeysProxies, readTarget, SettingsError }] =
    await Promise.all([import('./doctor/examine.ts'), import('./doctor/configured.ts'), import('#target')]);
  const configuration = await examineConfiguration(command, program.commands);
  // The file may have put a URL in the place of a name.
  const [baseUrl, document] = command.processedArgs as (string | undefined)[];
  const given = command.opts();
  const {
    headers = [],
    allowRefs = [],
    overlays = [],
    strictDocument = false,
    ...tls
  } = libraryOptions<CheckOptions>(command);
  const { apiKey, credentials = {} } = await readCredentials(command);
  try {
    const remarks = examine({
      configuration,
      document: {
        document: document ?? given.document,
        allowRefs,
        overlays,
        strictDocument,
      },
      mock: { host: given.host, port: given.port },
      target: baseUrl ? readTarget({ ...tls, target: baseUrl }) : undefined,
      sender: { apiKey: apiKey || undefined, credentials, headers, timeout: given.timeout },
      surroundings: { env: process.env, known: variablesOf(program), obeysProxies },
    });
    const coloured = hasColours(process.stdout);
    const found: Remark[] = [];
    for await (const remark of remarks) {
      found.push(remark);
      if (!given.json) console.log(renderRemark(remark, coloured));
    }
    const exitCode = found.some(({ grade }) => grade === 'wrong') ? 1 : 0;
    if (given.json) console.log(JSON.stringify({ exitCode, remarks: found }, undefined, 2));
    return exitCode;
  } catch (error) {
    throw error instanceof SettingsError ? new UsageError(onCommandLine(error)) : error;
  }
}
