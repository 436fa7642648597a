import type { Command } from 'commander';
import { nearest } from '#spec';
import { columns, TOPICS } from './topics.ts';
import { UsageError } from './usage-error.ts';

const TOPIC_LIST = `\nTopics:\n${columns(TOPICS.map(({ name, summary }) => [name, summary]))}`;

/** @param definitions makes the program with all its verbs */
export function addHelp(program: Command, definitions: () => Promise<Command>): void {
  program
    .command('help')
    .description('Show the page of a topic, or the options of a verb.')
    .argument('[topic]', `${TOPICS.map(({ name }) => name).join(', ')}, or a verb`)
    .addHelpText('after', TOPIC_LIST)
    .action(async (topic: string | undefined) => show(topic, await definitions()));
  program.addHelpText('after', TOPIC_LIST);
}

function show(name: string | undefined, program: Command): void {
  const verbs = program.createHelp().visibleCommands(program);
  const topic = TOPICS.find((one) => one.name === name);
  const verb = name === undefined ? program : verbs.find((one) => one.name() === name);
  if (topic) console.log(topic.page(program));
  else if (verb) verb.outputHelp();
  else throw unknown(name ?? '', [...TOPICS.map((one) => one.name), ...verbs.map((one) => one.name())]);
}

function unknown(name: string, known: readonly string[]): UsageError {
  const meant = known.find((one) => one.startsWith(name)) ?? nearest(name, known);
  const remedy = meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`;
  return new UsageError(`there is no topic and no verb "${name}"; ${remedy}`);
}
