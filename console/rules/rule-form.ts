import { h, type TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { AdminError, admin, explainFailure } from '../shell/admin.ts';
import { contract } from '../shell/contract.ts';
import { button, choice } from '../shell/controls.ts';
import { Dialog, notify } from '../shell/messages.ts';
import { useValue } from '../shell/value.ts';
import { draftProblems, type RuleDraft, ruleOf } from './rule-draft.ts';
import { loadRules } from './rule-list.ts';

const EFFECTS: readonly (readonly [effect: RuleDraft['effect'], text: string])[] = [
  ['status', 'Respond with a status'],
  ['sequence', 'Respond in sequence'],
  ['drop', 'Drop the connection'],
  ['truncate', 'Truncate the response'],
  ['delay', 'Only delay'],
];

interface RuleFormProps {
  readonly first: RuleDraft;
  readonly onClose: () => void;
}

/** Makes a rule; the mock says what is wrong with one. */
export function RuleForm({ first, onClose }: RuleFormProps) {
  const [draft, setDraft] = useState(first);
  const [problems, setProblems] = useState<AdminError['details']>([]);
  const operations = useValue(contract)?.operations ?? [];
  const { effect } = draft;

  async function make(event: Event): Promise<void> {
    event.preventDefault();
    const slips = draftProblems(draft);
    setProblems(slips);
    if (slips.length > 0) return;
    try {
      await admin('rules', { method: 'POST', body: ruleOf(draft) });
      notify('The rule was created. It applies from the next request on.');
      await loadRules();
      onClose();
    } catch (error) {
      const details = error instanceof AdminError ? error.details : [];
      setProblems(details.length > 0 ? details : [{ where: '', message: explainFailure(error) }]);
    }
  }

  const field = (name: keyof RuleDraft, label: string, hint: string) =>
    h(RuleField, {
      name,
      label,
      hint,
      value: draft[name],
      problem: problemOf(name, problems),
      onInput: (text) => setDraft((old) => ({ ...old, [name]: text })),
    });
  const choose = (name: 'operation' | 'effect') => (value: string) =>
    setDraft((old) => ({ ...old, [name]: value }) as RuleDraft);
  const others = problems.filter(({ where }) => !isPlaced(where, effect));

  return h(
    Dialog,
    { title: 'Create a rule', onClose, class: 'rule-dialog' },
    h(
      'form',
      { onSubmit: make, noValidate: true },
      h(
        'div',
        { class: 'rule-fields' },
        h(
          'div',
          { class: 'field' },
          h('label', { for: 'rule-operation' }, 'Requests'),
          choice(
            draft.operation,
            [['', 'All operations'], ...operations.map(({ id }) => id)],
            choose('operation'),
            { id: 'rule-operation' },
          ),
        ),
        field('path', 'Path', 'for example /pets/7; empty: all paths'),
        h(
          'div',
          { class: 'field' },
          h('label', { for: 'rule-effect' }, 'Effect'),
          choice(effect, EFFECTS, choose('effect'), { id: 'rule-effect' }),
        ),
        effect === 'status' && field('status', 'Status', '200 to 599'),
        effect === 'status' &&
          field('body', 'Body', 'empty: as documented; {{request.query.name}} is filled in'),
        effect === 'sequence' && field('sequence', 'Responses', 'statuses, or pass for the usual response'),
        field('times', 'Times', 'empty: until the rule is removed'),
        field('delay', 'Delay in ms', 'for example 200 or 50-150'),
      ),
      h(
        'div',
        { role: 'alert' },
        others.map(({ where, message }) =>
          h('p', { key: where, class: 'problem' }, where === '' ? message : `${where} ${message}`),
        ),
      ),
      h(
        'div',
        { class: 'dialog-actions' },
        button('Cancel', onClose),
        h('button', { class: 'button primary', type: 'submit' }, 'Create rule'),
      ),
    ),
  );
}

/** Where the form shows a problem, by the member of the rule. */
const PLACES: Readonly<Record<string, keyof RuleDraft>> = {
  'match.path': 'path',
  status: 'status',
  body: 'body',
  sequence: 'sequence',
  times: 'times',
  delay: 'delay',
};

function problemOf(name: keyof RuleDraft, problems: AdminError['details']): string {
  const own = problems.filter(({ where }) => PLACES[where.replace(/^(sequence)\..*/, '$1')] === name);
  return own.map(({ message }) => message).join('; ');
}

function isPlaced(where: string, effect: RuleDraft['effect']): boolean {
  const place = PLACES[where.replace(/^(sequence)\..*/, '$1')];
  if (place === 'status' || place === 'body') return effect === 'status';
  return place === 'sequence' ? effect === 'sequence' : place !== undefined;
}

interface RuleFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  /** Empty: there is none. */
  readonly problem: string;
  readonly onInput: (text: string) => void;
}

function RuleField({ name, label, hint, value, problem, onInput }: RuleFieldProps) {
  const id = `rule-${name}`;
  const shared = {
    id,
    value,
    'aria-invalid': problem !== '',
    'aria-describedby': `${id}-hint ${id}-problem`,
    onInput: (event: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onInput(event.currentTarget.value),
  };
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    name === 'body' ? h('textarea', { ...shared, rows: 3 }) : h('input', { ...shared, autocomplete: 'off' }),
    h('span', { id: `${id}-hint`, class: 'soft hint' }, hint),
    h('span', { id: `${id}-problem`, class: 'problem' }, problem),
  );
}
