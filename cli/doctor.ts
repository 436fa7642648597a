import type { Command } from 'commander';
import { toOptions } from './check-options.ts';
import { addConfigOptions } from './configured.ts';
import type { Remark } from './doctor/remark.ts';
import { exitCodes } from './exit-codes.ts';
import {
  allowRefs,
  BASE_URL_VARIABLE,
  examples,
  option,
  overlays,
  shippedDocument,
  strictDocument,
  variablesOf,
  wholeNumber,
} from './options.ts';
import { apiKey, apiKeyFile, clientCert, clientKey, credential, header, insecure } from './target-options.ts';
import { hasColours } from './terminal.ts';
import { onCommandLine, UsageError } from './usage-error.ts';

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
    .description('Say what is wrong with Node, document, port, target, key or clock, and what helps.')
    .argument(
      '[base-url]',
      `base URL of the service with its path prefix, or the name of a target (env: ${BASE_URL_VARIABLE})`,
      process.env[BASE_URL_VARIABLE],
    )
    .argument('[document]', 'OpenAPI 3 or Swagger 2.0, YAML or JSON, file or URL')
    .addOption(
      option('--document <file>', 'the same without a base URL').default(shippedDocument(), 'the Pet Store'),
    )
    .addOption(allowRefs())
    .addOption(overlays())
    .addOption(strictDocument())
    .addOption(
      option('--port <n>', 'port that the mock is to have').argParser(wholeNumber(0, 65_535)).default(4020),
    )
    .addOption(option('--host <address>', 'address that the mock is to listen on').default('127.0.0.1'))
    .addOption(apiKey())
    .addOption(apiKeyFile())
    .addOption(credential())
    .addOption(clientCert())
    .addOption(clientKey())
    .addOption(insecure())
    .addOption(header())
    .addOption(
      option('--timeout <ms>', 'milliseconds for connecting, and for one exchange')
        .argParser(wholeNumber(1, 600_000))
        .default(10_000),
    )
    .addOption(option('--json', 'write one JSON object'));
  addConfigOptions(command)
    .addHelpText('after', PROMISE + exitCodes('doctor') + EXAMPLES)
    .action(async (_baseUrl: unknown, _document: unknown, _flags: unknown, command: Command) => {
      process.exitCode = await run(command, await definitions());
    });
}

async function run(command: Command, program: Command): Promise<number> {
  const [
    { examine },
    { examineConfiguration },
    { renderRemark },
    { obeysProxies, readTarget, SettingsError },
  ] = await Promise.all([
    import('./doctor/examine.ts'),
    import('./doctor/configured.ts'),
    import('./doctor/render.ts'),
    import('#target'),
  ]);
  const configuration = await examineConfiguration(command, program.commands);
  // The file may have put a URL in the place of a name.
  const [baseUrl, document] = command.processedArgs as (string | undefined)[];
  const given = command.opts();
  const options = await toOptions(baseUrl ?? '', document ?? given.document, command);
  const { apiKey, credentials = {}, headers = [], allowRefs = [], overlays = [] } = options;
  try {
    const remarks = examine({
      configuration,
      document: {
        document: options.document,
        allowRefs,
        overlays,
        strictDocument: given.strictDocument === true,
      },
      mock: { host: given.host, port: given.port },
      target: baseUrl ? readTarget(options) : undefined,
      sender: { apiKey: apiKey || undefined, credentials, headers, timeout: given.timeout },
      surroundings: { env: process.env, known: variablesOf(program), obeysProxies },
    });
    const coloured = hasColours(process.stdout);
    const told: Remark[] = [];
    for await (const remark of remarks) {
      told.push(remark);
      if (!given.json) console.log(renderRemark(remark, coloured));
    }
    const exitCode = told.some(({ grade }) => grade === 'wrong') ? 1 : 0;
    if (given.json) console.log(JSON.stringify({ exitCode, remarks: told }, undefined, 2));
    return exitCode;
  } catch (error) {
    throw error instanceof SettingsError ? new UsageError(onCommandLine(error)) : error;
  }
}
