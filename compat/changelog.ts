import type { DocumentChange, Report } from '#contract-tests';

const HEADINGS: Readonly<Record<DocumentChange['class'], string>> = {
  breaking: 'Breaking changes',
  warning: 'Warnings',
  safe: 'Compatible changes',
  note: 'Further changes',
};

/** What has changed, for people who use the API: Markdown, what breaks first. */
export function renderChangelog({ changes = [], causes, semanticVersion, document, target }: Report): string {
  const told = new Set(changes.map(({ key }) => key));
  // What running shows, and no rule names.
  const others = causes
    .filter(({ key }) => !told.has(key))
    .map(
      ({ title, received, documented }) =>
        `- ${escaped(title)}: ${escaped(documented)}; NEW: ${escaped(received)}`,
    );
  const sections = (Object.keys(HEADINGS) as DocumentChange['class'][]).flatMap((one) => {
    const lines = [
      ...changes.filter((change) => change.class === one).map(lineOf),
      ...(one === 'breaking' ? others : []),
    ];
    return lines.length > 0 ? [`### ${HEADINGS[one]}`, '', ...lines, ''] : [];
  });
  const { old = '', new: next = '' } = semanticVersion ?? {};
  const versions =
    old !== '' && next !== '' && old !== next ? `${escaped(old)} to ${escaped(next)}` : undefined;
  return `${[
    `## Changes ${versions ? `from ${versions}` : `from ${escaped(document)} to ${escaped(target)}`}`,
    '',
    ...(sections.length > 0 ? sections : ['Nothing that clients see has changed.', '']),
    ...versionLines(semanticVersion),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function lineOf({ subject, text, reason, class: own }: DocumentChange): string {
  const why = own === 'breaking' || own === 'warning' ? ` (${escaped(reason)})` : '';
  return `- ${escaped(subject)}: ${escaped(text)}${why}`;
}

function versionLines(step: Report['semanticVersion']): string[] {
  if (!step || step.follows === 'none') return [];
  const { follows, expected } = step;
  return [`Semantic version: ${follows}${expected === undefined ? '' : `, ${expected} or later`}.`];
}

/** A text of a document is no markup, but for the names that stand in code. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\*_[\]<>#|~!]/g, '\\$&')))
    .join('')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
