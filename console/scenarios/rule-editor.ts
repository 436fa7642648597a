import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AdminError, admin, explainFailure } from '../shell/admin.ts';
import { contract } from '../shell/contract.ts';
import { button, choice } from '../shell/controls.ts';
import { notify } from '../shell/messages.ts';
import type { ActiveRule, RuleForm, Source } from '../shell/rule.ts';
import { loadRules } from '../shell/session-state.ts';
import { useValue } from '../shell/value.ts';
import { useDocumented } from './effects.ts';
import {
  type AnswerDraft,
  type DraftProblem,
  draftProblems,
  EMPTY_ANSWER,
  type RuleDraft,
  ruleOf,
} from './rule-draft.ts';
import { AnswerFields, type DraftWarning, MatchFields, textFields, tick } from './rule-fields.ts';
import { effectOf, requestsOf, SOURCE_TEXTS } from './rule-texts.ts';

interface RuleEditorProps {
  readonly first: RuleDraft;
  /** The rule that is edited; undefined: a new one. */
  readonly id: number | undefined;
  readonly onClose: (made?: number) => void;
}

/** Milliseconds after the last key. */
const PAUSE = 200;

interface Judged {
  readonly problems: readonly DraftProblem[];
  readonly warnings: readonly DraftWarning[];
}

const NOTHING: Judged = { problems: [], warnings: [] };

const EFFECTS = [
  ['answer', 'One response'],
  ['sequence', 'Sequence'],
] as const;

