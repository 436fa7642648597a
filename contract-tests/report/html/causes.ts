import { count, inBrief } from '#spec';
import { renderIssue } from '../markdown.ts';
import type { Report } from '../report.ts';
import { type ReportedFinding, shownPlace } from '../reported-finding.ts';
import { type CauseGroup, type CauseView, type Fact, factsOf } from '../view.ts';
import { asSentence } from '../words.ts';
import { exchangeView, requestLine } from './exchange-view.ts';
import { html, inLines, type Markup, preformatted } from './markup.ts';

/** With more causes than this, only the first is open. */
const MOST_OPEN = 3;
/** A longer list, such as that of all cases, is complete in the JSON report only. */
const LONGEST_TEXT = 300;

export function causeCards({ note, causes }: CauseGroup, report: Report): Markup {
  const open = causes.length <= MOST_OPEN ? causes.length : 1;
  return html`${note !== '' && html`<p class="soft">${asSentence(note)}.</p>`}
${inLines(causes.map((cause, index) => cardView(cause, report, index < open)))}`;
}

function cardView(view: CauseView, report: Report, isOpen: boolean): Markup {
  const { number, cause, finding, note, facts } = view;
  const { gates, knownUntil, law, count: requests, instances } = cause;
  // The first is the finding that is shown.
  const others = instances.slice(1).flatMap(({ caseId, curl, received }) => {
    const isShown = (one: ReportedFinding) =>
      one.caseId === caseId && one.curl === curl && one.received === received;
    return report.findings.find(isShown) ?? [];
  });
  const more = requests - instances.length;
  return html`<article class="cause${!gates && ' quiet'}" aria-labelledby="title-${number}">
<details${isOpen && html` open`}><summary><span class="number" aria-hidden="true">${number}</span><h3 id="title-${number}">${asSentence(cause.title)}</h3><span class="chips">${note !== '' && html`<span class="chip ${knownUntil ? 'known' : 'quiet'}">${note}</span> `}<span class="chip">${law}</span> <span class="chip">${count(requests, 'request')}</span></span></summary>
<div class="inside" id="cause-${number}">
<p><button type="button" class="copy" data-copies="issue-${number}" hidden>Copy as issue</button></p>
<pre id="issue-${number}" hidden>${renderIssue(view, report)}</pre>
${findingView(finding, facts, `reproduce-${number}`)}
${others.map(
  (
    one,
    index,
  ) => html`<details class="instance"><summary><code>${requestLine(one)}</code> <span class="soft">${one.caseId}</span></summary>
${findingView(one, factsOf(one, report.changes !== undefined), `reproduce-${number}-${index + 2}`)}</details>`,
)}
${more > 0 && others.length > 0 && html`<p class="soft">${count(more, 'more request')} showed the same; the JSON report has all of them.</p>`}
</div></details>
</article>`;
}

/** The facts of a finding, the exchange, the lines of the document, and the command. */
function findingView(finding: ReportedFinding, facts: readonly Fact[], id: string): Markup {
  const { source, place, excerpt, pointer } = finding;
  const lines = source.map(({ line, text }) => {
    const row = html`<span class="line">${line}</span>${text}`;
    return line === place.line ? html`<mark>${row}</mark>` : row;
  });
  const rows = facts.map(
    ({ label, text, isQuoted }) =>
      text !== '' &&
      html`<div><dt>${asSentence(label)}</dt><dd>${isQuoted ? html`<code class="${label}">${text}</code>` : inBrief(text, LONGEST_TEXT)}</dd></div>
`,
  );
  const commands = facts.flatMap(({ lines = [], language }) => (language === 'sh' ? lines : []));
  return html`<dl>${rows}</dl>
${exchangeView(finding)}
<div class="pair">
<figure><figcaption>Documented at <code>${shownPlace(finding)}</code>${excerpt && html` <code>${pointer}</code>`}</figcaption>${preformatted('Document', excerpt ? excerpt.join('\n') : inLines(lines), 'document')}</figure>
${commands.length > 0 && html`<figure class="reproduce"><figcaption>Reproduce <button type="button" class="copy" data-copies="${id}" hidden>Copy</button></figcaption><pre id="${id}" tabindex="0" role="group" aria-label="Command">${commands.join('\n')}</pre></figure>`}
</div>`;
}
