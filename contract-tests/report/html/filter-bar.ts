import { escapeHtml as text } from '../escape.ts';
import type { Card } from './card.ts';

/**
 * What finds a cause among many. It needs the page's script, which shows it; one cause needs none.
 * @param operations of the causes; a cause names them by their numbers, since names may have any signs
 */
export function filterBar(cards: readonly Card[], operations: readonly string[]): string {
  if (cards.length < 2) return '';
  const laws = [...new Set(cards.map(({ cause }) => cause.law))].sort();
  const numbers = operations.map((_, index) => String(index));
  const isMixed = cards.some(({ cause }) => !cause.gates) && cards.some(({ cause }) => cause.gates);
  const selects = [
    select('operation', 'Operation', 'All operations', numbers, operations),
    select('law', 'Law', 'All laws', laws),
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
