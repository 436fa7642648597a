import type { Interface } from 'node:readline/promises';
import { parseBase } from '#target';
import { printable } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import {
  type Answers,
  type Described,
  describeDocument,
  mockUrl,
  type Proposals,
  TARGET,
  VARIABLE,
} from './proposals.ts';

/** The names of targets and variables that `configuration` accepts; it reports others itself. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Asks the four questions; Enter accepts each default. */
export async function askQuestions(
  terminal: Interface,
  { documents, answers: usual }: Proposals,
  port: number,
): Promise<Answers> {
  const say = (text: string) => console.log(printable(text));
  const ask = createAsk(terminal, say);
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

/** An invalid name may be the key itself, and is not repeated. */
function readVariable(text: string): string | Error {
  return VARIABLE_NAME.test(text)
    ? text
    : new Error('the name of a variable, such as STAGING_API_KEY; never the key itself');
}

function readYesOrNo(text: string): 'yes' | 'no' | Error {
  if (/^y(?:es)?$/i.test(text)) return 'yes';
  return /^no?$/i.test(text) ? 'no' : new Error('yes or no');
}

/** Makes a function that asks on a terminal until an answer is valid. */
function createAsk(terminal: Interface, say: (text: string) => void) {
  // At the end of the input, as by Ctrl-D, the question would never be answered.
  const closed = new Promise<never>((_, reject) => {
    terminal.once('close', () => reject(new UsageError('interrupted; nothing has been written')));
  });
  closed.catch(() => undefined);
  /**
   * @param usual for an empty answer
   * @param read returns the value of an answer; an Error gives the reason against it
   */
  return async <T>(
    question: string,
    usual: string,
    read: (answer: string) => T | Error | Promise<T | Error>,
  ): Promise<T> => {
    for (;;) {
      const asked = terminal.question(`${question}${usual && ` [${usual}]`}: `);
      const answer = (await Promise.race([asked, closed])).trim() || usual;
      const value = await read(answer);
      if (!(value instanceof Error)) return value;
      say(`  ${value.message}`);
    }
  };
}
