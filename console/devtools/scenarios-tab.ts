import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { choice } from '../shell/controls.ts';
import { stringifyJson } from '../shell/exact-json.ts';
import { type ActiveRule, isActive } from '../shell/rule.ts';
import { useValue } from '../shell/value.ts';
import { EffectButtons } from './effect-buttons.ts';
import type { Model, Scenario } from './model.ts';
import { usualOperation } from './quick-rules.ts';

/** Which requests do not get their usual responses, and switches that make it so. */
export function ScenariosTab({ model }: { readonly model: Model }) {
  const operations = useValue(model.contract)?.operations ?? [];
  const requests = useValue(model.requests);
  const rules = useValue(model.rules);
  const scenarios = useValue(model.scenarios);
  const [given, setGiven] = useState<string | undefined>(undefined);
  useEffect(() => void model.loadScenarios(), [model]);
  const operation = given ?? usualOperation(requests, operations) ?? '';
  return h('div', { class: 'scroll' }, [
    h('div', { class: 'composer' }, [
      choice(
        operation,
        [
          ['', 'All operations'],
          ...operations.map(({ id, method, path }): [string, string] => [id, `${method} ${path}`]),
        ],
        setGiven,
        { 'aria-label': 'Operation' },
      ),
      h(EffectButtons, { model, operation }),
    ]),
    scenarios !== undefined && scenarios.length > 0 && h(ScenarioSwitches, { scenarios, model }),
    h('div', { class: 'bar' }, [
      h('h2', {}, 'Rules'),
      h('span', { class: 'soft' }, 'The first one that matches a request applies.'),
      rules.length > 0 &&
        h('button', { type: 'button', class: 'quiet danger push', onClick: model.removeRules }, 'Remove all'),
    ]),
    rules.length === 0
      ? h('p', { class: 'empty' }, 'No rules: every request gets its usual response.')
      : h('ol', { class: 'rules', 'aria-label': 'Rules' }, [
          rules.map((rule) => h(RuleRow, { key: rule.id, rule, model, canSwitch: scenarios !== undefined })),
        ]),
  ]);
}

interface ScenarioSwitchesProps {
  readonly scenarios: readonly Scenario[];
  readonly model: Model;
}

function ScenarioSwitches({ scenarios, model }: ScenarioSwitchesProps) {
  return h('div', { class: 'bar', role: 'group', 'aria-label': 'Named scenarios' }, [
    h('h2', {}, 'Named scenarios'),
    scenarios.map(({ name, isCurrent, problem }) =>
      h(
        'button',
        {
          key: name,
          type: 'button',
          'aria-pressed': isCurrent,
          disabled: problem !== undefined,
          title: problem,
          onClick: () => model.switchTo(name),
        },
        name,
      ),
    ),
  ]);
}

interface RuleRowProps {
  readonly rule: ActiveRule;
  readonly model: Model;
  readonly canSwitch: boolean;
}

function RuleRow({ rule, model, canSwitch }: RuleRowProps) {
  const { id, enabled = true } = rule;
  return h('li', { class: isActive(rule) ? 'rule' : 'rule done' }, [
    canSwitch &&
      h(
        'button',
        {
          type: 'button',
          role: 'switch',
          class: 'switch',
          'aria-checked': enabled,
          'aria-label': `Rule ${id}`,
          onClick: () => model.switchRule(id, !enabled),
        },
        h('span', { class: 'knob', 'aria-hidden': true }),
      ),
    h('span', { class: 'chip signal' }, `rule ${id}`),
    h('span', { class: 'rule-text' }, h('strong', {}, requestsOf(rule)), ' ', effectOf(rule)),
    h('span', { class: 'soft' }, usageOf(rule)),
    h(
      'button',
      {
        type: 'button',
        class: 'quiet danger',
        'aria-label': `Remove rule ${id}`,
        onClick: () => model.removeRule(id),
      },
      'Remove',
    ),
  ]);
}

function requestsOf({ operation, tag, match }: ActiveRule): string {
  const named = operation ?? (tag === undefined ? 'All operations' : `tag ${tag}`);
  return match === undefined ? named : `${named} with ${short(match)}`;
}

/** What a rule does, member by member as it was given. */
function effectOf({ status, body, example, delay, drop, truncate, sequence, source }: ActiveRule): string {
  const parts = [
    status !== undefined && `status ${status}`,
    example !== undefined && `example ${example}`,
    body !== undefined && `body ${short(body)}`,
    sequence !== undefined && `in sequence ${short(sequence)}`,
    drop !== undefined && 'no response',
    truncate !== undefined && 'truncated',
    source !== undefined && `from ${source}`,
    delay !== undefined && `${delay} ms late`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

const MOST = 60;

function short(value: unknown): string {
  const text = stringifyJson(value);
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}

function usageOf({ times, used }: ActiveRule): string {
  return times === undefined ? `used ${used}×` : `used ${used} of ${times}`;
}
