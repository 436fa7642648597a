import { promiseOf } from '../../laws/law.ts';
import { type Cause, isWorthALook, mostDifferent } from '../cause.ts';
import { escapeHtml as text } from '../escape.ts';
import type { Report } from '../report.ts';
import { type ReportedFinding, reproductionOf, shownPlace } from '../reported-finding.ts';
import type { SourceLine } from '../source-lines.ts';
import {
  asSentence,
  explainedBy,
  isNotSeenAgain,
  operationsByStatus,
  settledBy,
  triedPhrase,
} from '../summary.ts';
import { exchangeView, requestLine, statusClass } from './exchange-view.ts';

/** A cause with what is shown of it. */
export interface Card {
  /** From 1, in the order of the report. */
  readonly number: number;
  readonly cause: Cause;
  /** The findings that are shown: the one that is easiest to reproduce, and few others that differ from it most. */
  readonly instances: readonly [ReportedFinding, ...ReportedFinding[]];
  /** How many findings show it beside those. */
  readonly more: number;
}

/** The causes of a report, each with its instances. */
export function cardsOf({ causes, findings }: Pick<Report, 'causes' | 'findings'>): Card[] {
  const byRoot = Map.groupBy(findings, ({ root }) => root);
  return causes.flatMap((cause, index): Card[] => {
    const first = findings[cause.finding];
    if (!first) return [];
    const explained = new Set(cause.followUps.map(({ key }) => key));
    const own = (byRoot.get(cause.key) ?? []).filter(
      (one) => one !== first && (one.key === first.key || !explained.has(one.key)),
    );
    const others = mostDifferent([first, ...own]).filter((one) => one !== first);
    return [
      {
        number: index + 1,
        cause,
        instances: [first, ...others],
        more: own.length - others.length,
      },
    ];
  });
}

/** Of more causes than these only the first are open. */
const MOST_OPEN = 3;

/**
 * What is broken: a card for each cause, and what finds one among many.
 * @param none what to say where there is none
 */
export function causeCards(cards: readonly Card[], none: string): string {
  if (cards.length === 0) return `<p class="empty">${none}</p>`;
  const operations = operationsOf(cards);
  return `${filterBar(cards, operations)}
<div id="causes">
${cardViews(cards, operations)}
</div>
<p class="empty" id="none" hidden>No cause matches. <button type="button" id="reset">Show all</button></p>`;
}

/** A card for each cause that is worth a look; empty: none is. */
export function presumedCards(cards: readonly Card[]): string {
  return cards.length === 0
    ? ''
    : `<p class="soft">${PRESUMED}</p>\n${cardViews(cards, operationsOf(cards))}`;
}

const PRESUMED =
  'Presumed facts that the target does not keep. They do not decide the verdict, unless --strict presumed says so.';

function cardViews(cards: readonly Card[], operations: readonly string[]): string {
  const open = cards.length <= MOST_OPEN ? cards.length : 1;
  const indexOf = new Map(operations.map((id, index) => [id, index]));
  const view = (card: Card, index: number) =>
    cardView(card, index < open, card.cause.operations.map((id) => indexOf.get(id)).join(' '));
  return cards.map(view).join('\n');
}

function operationsOf(cards: readonly Card[]): string[] {
  return [...new Set(cards.flatMap(({ cause }) => cause.operations))].sort();
}

/**
 * What finds a cause among many. It needs the page's script, which shows it; one cause needs none.
 * @param operations of the causes; a cause names them by their numbers, since names may have any signs
 */
function filterBar(cards: readonly Card[], operations: readonly string[]): string {
  if (cards.length < 2) return '';
  const laws = [...new Set(cards.map(({ cause }) => cause.law))].sort();
  const numbers = operations.map((_, index) => String(index));
  const isMixed = cards.some(({ cause }) => !cause.gates) && cards.some(({ cause }) => cause.gates);
  const selects = [
    select('operation', 'Operation', 'All operations', numbers, operations),
    select('law', 'Rule', 'All rules', laws),
    select('status', 'Status', 'All statuses', ['2xx', '3xx', '4xx', '5xx']),
    isMixed ? select('gates', 'Verdict', 'All', ['true', 'false'], ['decides', 'does not decide']) : '',
  ];
  return `<form id="filter" role="search" aria-label="Causes" hidden>
<label class="find"><span>Search</span><input type="search" name="text" placeholder="Words of a cause, a body or a path" autocomplete="off"></label>
${selects.join('')}
<output id="shown" role="status"></output>
<button type="button" id="fold">Open all</button>
</form>`;
}

function select(
  name: string,
  label: string,
  all: string,
  values: readonly string[],
  words: readonly string[] = values,
): string {
  const options = values.map(
    (value, index) => `<option value="${text(value)}">${text(words[index] ?? value)}</option>`,
  );
  return `<label><span>${label}</span><select name="${name}" aria-label="${label}"><option value="">${all}</option>${options.join('')}</select></label>`;
}

