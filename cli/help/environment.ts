import { BASE_URL_VARIABLE, variablesOf } from '../options.ts';
import { type Topic, wrapped } from './topic.ts';

/** Variables of this many verbs or more stand in a list of their own. */
const MANY = 3;

export const ENVIRONMENT_TOPIC: Topic = {
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
${wrapped([...shared], '  ')}
${lists.map(([verb, names]) => list(verb, names)).join('')}
  ${BASE_URL_VARIABLE} is the base URL of the target, PADDOCK_CREDENTIAL_NAME the credential of the
  security scheme NAME (paddock help security).

Of Node:
  NODE_USE_ENV_PROXY=1    obey HTTP_PROXY, HTTPS_PROXY and NO_PROXY; loopback is reached directly
  NODE_EXTRA_CA_CERTS     file of certificate authorities that are trusted as well (PEM)
  NO_COLOR, FORCE_COLOR   no colours, or colours where there is no terminal
  GITHUB_ACTIONS=true     print findings as annotations, as GitHub Actions sets it`;
  },
};

function list(verb: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `\nOf paddock ${verb}:\n${wrapped(names, '  ')}\n`;
}
