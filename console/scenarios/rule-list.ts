import { h } from 'preact';
import { useState } from 'preact/hooks';
import { access, adminUrl } from '../shell/access.ts';
import { admin } from '../shell/admin.ts';
import { contract } from '../shell/contract.ts';
import { choice, emptyCard, iconButton, skeleton } from '../shell/controls.ts';
import { icon } from '../shell/labels.ts';
import { copyText } from '../shell/messages.ts';
import { goTo, linkTo } from '../shell/place.ts';
import { formOf, isActive } from '../shell/rule.ts';
import { changeRules, removeRules, sessionState } from '../shell/session-state.ts';
import { useValue } from '../shell/value.ts';
import type { RuleView } from '../wire.ts';
import { effectOf, requestsOf, ruleCode, ruleCurl, ruleYaml, usageOf } from './rule-texts.ts';

interface RuleListProps {
  /** The id of the edited rule. */
  readonly current: number | undefined;
}

/** The rules in the order of precedence, moved by drag, or by Alt and an arrow. */
export function RuleList({ current }: RuleListProps) {
  const rules = useValue(sessionState.rules);
  const [dragged, setDragged] = useState<number | undefined>(undefined);
  const [announcement, say] = useState('');
  if (!rules) return skeleton(3);
  if (rules.length === 0)
    return emptyCard(
      'No rules',
      'All requests get their normal responses. Create a rule here, or from any request.',
    );

  async function move(id: number, to: number): Promise<void> {
    const ids = (rules ?? []).map((rule) => rule.id);
    const from = ids.indexOf(id);
    if (from < 0 || to < 0 || to >= ids.length || from === to) return;
    ids.splice(to, 0, ...ids.splice(from, 1));
    await changeRules(() => admin('answers/order', { method: 'PUT', body: ids.toReversed() }));
    say(`Rule ${id} is now ${to + 1} of ${ids.length}.`);
  }

  return h('div', { class: 'rule-box' }, [
    h('ol', { class: 'card rule-list', 'aria-label': 'Rules, the first that matches answers' }, [
      rules.map((rule, index) =>
        h(RuleRow, {
          key: rule.id,
          rule,
          isCurrent: rule.id === current,
          onMove: (by) => move(rule.id, index + by),
          onDrag: () => setDragged(rule.id),
          onDrop: () => {
            if (dragged !== undefined) move(dragged, index);
            setDragged(undefined);
          },
        }),
      ),
    ]),
    h('p', { class: 'visually-hidden', role: 'status' }, announcement),
  ]);
}

interface RuleRowProps {
  readonly rule: RuleView;
  readonly isCurrent: boolean;
  readonly onMove: (by: 1 | -1) => void;
  readonly onDrag: () => void;
  readonly onDrop: () => void;
}

const COPIES = {
  code: ['mock.addRule(...)', (rule: RuleView) => ruleCode(formOf(rule))],
  yaml: ['YAML of a seed file', (rule: RuleView) => ruleYaml([formOf(rule)])],
  curl: [
    'curl',
    (rule: RuleView) => ruleCurl(formOf(rule), adminUrl('answers'), access().token.get() !== undefined),
  ],
} as const satisfies Record<string, readonly [string, (rule: RuleView) => string]>;

function RuleRow({ rule, isCurrent, onMove, onDrag, onDrop }: RuleRowProps) {
  const operations = useValue(contract)?.operations ?? [];
  const { id, enabled = true } = rule;

  function press(event: KeyboardEvent): void {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined;
    if (!event.altKey || by === undefined) return;
    event.preventDefault();
    onMove(by);
  }

  const duplicate = () =>
    changeRules(() => admin('answers', { method: 'POST', body: formOf(rule) }), 'The rule was duplicated.');
  const remove = () => removeRules([rule], 'The rule was removed.');
  const toggle = () =>
    changeRules(() => admin(`answers/${id}`, { method: 'PATCH', body: { enabled: enabled ? false : null } }));
  return h(
    'li',
    {
      class: `rule${isActive(rule) ? '' : ' off'}${isCurrent ? ' current' : ''}`,
      onKeyDown: press,
      onDragOver: (event: DragEvent) => event.preventDefault(),
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        onDrop();
      },
    },
    h(
      'button',
      {
        type: 'button',
        class: 'drag-handle',
        draggable: true,
        'aria-label': `Move rule ${id}: Alt and arrow up or down`,
        title: 'Drag, or Alt and arrow up or down',
        onDragStart: (event: DragEvent) => {
          event.dataTransfer?.setData('text/plain', String(id));
          onDrag();
        },
      },
      icon('drag'),
    ),
    h('input', {
      type: 'checkbox',
      role: 'switch',
      class: 'switch',
      checked: enabled,
      'aria-label': `Rule ${id} is on`,
      onChange: toggle,
    }),
    h('div', { class: 'rule-text' }, [
      h('a', { href: linkTo('scenarios', String(id)), 'aria-current': isCurrent ? 'true' : undefined }, [
        h('strong', {}, requestsOf(rule, operations)),
        ' ',
        effectOf(rule),
      ]),
      h('span', { class: 'soft' }, [`Rule ${id} · ${usageOf(rule)}`]),
    ]),
    h('div', { class: 'rule-actions' }, [
      iconButton('edit', `Edit rule ${id}`, () => goTo(['scenarios', String(id)]), { class: 'small' }),
      iconButton('copy', `Duplicate rule ${id}`, duplicate, { class: 'small' }),
      choice(
        '',
        [['', 'Copy as'], ...Object.entries(COPIES).map(([kind, [title]]) => [kind, title] as const)],
        (kind) => {
          const copy = COPIES[kind as keyof typeof COPIES];
          if (copy) copyText(copy[1](rule), copy[0]);
        },
        { 'aria-label': `Copy rule ${id} as` },
      ),
      iconButton('remove', `Remove rule ${id}`, remove, { class: 'small danger' }),
    ]),
  );
}
