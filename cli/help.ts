import type { Command } from 'commander';
import { nameHint } from '#spec';
import { EXIT_CODES, exitCodeLines, type JudgedVerb } from './exit-codes.ts';
import { BASE_URL_VARIABLE, rowOf, shortenHelp, variablesOf } from './options.ts';
import { REPORTS } from './shared-options.ts';
import { UsageError } from './usage-error.ts';

/** A page of `paddock help TOPIC`. */
export interface Topic {
  readonly name: string;
  /** One line, for the list of topics. */
  readonly summary: string;
  /**
   * Plain text of at most 60 lines of 100 characters.
   * @param program with all its verbs
   */
  page(program: Command): string;
}

const CONFIGURATION_TOPIC: Topic = {
  name: 'configuration',
  summary: 'paddock.config.yaml: options of all verbs, and targets by name',
  page: ({
    commands,
  }) => `paddock.config.yaml, .yml, .json or .ts is searched for in the working directory and above, up to
the root of the repository. paddock init writes one. --config FILE names another one, --config
none reads none.

  # yaml-language-server: $schema=./node_modules/openapi-paddock/paddock.schema.json
  document: openapi.yaml          # for all verbs; paths are relative to this file
  targets:
    local:
      url: http://127.0.0.1:4020/v1
    staging:
      url: https://staging.example/v1
      apiKeyEnv: STAGING_API_KEY  # the name of a variable, never a secret
      readOnly: true              # any option of check and proxy, for this target alone
  mock:
    port: 4020
    fixture: [seed.yaml]
  check:
    known: known.yaml
    report: [json=report.json]

Keys are the long options in camelCase: maxTime for --max-time. Options that several verbs share may
stand at the top. Precedence: command line, environment, target, verb, top of the file, default.

  paddock check staging           the target of that name
  paddock check                   the only target, if there is one only
  paddock mock                    the document and the options of the file

Some have no option, and a variable beside their key (paddock help environment):
${wrapped(settingsOf(commands))}

Errors in the file are reported with line and column, and no verb starts.
Editors complete and check the file with its schema, which is made from the options.`,
};

/** The keys that are no options of the command line. */
function settingsOf(commands: readonly Command[]): string[] {
  const settings = commands.flatMap(({ options }) => options).filter((option) => rowOf(option).isSetting);
  return [...new Set(settings.map((option) => option.attributeName()))].sort();
}

/** Variables of this many verbs or more are listed separately. */
const MANY = 3;

const ENVIRONMENT_TOPIC: Topic = {
  name: 'environment',
  summary: 'all variables of the environment that Paddock reads',
  page(program) {
    const verbs = program.commands.map((verb) => [verb.name(), variablesOf(verb)] as const);
    const shared = new Set(
      variablesOf(program).filter((name) => verbs.filter(([, names]) => names.includes(name)).length >= MANY),
    );
    const lists = verbs.map(([verb, names]) => [verb, names.filter((name) => !shared.has(name))] as const);
    return `Each option has a variable: PADDOCK_PORT for --port. The command line comes before the environment,
and that before the configuration file. An empty variable counts as unset; 0, false, no and off
switch a flag off. An option that may be repeated takes several values with commas between them.

Of several verbs:
${wrapped([...shared])}
${lists.map(([verb, names]) => list(verb, names)).join('')}
  ${BASE_URL_VARIABLE} is the base URL of the target, PADDOCK_CREDENTIAL_NAME the credential of the
  security scheme NAME (paddock help security).

Of Node:
  NODE_USE_ENV_PROXY=1    obey HTTP_PROXY, HTTPS_PROXY and NO_PROXY; loopback is reached directly
  NODE_EXTRA_CA_CERTS     file of certificate authorities that are trusted as well (PEM)
  NO_COLOR, FORCE_COLOR   no colours, or colours where there is no terminal
  GITHUB_ACTIONS=true     print findings as annotations; GitHub Actions sets it`;
  },
};

function list(verb: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `\nOf paddock ${verb}:\n${wrapped(names)}\n`;
}

const EXIT_CODES_TOPIC: Topic = {
  name: 'exit-codes',
  summary: 'what the exit code of each verb means',
  page() {
    const verbs = Object.keys(EXIT_CODES) as JudgedVerb[];
    return [
      'Of several codes that apply, check takes the first of 2, 3, 1, 4, 0. All other verbs exit with 0,',
      'or with 2 for an error that the user can correct: an option, a file, a port.',
      ...verbs.map((verb) => `\npaddock ${verb}\n${exitCodeLines(verb).join('\n')}`),
    ].join('\n');
  },
};

