import { markUrl, palette } from '#brand';
import { escapeHtml as text } from './escape.ts';
import { definitions, findingGroups } from './html/findings.ts';
import { caseTable, coverage, created, judges, latency, matrix, notes, uncalled } from './html/sections.ts';
import type { Report } from './report.ts';
import { casesByOutcome, headline, seconds, sinceBaseline, trafficCounts } from './summary.ts';

/** A part of the page with a heading of its own; without content it is left out. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: string;
}

/** One page without network requests or scripts: what is broken, then the matrix, then all other observations. */
export function renderHtml(report: Report): string {
  const { verdict, reason, target } = report;
  const sections = sectionsOf(report).filter(({ content }) => content !== '');
  const because = reason ? `<p>${text(reason)}</p>` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="${markUrl()}">
<title>${text(headline(report))} ${text(target)}</title>
<style>${palette()}${STYLE}</style>
</head>
<body>
<a class="skip" href="#findings">Skip to the findings</a>
<header>
<h1 class="${verdict.replaceAll(' ', '-')}">${text(headline(report))}</h1>
${because}
${facts(report)}
<nav aria-label="On this page"><ul>${sections.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`).join('')}</ul></nav>
</header>
<main>
${sections.map(section).join('\n')}
</main>
<footer><p class="${verdict.replaceAll(' ', '-')}">${text(headline(report))}</p>${because}</footer>
</body>
</html>
`;
}

function sectionsOf(report: Report): Section[] {
  const { findings, causes, notSpecified, notices } = report;
  return [
    { id: 'findings', title: `Findings (${causes.length})`, content: findingGroups(findings, causes) },
    { id: 'cells', title: 'Operations and statuses', content: matrix(report) },
    { id: 'withheld', title: 'Withheld', content: uncalled(report.withheld) },
    { id: 'excluded', title: 'Excluded', content: uncalled(report.excluded) },
    { id: 'not-specified', title: 'Not specified by the document', content: notes(notSpecified) },
    { id: 'notices', title: 'Notices', content: notes(notices) },
    { id: 'opinions', title: 'Outside opinions', content: judges(report) },
    { id: 'seen', title: 'What the run saw', content: coverage(report) },
    { id: 'latency', title: 'Latency in milliseconds', content: latency(report) },
    { id: 'cases', title: 'What was tried', content: caseTable(report) },
    { id: 'created', title: 'Records created', content: created(report) },
  ];
}

function section({ id, title, content }: Section): string {
  return `<section aria-labelledby="${id}"><h2 id="${id}" tabindex="-1">${title}</h2>\n${content}</section>`;
}

function facts(report: Report): string {
  const { target, document, documentInfo, totals, seed, exitCode, paddock, startedAt } = report;
  const traffic = trafficCounts(report);
  const { title, version, digest } = documentInfo;
  const baseline = sinceBaseline(report);
  return definitions({
    Target: text(target),
    Document: `${text(title)} ${text(version)}<br>${text(document)}<br><small>${text(digest)}</small>`,
    Cases: `${totals.cases}: ${casesByOutcome(report)}`,
    ...(traffic === undefined
      ? { Requests: `${totals.requests} in ${seconds(report)}, seed ${seed}` }
      : { Traffic: traffic }),
    ...(baseline !== undefined && { Baseline: text(baseline) }),
    Run: `<time datetime="${text(startedAt)}">${text(startedAt)}</time>, Paddock ${text(paddock)}`,
    'Exit code': String(exitCode),
  });
}

/** The page's look: one column, the system's own fonts, light or dark as the reader's system is; a narrow one stacks. */
const STYLE = `
:root {
  --card: var(--surface); --ink: var(--text); --soft: var(--text-soft); --code: var(--raised);
  --good-back: var(--good-surface); --bad-back: var(--bad-surface); --open: var(--warn); --open-back: var(--warn-surface);
}
* { box-sizing: border-box; }
body { font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 66rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
a { color: inherit; }
h1, h2, h3 { line-height: 1.25; margin: 0; } h1 { font-size: 1.9rem; } h2 { font-size: 1.3rem; margin: 2.5rem 0 .8rem; } h3 { font-size: 1.05rem; }
h1.holds, p.holds, .covered { color: var(--good); } h1.broken, p.broken, .violated { color: var(--bad); }
h1.incomplete, p.incomplete, h1.no-verdict, p.no-verdict, .not-reached, .partly-covered { color: var(--open); } .skipped, .withheld, .soft { color: var(--soft); }
dl { margin: .8rem 0 0; } dl > div { display: flex; gap: 1rem; margin: .15rem 0; } dt { flex: 0 0 7.5rem; color: var(--soft); } dd { margin: 0; flex: 1; min-width: 0; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; margin: 1.2rem 0 0; }
table { border-collapse: collapse; background: var(--card); } th, td { border: 1px solid var(--line); padding: .4rem .8rem; text-align: left; vertical-align: top; }
.wide { overflow-x: auto; position: relative; } .wide table { overflow-wrap: normal; } thead th { font-variant-numeric: tabular-nums; }
td.covered { background: var(--good-back); } td.violated { background: var(--bad-back); font-weight: 600; } td.not-reached, td.partly-covered { background: var(--open-back); } td.none { background: var(--page); }
td > a { white-space: nowrap; } td small { display: block; max-width: 20rem; min-width: 9rem; color: var(--ink); font-weight: normal; }
article { background: var(--card); border: 1px solid var(--line); border-left: .3rem solid var(--bad); border-radius: .4rem; padding: 1rem 1.2rem; margin: 0 0 1.2rem; }
section > h3 { margin: 1.4rem 0 .6rem; } h3 + .wide td:last-child, ul + .wide td:last-child { min-width: 16rem; }
article.quiet { border-left-color: var(--open); } article > p { margin: .3rem 0 .8rem; }
pre, code { font: .875rem/1.5 ui-monospace, monospace; } pre { white-space: pre-wrap; margin: .2rem 0; background: var(--code); padding: .6rem .8rem; border: 1px solid var(--line); border-radius: .3rem; }
.number { display: inline-block; min-width: 2.8rem; color: var(--soft); user-select: none; } mark { background: var(--mark); color: inherit; }
summary { cursor: pointer; padding: .25rem 0; } article summary { display: flex; gap: .8rem; align-items: baseline; border-top: 1px solid var(--line); margin-top: .4rem; padding-top: .5rem; }
article summary::before { content: '▸'; color: var(--soft); } details[open] > summary::before { content: '▾'; } article summary b { flex: 0 1 auto; }
.got { flex: 1 1 12rem; min-width: 0; color: var(--soft); overflow: hidden; white-space: nowrap; text-overflow: ellipsis; } details[open] > summary .got { visibility: hidden; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); } footer p { margin: .6rem 0; } td.figure { text-align: right; font-variant-numeric: tabular-nums; }
ul { padding-left: 1.3rem; } .cases { list-style: none; padding: 0; } .cases span { display: inline-block; min-width: 6.5rem; font-weight: 600; }
:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; border-radius: .2rem; } :target { scroll-margin-top: 1rem; }
.hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
.skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
@media (max-width: 40rem) {
  dl > div { display: block; margin: .5rem 0; } article { padding: .8rem; } article summary { gap: .5rem; } article summary b { min-width: 0; } .got { display: none; }
}
@media print { body { background: none; max-width: none; } article { break-inside: avoid; } }
`;
