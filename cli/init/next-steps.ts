import { widest } from '../terminal.ts';
import { type Answers, isLoopbackUrl } from './answers.ts';
import type { Described } from './proposals.ts';

/** The key that a mock accepts unless it is given others; everybody knows it. */
const KEY_OF_MOCK = 'paddock-dev-key';

/** What to do with the files that have been written. */
export function nextSteps({ url, variable }: Answers, document: Described | Error): string[] {
  const summary = document instanceof Error ? '' : document.summary;
  const onLoopback = isLoopbackUrl(url);
  const key = onLoopback ? KEY_OF_MOCK : '...';
  const lines = [
    ['npx openapi-paddock mock', summary],
    ...(variable === undefined
      ? []
      : [
          [
            `export ${variable}=${key}`,
            onLoopback ? 'the key of the mock, which everybody knows' : 'its key',
          ],
        ]),
    ['npx openapi-paddock check', 'is the contract kept?'],
  ];
  const width = widest(lines.map(([line = '']) => line));
  const [mock = '', ...check] = lines.map(([line = '', note]) => `  ${line.padEnd(width)}  # ${note}`);
  return [
    'Next:',
    mock,
    'and in another terminal:',
    ...check,
    '',
    'npx openapi-paddock doctor says what is wrong if that does not work, npx openapi-paddock help lists all verbs.',
  ];
}
