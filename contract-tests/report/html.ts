import { createHash } from 'node:crypto';
import { markUrl, palette } from '#brand';
import { isWorthALook } from './cause.ts';
import { escapeHtml as text } from './escape.ts';
import { type Card, cardsOf, causeCards, definitions, presumedCards } from './html/causes.ts';
import { SCRIPT } from './html/script.ts';
import { caseTable, coverage, created, latency, matrix, notes, uncalled } from './html/sections.ts';
import { STYLE } from './html/style.ts';
import { headlineInWords } from './in-words.ts';
import type { Report } from './report.ts';
import { asSentence, casesByOutcome, coveredCells, seconds, trafficCounts, WORTH_A_LOOK } from './summary.ts';
import type { Verdict } from './verdict.ts';

/** A part of the page with a heading of its own; without content it is left out. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: string;
}

/**
 * One page without network requests: what is broken in words, a card for each cause, then the matrix, then all other
 * observations. Its policy admits this style and this script and nothing else, whatever the target has sent.
 */
export function renderHtml(report: Report): string {
  const { verdict, reason, target } = report;
  const cards = cardsOf(report);
  const sections = sectionsOf(report, cards).filter(({ content }) => content !== '');
  const words = text(headlineInWords(report));
  const [mark, style] = [markUrl(), `${palette()}${STYLE}`];
  const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(SCRIPT)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${mark}">
<title>${words} ${text(target)}</title>
<style>${style}</style>
</head>
<body class="${verdict.replaceAll(' ', '-')}">
<a class="skip" href="#findings">Skip to the findings</a>
<header>
<p class="brand"><img src="${mark}" alt="" width="20" height="20"> Paddock <span class="soft">contract report</span></p>
<p class="verdict"><b>${WORDS[verdict]}</b> <span class="soft">exit ${report.exitCode}</span></p>
<h1>${words}</h1>
${reason ? `<p class="reason">${text(asSentence(reason))}</p>` : ''}
<p class="facts">${factsOf(report, cards)
    .map((fact) => `<span>${fact}</span>`)
    .join(' ')}</p>
<nav aria-label="On this page"><ul>${sections.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`).join('')}</ul></nav>
</header>
<main>
${sections.map(section).join('\n')}
</main>
<footer>
<h2 id="run">This run</h2>
${provenance(report)}
</footer>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function hashOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

function sectionsOf(report: Report, cards: readonly Card[]): Section[] {
  const { notSpecified, notices, verdict } = report;
  const none = NONE[verdict];
  const [held, presumed] = partsOf(cards);
  return [
    { id: 'findings', title: `What is broken (${held.length})`, content: causeCards(held, none) },
    { id: 'worth-a-look', title: `${WORTH_A_LOOK} (${presumed.length})`, content: presumedCards(presumed) },
    { id: 'cells', title: 'Operations and statuses', content: matrix(report, cards) },
    { id: 'withheld', title: 'Withheld', content: uncalled(report.withheld) },
    { id: 'excluded', title: 'Excluded', content: uncalled(report.excluded) },
    { id: 'not-specified', title: 'Not specified by the document', content: notes(notSpecified) },
    { id: 'notices', title: 'Notices', content: notes(notices) },
    { id: 'seen', title: 'Coverage', content: coverage(report) },
    { id: 'latency', title: 'Latency in milliseconds', content: latency(report) },
    { id: 'cases', title: 'Cases', content: caseTable(report) },
    { id: 'created', title: 'Records created', content: created(report) },
  ];
}

/** What is broken, and what is worth a look. */
function partsOf(cards: readonly Card[]): readonly [Card[], Card[]] {
  const { held = [], presumed = [] } = Object.groupBy(cards, ({ cause }) =>
    isWorthALook(cause) ? 'presumed' : 'held',
  );
  return [held, presumed];
}

const WORDS: Readonly<Record<Verdict, string>> = {
  holds: 'Holds',
  broken: 'Broken',
  incomplete: 'Incomplete',
  'no verdict': 'No verdict',
  planned: 'Planned',
};

/** What a report says that has no cause. */
const NONE: Readonly<Record<Verdict, string>> = {
  holds: 'Every promise that was tried is kept.',
  broken: 'No finding was kept.',
  incomplete: 'Every promise that could be tried is kept.',
  'no verdict': 'Nothing could be judged.',
  planned: 'Nothing was sent.',
};

function section({ id, title, content }: Section): string {
  return `<section aria-labelledby="${id}"><h2 id="${id}" tabindex="-1">${title}</h2>\n${content}</section>`;
}

/** What a reader wants to know of the whole, in a line, as HTML. */
function factsOf(report: Report, cards: readonly Card[]): string[] {
  const { target, documentInfo, startedAt, withheld } = report;
  const { title, version } = documentInfo;
  const [held] = partsOf(cards);
  const quiet = held.filter(({ cause }) => !cause.gates).length;
  return [
    text(coveredCells(report)),
    ...(withheld.length > 0
      ? [`${withheld.length} ${withheld.length === 1 ? 'operation' : 'operations'} withheld`]
      : []),
    ...(quiet > 0 ? [`${quiet} of ${held.length} causes do not decide`] : []),
    `<code>${text(target)}</code>`,
    text(`${title} ${version}`),
    `<time datetime="${text(startedAt)}">${text(startedAt)}</time>`,
  ];
}

function provenance(report: Report): string {
  const { target, document, documentInfo, totals, seed, exitCode, paddock, startedAt } = report;
  const traffic = trafficCounts(report);
  const { title, version, digest } = documentInfo;
  return definitions({
    Target: `<code>${text(target)}</code>`,
    Document: `${text(title)} ${text(version)}, <code>${text(document)}</code>`,
    Hash: `<code>${text(digest)}</code>`,
    ...(traffic === undefined
      ? { Seed: `<code>${seed}</code>`, Requests: `${totals.requests} in ${seconds(report)}` }
      : { Traffic: text(traffic) }),
    Cases: `${totals.cases}: ${casesByOutcome(report)}`,
    Run: `<time datetime="${text(startedAt)}">${text(startedAt)}</time>, Paddock ${text(paddock)}`,
    'Exit code': String(exitCode),
  });
}