const REPORTS_TOPIC: Topic = {
  name: 'reports',
  summary: 'the files that --report writes',
  page: () => `check, proxy, judge and compat print what they found for people. --report NAME=FILE, any number
of times, writes the same to files as well:

${columns(Object.entries(REPORTS))}

- The file - is standard output; what people read then goes to standard error.
- Missing folders are created. A file that cannot be written is reported before the first request.
- No report contains a credential: commands name the variable that holds it.
- Each report says when the run began, how long it took, and the SHA-256 of the document.
- proxy writes its reports when it ends, and at SIGUSR2 (not on Windows); har while requests pass.

  paddock check URL --report json=report.json --report junit=report.xml
  paddock check URL --report json=- | jq .verdict

Accepted causes:

  --known FILE  causes that are waived temporarily: only new ones decide the verdict
  --accept      write the causes of this run into that file (check)`,
};

/** The value to give for each kind of security scheme, and what is sent. */
const SENT = [
  ['http bearer, oauth2, openIdConnect', 'the token         Authorization: Bearer TOKEN'],
  ['http basic', 'USER:PASSWORD     Authorization: Basic BASE64'],
  ['apiKey', 'the key           the header, query parameter or cookie'],
  ['mutualTLS', '--client-cert     the certificate of the connection'],
] as const;

const SECURITY_TOPIC: Topic = {
  name: 'security',
  summary: 'keys and credentials: where they come from, and how they are sent',
  page: () => `Credentials belong in the environment: other users of the machine can see the command line. No
output, report or log contains one.

  export PADDOCK_API_KEY=...                   for every scheme that has none of its own
  export PADDOCK_CREDENTIAL_BASICAUTH=ann:...  for the security scheme basicAuth
  export PADDOCK_API_KEY_FILE=FILE             the first line of a file

The variable has the name of the scheme in capitals, with _ for what is neither letter nor digit.
A configuration file names the variable, never the secret:

  targets:
    staging:
      url: https://staging.example/v1
      apiKeyEnv: STAGING_API_KEY

How it is sent follows from the document:

${columns([['scheme', 'what is given     what is sent'], ...SENT])}

The mock
  Without --api-key it accepts the public development key, paddock-dev-key; --any-key accepts
  every key that is not empty. On an address that others can reach it warns, and its control API
  (/__admin) needs --admin-token.

The suite
  Requests without a credential, and with wrong ones, are part of a check. Beyond loopback,
  altered forms of the key are sent only with --disposable, unsafe methods only with --allow-writes.`,
};

/** The pages of `paddock help TOPIC`. */
export const TOPICS: readonly Topic[] = [
  CONFIGURATION_TOPIC,
  ENVIRONMENT_TOPIC,
  EXIT_CODES_TOPIC,
  REPORTS_TOPIC,
  SECURITY_TOPIC,
];

/** Rows of two columns, indented. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = rows.reduce((most, [first]) => Math.max(most, first.length), 0);
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`.trimEnd()).join('\n');
}

/** Words in lines of at most 100 characters, indented. */
function wrapped(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last !== undefined && longer.length + 2 <= 100) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => `  ${line}`).join('\n');
}

const TOPIC_LIST = `\nTopics:\n${columns(TOPICS.map(({ name, summary }) => [name, summary]))}`;

/** @param definitions makes the program with all its verbs */
export function addHelp(program: Command, definitions: () => Promise<Command>): void {
  program
    .command('help')
    .description('Show the page of a topic, or the options of a verb.')
    .argument('[topic]', `${TOPICS.map(({ name }) => name).join(', ')}, or a verb`)
    .argument('[all]', 'show all options of the verb')
    .addHelpText('after', TOPIC_LIST)
    .action(async (topic: string | undefined, all: string | undefined) =>
      show(topic, all === 'all', await definitions()),
    );
  program.addHelpText('after', TOPIC_LIST);
}

function show(name: string | undefined, isWhole: boolean, program: Command): void {
  const verbs = program.createHelp().visibleCommands(program);
  const topic = TOPICS.find((one) => one.name === name);
  const verb = name === undefined ? program : verbs.find((command) => command.name() === name);
  if (verb && !isWhole) shortenHelp(verb);
  if (topic) console.log(topic.page(program));
  else if (verb) verb.outputHelp();
  else
    throw unknown(name ?? '', [...TOPICS.map((one) => one.name), ...verbs.map((command) => command.name())]);
}

function unknown(name: string, names: readonly string[]): UsageError {
  const begun = names.find((one) => one.startsWith(name));
  const remedy = begun === undefined ? nameHint(name, names) : `did you mean ${begun}?`;
  return new UsageError(`there is no topic and no verb "${name}"; ${remedy}`);
}
