import { createHash } from 'node:crypto';
import { markUrl, palette } from '#brand';
import { causeCards } from './html/causes.ts';
import { html, inLines, Markup, type Part } from './html/markup.ts';
import { SCRIPT } from './html/script.ts';
import { caseTable, latency, matrix, sectionList } from './html/sections.ts';
import { STYLE } from './html/style.ts';
import type { Report } from './report.ts';
import { type ReportView, viewOf } from './view.ts';
import { asSentence, headline } from './words.ts';

/**
 * One page without network requests: a summary in words, a card for each cause, the matrix, and all other observations.
 * Its content security policy allows only this style and script, whatever the target sends.
 */
export function renderHtml(report: Report): string {
  const { verdict, target, documentInfo, startedAt } = report;
  const view = viewOf(report);
  const words = view.broken === undefined ? headline(report) : `${view.broken}.`;
  const sections = partsOf(report, view);
  const style = `${palette()}${STYLE}`;
  const mark = markUrl();
  const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(SCRIPT)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${mark}">
<title>${words} ${target}</title>
<style>${new Markup(style)}</style>
</head>
<body class="${verdict.replaceAll(' ', '-')}">
<a class="skip" href="#${sections[0]?.[0] ?? 'findings'}">Skip to the findings</a>
<header>
<p class="brand"><img src="${mark}" alt="" width="20" height="20"> Paddock <span class="soft">contract report</span></p>
<p class="verdict"><b>${asSentence(verdict)}</b></p>
<h1>${words}</h1>
<p class="reason">${view.verdict}</p>
<p class="facts"><span>${view.totals}</span> <code>${target}</code> <span>${documentInfo.title} ${documentInfo.version}</span> <time datetime="${startedAt}">${startedAt}</time></p>
<nav aria-label="On this page"><ul>${sections.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</header>
<main>
<form id="filter" role="search" hidden>
<label class="find"><span>Search</span><input type="search" name="text" placeholder="Words of a cause, a body, an operation or a rule" autocomplete="off"></label>
<output id="shown" role="status"></output>
<button type="button" id="fold">Open all</button>
</form>
${inLines(sections.map(([id, title, content]) => html`<section aria-labelledby="${id}"><h2 id="${id}" tabindex="-1">${title}</h2>\n${content}</section>`))}
</main>
<footer>
<h2 id="run">This run</h2>
<p>${view.provenance}; seed ${report.seed}</p>
</footer>
${SCRIPT_ELEMENT}
</body>
</html>
`.source;
}

/** Not part of the template: a bundler replaces the closing script tag in tagged templates by a missing helper. */
const SCRIPT_ELEMENT = new Markup(`<script>${SCRIPT}</script>`);

function hashOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

/** The sections of the page. */
function partsOf(report: Report, view: ReportView): (readonly [id: string, title: string, content: Part])[] {
  const { cells, cases, latency: times } = report;
  const nonEmpty = view.groups.filter(({ causes }) => causes.length > 0);
  // Empty groups are left out, unless all are empty.
  const groups = nonEmpty.length > 0 ? nonEmpty : view.groups.slice(0, 1);
  return [
    ...groups.map((group) => {
      const { id, title, causes } = group;
      const content =
        causes.length > 0 ? causeCards(group, report) : html`<p class="empty">${headline(report)}</p>`;
      return [id, `${title} (${causes.length})`, content] as const;
    }),
    ...(cells.length > 0 ? [['cells', 'Operations and statuses', matrix(report, view)] as const] : []),
    ...view.sections
      .filter(({ isOfCells }) => !isOfCells)
      .map((section) => [section.id, section.title, sectionList(section)] as const),
    ...(times.length > 0 ? [['latency', 'Latency in milliseconds', latency(report)] as const] : []),
    ...(cases.length > 0 ? [['cases', 'Cases', caseTable(report)] as const] : []),
  ];
}
