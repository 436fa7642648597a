import type { DocumentChange, Report } from '#contract-tests';
import { escapeMarkdown, markdownCode } from '#report-parts';

const HEADINGS: Readonly<Record<DocumentChange['class'], string>> = {
  breaking: 'Breaking changes',
  warning: 'Warnings',
  safe: 'Compatible changes',
  note: 'Further changes',
};

/** The changes for users of the API as Markdown, breaking ones first. */
export function renderChangelog({ changes = [], causes, semanticVersion, document, target }: Report): string {
  const told = new Set(changes.map(({ key }) => key));
  // Breaks found by running that no rule covers.
  const others = causes
    .filter(({ key }) => !told.has(key))
    .map(({ title, received, documented }) => `- ${escaped(`${title}: ${documented}; NEW: ${received}`)}`);
  const sections = (Object.keys(HEADINGS) as DocumentChange['class'][]).flatMap((name) => {
    const lines = [
      ...changes.filter((change) => change.class === name).map(lineOf),
      ...(name === 'breaking' ? others : []),
    ];
    return lines.length > 0 ? [`### ${HEADINGS[name]}`, '', ...lines, ''] : [];
  });
  const { old = '', new: next = '' } = semanticVersion ?? {};
  const isNamed = old !== '' && next !== '' && old !== next;
  return `${[
    `## ${escaped(`Changes from ${isNamed ? `${old} to ${next}` : `${document} to ${target}`}`)}`,
    '',
    ...(sections.length > 0 ? sections : ['Nothing that clients see has changed.', '']),
    ...versionLines(semanticVersion),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function lineOf({ subject, text, reason, class: severity }: DocumentChange): string {
  const why = severity === 'breaking' || severity === 'warning' ? ` (${reason})` : '';
  return `- ${escaped(`${subject}: ${text}${why}`)}`;
}

function versionLines(step: Report['semanticVersion']): string[] {
  if (!step || step.follows === 'none') return [];
  const { follows, expected } = step;
  return [`Semantic version: ${follows}${expected === undefined ? '' : `, ${expected} or later`}.`];
}

/** Escapes a text of a document as Markdown, except for code spans. */
function escaped(text: string): string {
  const parts = text.split(/`([^`]*)`/);
  return parts.map((part, index) => (index % 2 === 1 ? markdownCode(part) : escapeMarkdown(part))).join('');
}
