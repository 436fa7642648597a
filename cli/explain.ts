import { type Explanation, explain, type Mock, type MockedDocument } from '#mock';
import { type Place, showPlace } from '#spec';
import { printable, widest } from './terminal.ts';

/** Renders what the mock does for each operation, and from which lines of the document that follows. */
export function renderExplanation({ documents }: Pick<Mock, 'documents'>): string {
  return documents.map(renderDocument).join('\n');
}

function renderDocument(mock: MockedDocument): string {
  const { contract } = mock;
  const explanations = explain(mock);
  const facts = explanations.flatMap((one) => one.facts);
  const subjects = widest(facts.map(({ about }) => about));
  const texts = widest(facts.map(({ text }) => text));

  const block = ({ operation: { method, path, id }, at, facts }: Explanation) => {
    const head = `${method} ${path}`;
    const name = id === head ? '' : `  (${id})`;
    return [
      `${`${head}${name}`.padEnd(subjects + texts + 4)}  ${showPlace(at)}`,
      ...facts.map((one) => `  ${one.about.padEnd(subjects)}  ${one.text.padEnd(texts)}  ${places(one.at)}`),
    ].join('\n');
  };
  const title = `${contract.title} ${contract.version}`.trim();
  return printable(`${[title, ...explanations.map(block), ...overlayOf(explanations)].join('\n\n')}\n`);
}

/** What was not read from the paths alone, ready to be corrected. */
function overlayOf(explanations: readonly Explanation[]): string[] {
  const declarations = explanations.flatMap(({ declaration }) => declaration ?? []);
  if (declarations.length === 0) return [];
  return [
    [
      '# To correct this, save the actions that you change as an overlay, and name the file with --overlay.',
      'overlay: 1.0.0',
      'info: { title: Collections, version: 1.0.0 }',
      'actions:',
      ...declarations.flatMap(({ target, update }) => [
        `  - target: ${JSON.stringify(target)}`,
        `    update: ${inFlow(update)}`,
      ]),
    ].join('\n'),
  ];
}

function inFlow(update: Readonly<Record<string, string | false>>): string {
  const members = Object.entries(update).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `{ ${members.join(', ')} }`;
}

function places(at: readonly Place[]): string {
  return at.map(showPlace).join(', ');
}
