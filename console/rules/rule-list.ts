import { h } from 'preact';
import type { ActiveRule } from './active-rules.ts';
import { effectOf, requestsOf, usageOf } from './rule-text.ts';

interface RuleListProps {
  readonly rules: readonly ActiveRule[];
  readonly onRemove: (id: number) => void;
}

/** The first one that matches a request applies to it. */
export function RuleList({ rules, onRemove }: RuleListProps) {
  if (rules.length === 0)
    return h(
      'div',
      { class: 'empty card' },
      h('strong', {}, 'No rule'),
      h(
        'span',
        {},
        'All requests get their ordinary answers. A rule can be made from any request that was seen.',
      ),
    );
  return h(
    'ul',
    { class: 'card rule-list', 'aria-label': 'Rules, the first that matches applies' },
    rules.map((rule) =>
      h(
        'li',
        { key: rule.id, class: isDone(rule) ? 'rule done' : 'rule' },
        h('div', { class: 'rule-text' }, h('strong', {}, requestsOf(rule)), h('span', {}, effectOf(rule))),
        h('span', { class: 'soft count' }, usageOf(rule)),
        h(
          'button',
          {
            class: 'button small',
            type: 'button',
            'aria-label': `Remove rule ${rule.id}`,
            onClick: () => onRemove(rule.id),
          },
          'Remove',
        ),
      ),
    ),
  );
}

function isDone({ used, times }: ActiveRule): boolean {
  return times !== undefined && used >= times;
}
