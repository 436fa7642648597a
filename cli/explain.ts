import { type Explanation, explain, type Mock } from '#mock';
import { type Place, showPlace } from '#spec';
import { printable } from './printable.ts';
import { widest } from './widest.ts';

/** Renders what the mock does for each operation, and from which lines of the document that follows. */
export function renderExplanation(mock: Mock): string {
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
  return printable(`${[title, ...explanations.map(block)].join('\n\n')}\n`);
}

function places(at: readonly Place[]): string {
  return at.map(showPlace).join(', ');
}
