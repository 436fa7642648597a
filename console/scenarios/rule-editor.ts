import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Errors, type Form, fieldId } from '../form/field.ts';
import { type Members, withMember } from '../form/member-value.ts';
import { AdminError, admin, explainFailure } from '../shell/admin.ts';
import { contract } from '../shell/contract.ts';
import { button, choice, disclosure, textInput } from '../shell/controls.ts';
import { notify } from '../shell/messages.ts';
import { loadRules } from '../shell/session-state.ts';
import { useLoaded, useValue } from '../shell/value.ts';
import type { AnswerForm, OperationView, RuleForm, RuleView, Source } from '../wire.ts';
import { useDocumented } from './effects.ts';
import { JsonEditor } from './json-editor.ts';
import { answerOf, kindOf, type RuleKind, stepOf, withKind, withoutEmpty } from './rule-draft.ts';
import {
  AnswerFields,
  type AnswerProps,
  CONDITIONS,
  DELAY,
  documentedTiles,
  FieldList,
  hasMore,
  MoreOfAnswer,
  OF_RULE,
  tick,
  tile,
} from './rule-fields.ts';
import { effectOf, requestsOf, SOURCE_TEXTS } from './rule-texts.ts';

interface RuleEditorProps {
  readonly first: RuleForm;
  /** The id of the edited rule. Undefined: a new one. */
  readonly id: number | undefined;
  readonly onClose: (made?: number) => void;
}

/** Milliseconds after the last key. */
const PAUSE = 200;

interface Judged {
  readonly problems: readonly { readonly where: string; readonly message: string }[];
  readonly warnings: AnswerProps['warnings'];
}

const NOTHING: Judged = { problems: [], warnings: [] };