/** Makes or changes a rule; the mock judges it as one types. */
export function RuleEditor({ first, id, onClose }: RuleEditorProps) {
  const [draft, setDraft] = useState(first);
  const [tried, setTried] = useState<readonly DraftProblem[] | undefined>(undefined);
  const served = useValue(contract);
  const operations = served?.operations ?? [];
  const documented = useDocumented(draft.operation);
  const judged = useJudged(draft);
  const slips = draftProblems(draft);
  // What a new draft lacks is said when it is to be kept; what is typed wrong at once.
  const problems = [...slips, ...(tried ?? judged.problems.filter(({ where }) => where !== ''))];
  const { effect } = draft;

  const change = (part: Partial<RuleDraft>) => {
    setTried(undefined);
    setDraft((old) => ({ ...old, ...part }));
  };
  const changeStep = (index: number, part: Partial<AnswerDraft>) =>
    change({ sequence: draft.sequence.map((step, at) => (at === index ? { ...step, ...part } : step)) });

  async function keep(event: Event): Promise<void> {
    event.preventDefault();
    if (slips.length > 0) return setTried([]);
    try {
      const made = await admin<ActiveRule>(id === undefined ? 'answers' : `answers/${id}`, {
        method: id === undefined ? 'POST' : 'PUT',
        body: ruleOf(draft),
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
  }

  const shared = { documented, problems, warnings: judged.warnings };
  const others = problems.filter(({ where }) => !isPlaced(where, effect));
  const title = id === undefined ? 'New rule' : `Rule ${id}`;
  return h('form', { class: 'card rule-editor', 'aria-label': title, onSubmit: keep, noValidate: true }, [
    h('h3', {}, title),
    h('p', { class: 'rule-preview soft' }, previewOf(draft, operations)),
    h(MatchFields, { draft, operations, onChange: change, problems }),
    h('div', { class: 'rule-fields' }, [
      h('div', { class: 'field' }, [
        h('label', { for: 'rule-effect' }, 'Effect'),
        choice(
          effect,
          [
            ...EFFECTS,
            ...(served?.upstream !== undefined || effect === 'source'
              ? [['source', 'Who responds'] as const]
              : []),
          ],
          (next) =>
            change({
              effect: next as RuleDraft['effect'],
              ...(next === 'sequence' &&
                draft.sequence.length === 0 && { sequence: FIRST_STEPS(draft.answer) }),
            }),
          { id: 'rule-effect' },
        ),
      ]),
      textFields({ draft, onChange: change, problems, place: '' }, [
        ['times', 'Repeat', 'number of requests; empty: always'],
      ]),
      tick('Enabled', draft.isOn, (isOn) => change({ isOn })),
    ]),
    effect === 'answer' &&
      h(AnswerFields, {
        ...shared,
        place: '',
        draft: draft.answer,
        onChange: (part) => change({ answer: { ...draft.answer, ...part } }),
      }),
    effect === 'sequence' && h(Steps, { draft, change, changeStep, shared }),
    effect === 'source' &&
      h('div', { class: 'field' }, [
        h('label', { for: 'rule-source' }, 'Source'),
        choice(
          draft.source,
          (Object.keys(SOURCE_TEXTS) as Source[]).map(
            (source) => [source, `${source}: ${SOURCE_TEXTS[source]}`] as const,
          ),
          (source) => change({ source: source as Source }),
          { id: 'rule-source' },
        ),
      ]),
    h('div', { role: 'alert' }, [
      others.map(({ where, message }) =>
        h('p', { key: where + message, class: 'problem' }, where === '' ? message : `${where} ${message}`),
      ),
    ]),
    h('div', { class: 'editor-actions' }, [
      button('Cancel', () => onClose()),
      h('button', { class: 'button primary', type: 'submit' }, [
        id === undefined ? 'Create rule' : 'Save rule',
      ]),
    ]),
  ]);
}

/** A common fault: the response that was entered, then the normal one. */
const FIRST_STEPS = (answer: AnswerDraft): readonly AnswerDraft[] => [
  { ...answer, delay: '', status: answer.status || '503' },
  { ...EMPTY_ANSWER, isPass: true },
];

interface StepsProps {
  readonly draft: RuleDraft;
  readonly change: (part: Partial<RuleDraft>) => void;
  readonly changeStep: (index: number, part: Partial<AnswerDraft>) => void;
  readonly shared: Pick<Parameters<typeof AnswerFields>[0], 'documented' | 'problems' | 'warnings'>;
}

/** The responses of a sequence, each with its own body; the last one repeats. */
function Steps({ draft: { sequence, answer }, change, changeStep, shared }: StepsProps) {
  const move = (index: number, by: number) => {
    const moved = [...sequence];
    const [step] = moved.splice(index, 1);
    if (step) moved.splice(index + by, 0, step);
    change({ sequence: moved });
  };
  return h('div', { class: 'steps' }, [
    textFields(
      { ...shared, draft: answer, place: '', onChange: (part) => change({ answer: { ...answer, ...part } }) },
      [['delay', 'Delay of each step in ms', '200, or a range: 50-150']],
    ),
    h('ol', { class: 'step-list', 'aria-label': 'Steps' }, [
      sequence.map((step, index) =>
        h('li', { key: index, class: 'step' }, [
          h('div', { class: 'step-head' }, [
            h('strong', {}, `Step ${index + 1}${index === sequence.length - 1 ? ', then repeats' : ''}`),
            tick(`Normal response in step ${index + 1}`, step.isPass, (isPass) =>
              changeStep(index, { isPass }),
            ),
            button('Up', () => move(index, -1), {
              class: 'small',
              disabled: index === 0,
              'aria-label': `Move step ${index + 1} up`,
            }),
            button('Remove', () => change({ sequence: sequence.filter((_, at) => at !== index) }), {
              class: 'small danger',
              disabled: sequence.length === 1,
              'aria-label': `Remove step ${index + 1}`,
            }),
          ]),
          !step.isPass &&
            h(AnswerFields, {
              ...shared,
              place: `sequence.${index}.`,
              label: ` of step ${index + 1}`,
              draft: step,
              onChange: (part) => changeStep(index, part),
            }),
        ]),
      ),
    ]),
    button('Add step', () => change({ sequence: [...sequence, { ...EMPTY_ANSWER, status: '503' }] }), {
      class: 'small',
      icon: 'add',
    }),
  ]);
}

function previewOf(draft: RuleDraft, operations: Parameters<typeof requestsOf>[1]): string {
  if (draftProblems(draft).length > 0) return 'The rule cannot be read yet.';
  const rule: RuleForm = ruleOf(draft);
  return `${requestsOf(rule, operations)} ${effectOf(rule)}`;
}

const OF_MATCH = /^(?:operation|tag|match(?:\..*)?|times)$/;
const OF_ANSWER = /^(?:status|example|delay|drop|truncate|body|template|headers(?:\..*)?)$/;

/** Whether a field shows the problem. */
function isPlaced(where: string, effect: RuleDraft['effect']): boolean {
  const [, rest = where] = /^sequence\.\d+\.(.*)$/.exec(where) ?? [];
  if (effect === 'sequence' && rest === where) return OF_MATCH.test(where) || where === 'delay';
  return OF_MATCH.test(where) || (effect !== 'source' && OF_ANSWER.test(rest));
}

/** What the mock says of the draft, a moment after the last key. */
function useJudged(draft: RuleDraft): Judged {
  const [judged, setJudged] = useState(NOTHING);
  useEffect(() => {
    let isShown = true;
    const timer = setTimeout(() => {
      if (draftProblems(draft).length > 0) return setJudged(NOTHING);
      admin<Judged>('answers/check', { method: 'POST', body: ruleOf(draft) }).then(
        (found) => isShown && setJudged(found),
        () => {},
      );
    }, PAUSE);
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [draft]);
  return judged;
}
