import { escapeHtml as text } from './escape.ts';
import { caseTable } from './html/cases.ts';
import { definitions } from './html/elements.ts';
import { findingGroups } from './html/findings.ts';
import { judges } from './html/judges.ts';
import { matrix } from './html/matrix.ts';
import { coverage, created, latency, notes, uncalled } from './html/sections.ts';
import { STYLE } from './html/style.ts';
import type { Report } from './report.ts';
import { casesByOutcome, headline, seconds, sinceBaseline, trafficCounts } from './summary.ts';

/** A part of the page with a heading of its own; without content it is left out. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: string;
}

/** One page without network requests or scripts: the matrix, then the findings, then all other observations. */
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
<link rel="icon" href="data:,">
<title>${text(headline(report))} ${text(target)}</title>
<style>${STYLE}</style>
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
    { id: 'cells', title: 'Operations and statuses', content: matrix(report) },
    { id: 'findings', title: `Findings (${findings.length})`, content: findingGroups(findings, causes) },
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