/** Creates or edits a rule: operation, response, then everything else. The mock validates it while the user types. */
export function RuleEditor({ first, id, onClose }: RuleEditorProps) {
  const [rule, setRule] = useState(first);
  const [tried, setTried] = useState<Judged['problems'] | undefined>(undefined);
  const [attempt, setAttempt] = useState(0);
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const served = useValue(contract);
  const operations = served?.operations ?? [];
  const documented = useDocumented(rule.operation ?? '');
  const judged = useJudged(rule);
  const { match = {}, sequence, source } = rule;
  const kind = kindOf(rule);
  // Missing values of a new rule are only reported on saving, wrong ones at once.
  const all = tried ?? judged.problems.filter(({ where }) => where !== '');
  const placed = all.filter(({ where }) => where !== '');
  const form: Form = {
    name: 'rule',
    problems: placed.map(({ where, message }) => ({ pointer: `/${where.replaceAll('.', '/')}`, message })),
  };
  const failure = all.filter(({ where }) => where === '').map(({ message }) => message);

  const change = (next: RuleForm) => {
    setTried(undefined);
    setRule(next);
  };
  const setMatch = (next: Members) => change({ ...rule, match: next } as RuleForm);
  const noteBroken = (at: string, isBroken: boolean) =>
    setBroken((old) => {
      if (old.has(at) === isBroken) return old;
      return new Set(isBroken ? [...old, at] : [...old].filter((one) => one !== at));
    });

  async function keep(event: Event): Promise<void> {
    event.preventDefault();
    try {
      if (broken.size > 0) throw new Error('Not saved: a body is invalid JSON.');
      if (kind === undefined) throw new Error('Not saved: choose an answer.');
      const made = await admin<RuleView>(id === undefined ? 'answers' : `answers/${id}`, {
        method: id === undefined ? 'POST' : 'PUT',
        body: withoutEmpty(rule),
      });
      notify(
        id === undefined
          ? 'The rule was created. It applies from the next request on.'
          : 'The rule was changed.',
      );
      await loadRules();
      onClose(made.id);
    } catch (error) {
      const details = error instanceof AdminError ? error.details : [];
      setTried(details.length > 0 ? details : [{ where: '', message: explainFailure(error) }]);
    }
    setAttempt((count) => count + 1);
  }

  const choose = (answer: AnswerForm) => {
    const { status: _, body: __, example: ___, ...rest } = withKind(rule, 'answer');
    change({ ...rest, ...answer });
  };
  const kindTile = (text: string, ruleKind: RuleKind) =>
    tile(text, kind === ruleKind, () => kind !== ruleKind && change(withKind(rule, ruleKind)));
  const shared = { form, warnings: judged.warnings, onBroken: noteBroken };
  const answer = { ...shared, at: '', value: rule, onChange: (next: AnswerForm) => change(next as RuleForm) };
  const title = id === undefined ? 'New rule' : `Rule ${id}`;
  const isMore = first.match !== undefined || first.tag !== undefined || hasMore(first);
  return h('form', { class: 'card rule-editor', 'aria-label': title, onSubmit: keep, noValidate: true }, [
    h('h3', {}, title),
    kind && h('p', { class: 'rule-preview soft' }, `${requestsOf(rule, operations)} ${effectOf(rule)}`),
    h(OperationPicker, {
      value: rule.operation ?? '',
      operations,
      onChoose: (operation) =>
        change(withMember(rule as Members, 'operation', operation === '' ? undefined : operation)),
    }),
    h('div', { class: 'tiles', role: 'group', 'aria-label': 'Answer' }, [
      documentedTiles({ documented, onChoose: choose }),
      kindTile('Any status', 'answer'),
      kindTile('Sequence', 'sequence'),
      (served?.upstream !== undefined || kind === 'source') && kindTile('Who responds', 'source'),
    ]),
    kind === 'answer' && h(AnswerFields, answer),
    sequence && h(Steps, { ...shared, rule, onChange: change, documented }),
    source !== undefined &&
      h('div', { class: 'field' }, [
        h('label', { for: 'rule-source' }, 'Source'),
        choice(
          source,
          (Object.keys(SOURCE_TEXTS) as Source[]).map(
            (name) => [name, `${name}: ${SOURCE_TEXTS[name]}`] as const,
          ),
          (one) => change({ ...rule, source: one as Source }),
          { id: 'rule-source' },
        ),
      ]),
    disclosure('More', 'more', isMore, [
      h('h4', {}, 'Conditions'),
      h(FieldList, { form, fields: CONDITIONS, at: '/match', value: match as Members, onChange: setMatch }),
      h(JsonEditor, {
        id: 'rule-match-body',
        label: 'Body contains',
        value: match.body,
        problem: form.problems.find(({ pointer }) => pointer === '/match/body')?.message ?? '',
        onChange: (body) => setMatch(withMember(match as Members, 'body', body)),
        onBroken: (isBroken) => noteBroken('match', isBroken),
      }),
      h(FieldList, {
        form,
        at: '',
        value: rule as Members,
        onChange: change as (next: Members) => void,
        fields: sequence ? [...OF_RULE, DELAY] : OF_RULE,
      }),
      kind !== 'sequence' && kind !== 'source' && h(MoreOfAnswer, answer),
      tick('Answer invalid requests', rule.validate === false, (isOn) =>
        change(withMember(rule as Members, 'validate', isOn ? false : undefined)),
      ),
      tick('Enabled', rule.enabled !== false, (isOn) =>
        change(withMember(rule as Members, 'enabled', isOn ? undefined : false)),
      ),
    ]),
    h('div', { class: 'editor-actions' }, [
      h(Errors, { form, title: 'Not saved', failure: failure.join('; '), attempt }),
      button('Cancel', () => onClose()),
      h('button', { class: 'button primary', type: 'submit' }, [
        id === undefined ? 'Create rule' : 'Save rule',
      ]),
    ]),
  ]);
}

interface OperationPickerProps {
  /** Empty: every operation. */
  readonly value: string;
  readonly operations: readonly OperationView[];
  readonly onChoose: (id: string) => void;
}

const nameOf = ({ method, path }: OperationView) => `${method} ${path}`;

