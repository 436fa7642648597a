import { isSame } from './entries.ts';
import type { Review } from './review.ts';

/** What a review says to people; empty if nothing differs and nothing lacks. */
export function renderReview({ differences, unnamed, section, refusal }: Review): string {
  const { added, changed, removed } = differences;
  const lines = [
    ...added.map((name) => `  + ${name}`),
    ...changed.map((name) => `  ~ ${name}`),
    ...removed.map((name) => `  - ${name}`),
  ];
  const parts = [
    isSame(differences)
      ? ''
      : `The stable interface differs from stable-interface.json:\n${lines.join('\n')}`,
    unnamed.length === 0
      ? ''
      : `Add a line under [${section}] in CHANGELOG.md that names each of these, then run \`npm run interface\`:
${unnamed.map(({ name, kinds }) => `  ${name}${place(kinds)}`).join('\n')}`,
    unnamed.some(({ kinds }) => kinds.length > 0)
      ? 'What is changed or removed breaks users: it needs a new major version (docs/stable-interface.md).'
      : '',
    refusal === undefined ? '' : `Semantic Versioning: ${refusal}.`,
  ];
  return parts.filter(Boolean).join('\n');
}

function place(kinds: readonly string[]): string {
  return kinds.length > 0 ? ` (under ${kinds.join(' or ')})` : '';
}