/** @param operations by their numbers in the filter */
function cardView(card: Card, isOpen: boolean, operations: string): string {
  const { number, cause, instances, more } = card;
  const [first, ...others] = instances;
  const { source, place, excerpt, pointer } = first;
  const statuses = operationsByStatus(cause.statuses ?? []).map((line) => `<li>${text(line)}</li>`);
  const settled = settledBy(cause).map((line) => `<li>Settled by <code>${text(line)}</code></li>`);
  const follows = explainedBy(cause);
  const kinds = [...new Set(instances.flatMap((one) => statusClass(one) ?? []))];
  const parts = [
    comparison(first),
    settled.length > 0 ? `<ul class="statuses">${settled.join('')}</ul>` : '',
    statuses.length > 0 ? `<ul class="statuses">${statuses.join('')}</ul>` : '',
    exchangeView(first),
    `<div class="pair">
<figure><figcaption>Documented at <code>${text(shownPlace(first))}</code>${excerpt ? ` <code>${text(pointer)}</code>` : ''}</figcaption>${excerpt ? pre(excerpt.join('\n'), 'Document') : sourceLines(source, place.line)}</figure>
${reproduction(first, `reproduce-${number}`)}
</div>`,
    ...others.map((one, index) => instanceView(one, `reproduce-${number}-${index + 2}`)),
    more > 0
      ? `<p class="soft">${more} more ${more === 1 ? 'finding shows' : 'findings show'} the same; the JSON report has all of them.</p>`
      : '',
    follows ? `<p class="soft promise">It explains ${text(follows)}.</p>` : '',
  ];
  return `<article class="cause${cause.gates ? '' : ' quiet'}" aria-labelledby="title-${number}" data-operations="${operations}" data-law="${text(cause.law)}" data-status="${kinds.join(' ')}" data-gates="${cause.gates}">
<details${isOpen ? ' open' : ''}><summary><span class="number" aria-hidden="true">${number}</span><h3 id="title-${number}">${text(asSentence(cause.title))}</h3><span class="chips">${chips(card)}</span></summary>
<div class="inside" id="cause-${number}">
${parts.filter((part) => part !== '').join('\n')}
</div></details>
</article>`;
}

function chips({ cause }: Card): string {
  const { law, count, gates, knownUntil } = cause;
  const quiet = isNotSeenAgain(cause) ? 'seen once, not again' : 'does not decide';
  const all: readonly (readonly [kind: string, text: string])[] = [
    ...(knownUntil === undefined ? [] : [['known', `known until ${knownUntil}`] as const]),
    ...(gates || knownUntil !== undefined || isWorthALook(cause) ? [] : [['quiet', quiet] as const]),
    ['law', law],
    ['count', `${count} ${count === 1 ? 'request' : 'requests'}`],
  ];
  return all.map(([kind, label]) => `<span class="chip ${kind}">${text(label)}</span>`).join(' ');
}

function comparison(one: ReportedFinding): string {
  const rows = definitions({
    Received: `<code class="received">${text(one.received)}</code>`,
    Documented: `<code>${text(one.documented)}</code>`,
  });
  return `${rows}<p class="soft promise">Promise: ${text(promiseOf(one))}. Case: <code>${text(one.caseId)}</code></p>`;
}

function instanceView(one: ReportedFinding, id: string): string {
  return `<details class="instance"><summary><code>${text(requestLine(one))}</code> <span class="soft">${text(one.caseId)}</span></summary>
${comparison(one)}
${exchangeView(one)}
${reproduction(one, id)}</details>`;
}

function reproduction(one: ReportedFinding, id: string): string {
  const tried = triedPhrase(one);
  const note = tried ? ` <span class="soft">${text(asSentence(tried))}</span>` : '';
  return `<figure class="reproduce"><figcaption>Reproduce${note} <button type="button" class="copy" data-copies="${id}" hidden>Copy</button></figcaption><pre id="${id}" tabindex="0" role="group" aria-label="Command">${text(reproductionOf(one))}</pre></figure>`;
}

function sourceLines(lines: readonly SourceLine[], broken: number): string {
  if (lines.length === 0) return '';
  const shown = lines.map(({ line, text: content }) => {
    const row = `<span class="line">${line}</span>${text(content)}`;
    return line === broken ? `<mark>${row}</mark>` : row;
  });
  return `<pre class="document" tabindex="0" role="group" aria-label="Document">${shown.join('\n')}</pre>`;
}

function pre(content: string, label: string): string {
  return `<pre tabindex="0" role="group" aria-label="${label}">${text(content)}</pre>`;
}

/** @param rows of terms and their description in HTML */
export function definitions(rows: Readonly<Record<string, string>>): string {
  const items = Object.entries(rows).map(([term, html]) => `<div><dt>${term}</dt><dd>${html}</dd></div>`);
  return `<dl>${items.join('\n')}</dl>`;
}