/** An operation by method and path, or by its operationId. */
function OperationPicker({ value, operations, onChoose }: OperationPickerProps) {
  const [text, setText] = useState<string | undefined>(undefined);
  const chosen = operations.find(({ id }) => id === value);

  function type(entered: string): void {
    setText(entered);
    const wanted = entered.trim().toLowerCase();
    const operation = operations.find((operationView) =>
      [nameOf(operationView), operationView.id].some((name) => name.toLowerCase() === wanted),
    );
    if (operation || wanted === '') onChoose(operation?.id ?? '');
  }

  return h('div', { class: 'field' }, [
    h('label', { for: 'rule-operation' }, 'Operation'),
    textInput(text ?? (chosen ? nameOf(chosen) : ''), type, {
      id: 'rule-operation',
      list: 'rule-operations',
      autocomplete: 'off',
      placeholder: 'Every operation',
      onBlur: () => setText(undefined),
    }),
    h('datalist', { id: 'rule-operations' }, [
      operations.map((operation) =>
        h('option', { key: operation.id, value: nameOf(operation) }, operation.summary ?? operation.id),
      ),
    ]),
  ]);
}

interface StepsProps extends Pick<AnswerProps, 'form' | 'warnings' | 'onBroken'> {
  readonly rule: RuleForm;
  readonly onChange: (rule: RuleForm) => void;
  readonly documented: Parameters<typeof documentedTiles>[0]['documented'];
}

/** The responses of a sequence, each with its own body; the last one repeats. */
function Steps({ rule, onChange, documented, ...shared }: StepsProps) {
  const { sequence = [] } = rule;
  const set = (steps: readonly (AnswerForm | undefined)[]) =>
    onChange({ ...rule, sequence: steps.map(stepOf) });
  const answers = sequence.map(answerOf);
  const replace = (index: number, step: AnswerForm | undefined) =>
    set(answers.map((answer, at) => (at === index ? step : answer)));
  const moveUp = (index: number) => {
    const moved = [...answers];
    moved.splice(index - 1, 0, ...moved.splice(index, 1));
    set(moved);
  };
  return h('div', { class: 'steps' }, [
    h('ol', { class: 'step-list', 'aria-label': 'Steps' }, [
      answers.map((answer, index) =>
        h('li', { key: index }, [
          h('fieldset', { class: 'step', id: fieldId(shared.form, `/sequence/${index}`), tabIndex: -1 }, [
            h('legend', {}, `Step ${index + 1}${index === answers.length - 1 ? ', then repeats' : ''}`),
            h('div', { class: 'step-head' }, [
              tick('Normal response', answer === undefined, (isPass) =>
                replace(index, isPass ? undefined : { status: 503 }),
              ),
              button('Up', () => moveUp(index), {
                class: 'small',
                disabled: index === 0,
                'aria-label': `Move step ${index + 1} up`,
              }),
              button('Remove', () => set(answers.filter((_, at) => at !== index)), {
                class: 'small danger',
                disabled: answers.length === 1,
                'aria-label': `Remove step ${index + 1}`,
              }),
            ]),
            answer && [
              h(
                'div',
                { class: 'tiles' },
                documentedTiles({ documented, onChoose: (answerForm) => replace(index, answerForm) }),
              ),
              h(AnswerFields, {
                ...shared,
                at: `/sequence/${index}`,
                value: answer,
                onChange: (next) => replace(index, next),
              }),
              disclosure('More', 'more', hasMore(answer), [
                h(MoreOfAnswer, {
                  form: shared.form,
                  at: `/sequence/${index}`,
                  value: answer,
                  onChange: (next) => replace(index, next),
                }),
              ]),
            ],
          ]),
        ]),
      ),
    ]),
    button('Add step', () => set([...answers, { status: 503 }]), { class: 'small', icon: 'add' }),
  ]);
}

/** The mock's validation of the rule, a moment after the last key. */
function useJudged(rule: RuleForm): Judged {
  const [judged, load] = useLoaded(NOTHING);
  useEffect(() => {
    const check = () => admin<Judged>('answers/check', { method: 'POST', body: withoutEmpty(rule) });
    const timer = setTimeout(() => load(check()).catch(() => {}), PAUSE);
    return () => clearTimeout(timer);
  }, [rule]);
  return judged;
}
