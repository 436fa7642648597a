import { type Answers, isLoopbackUrl } from './answers.ts';

/** What the file says beside the answers. */
interface Surroundings {
  /** The path of the JSON Schema, from the file. */
  readonly schema: string;
  /** The port of the mock. */
  readonly port: number;
}

/** The text of a new `paddock.config.yaml`. */
export function configText(answers: Answers, { schema, port }: Surroundings): string {
  const { document, target, url, variable } = answers;
  const lines = [
    `# yaml-language-server: $schema=${schema}`,
    '# Options of all verbs of Paddock: keys are the long options in camelCase. The command line and the',
    '# environment come before this file. See: npx openapi-paddock help configuration',
    '',
    '# The OpenAPI document: path or URL. Without one it is the Pet Store that comes with Paddock.',
    document === undefined ? '# document: openapi.yaml' : `document: ${scalar(document)}`,
    '',
    `# Services by name: npx openapi-paddock check ${target}. The name of the only one can be left out.`,
    'targets:',
    `  ${scalar(target)}:`,
    `    url: ${scalar(url)}`,
    ...(variable === undefined
      ? []
      : [
          '    # The environment variable that holds the key; the key itself never stands here.',
          `    apiKeyEnv: ${variable}`,
        ]),
    ...(isLoopbackUrl(url)
      ? []
      : [
          '    # On a service that others use: send no request that changes something.',
          '    readOnly: true',
        ]),
    '',
    'mock:',
    `  port: ${port}`,
    '',
    '# check:',
    '#   report: [junit=reports/paddock.xml, html=reports/paddock.html]',
    '',
  ];
  return lines.join('\n');
}

/** A text as YAML: a double-quoted scalar is one of JSON. */
function scalar(text: string): string {
  const isPlain =
    /^[A-Za-z./][\w./:-]*$/.test(text) && !/:$|^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
