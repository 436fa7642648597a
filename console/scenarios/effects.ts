import { h } from 'preact';
import { useState } from 'preact/hooks';
import { requestLog } from '../requests/request-log.ts';
import { access } from '../shell/access.ts';
import { admin, explainFailure } from '../shell/admin.ts';
import { contract } from '../shell/contract.ts';
import { button, choice } from '../shell/controls.ts';
import { changeRules, deleteRules, loadRules, sessionState } from '../shell/session-state.ts';
import { useAsked, useValue } from '../shell/value.ts';
import type { DocumentedAnswer, RuleForm, RuleView } from '../wire.ts';
import { type Effect, isEffectOn, isOffline, OFFLINE, ruleFor, SLOW, usualOperation } from './quick-rules.ts';

/** Faults by one click, for a chosen operation and for all requests. */
export function Effects({ title }: { readonly title: string }) {
  const operations = useValue(contract)?.operations ?? [];
  const seen = useValue(requestLog);
  const [target, setTarget] = useState<string | undefined>(undefined);
  const operation = target ?? usualOperation(seen, operations) ?? '';
  const all = operations.map(({ id, method, path }) => [id, `${method} ${path}`] as const);
  return h('section', { class: 'card setting', 'aria-labelledby': 'effects-title' }, [
    h('h3', { id: 'effects-title' }, title),
    h('div', { class: 'effects' }, [
      choice(operation, [['', 'All operations'], ...all], setTarget, { 'aria-label': 'Requests to' }),
      h(EffectButtons, { operation }),
    ]),
  ]);
}

const STATUSES = [400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504];

interface EffectButtonsProps {
  /** An operationId; empty: every operation. */
  readonly operation: string;
}

/** Buttons for an operation's responses: the next, or all. */
export function EffectButtons({ operation }: EffectButtonsProps) {
  const [isOnce, setOnce] = useState(true);
  const [status, setStatus] = useState(503);
  const [problem, setProblem] = useState('');
  const empty = useDocumented(operation).find(({ isEmptyList }) => isEmptyList);
  const effects = useValue(sessionState.rules)?.filter((rule) => isEffectOn(rule, operation)) ?? [];
  const act = (text: string, work: () => Promise<void>, title: string, disabled = false) =>
    button(
      text,
      () =>
        work()
          .then(
            () => setProblem(''),
            (error) => setProblem(explainFailure(error)),
          )
          .then(loadRules),
      { class: 'framed', title, disabled },
    );
  const effect = (kind: Effect, text: string, title: string, disabled = false) =>
    act(text, () => addRule(ruleFor(kind, operation, isOnce, empty)), title, disabled);
  const which = [
    ['next', 'The next request'],
    ['every', 'Every request'],
  ] as const;
  return h('div', { class: 'effects', role: 'group', 'aria-label': 'Make responses' }, [
    choice(isOnce ? 'next' : 'every', which, (chosen) => setOnce(chosen === 'next'), {
      'aria-label': 'Which requests',
    }),
    h('span', { class: 'joined' }, [
      effect(
        status,
        `Answer ${status}`,
        'Responds with this status, and the documented body where there is one',
      ),
      choice(String(status), STATUSES.map(String), (chosen) => setStatus(Number(chosen)), {
        'aria-label': 'Forced status',
      }),
    ]),
    effect(
      'empty',
      'Empty list',
      empty ? 'The list of this operation, without records' : 'This operation has no list of records',
      !empty,
    ),
    effect('slow', `Slow (${SLOW / 1000} s)`, 'The normal response, late'),
    effect('drop', 'No response', 'The connection ends without a response, as without a network'),
    act(
      'None',
      () => deleteRules(effects),
      'The normal response: removes the rules for these requests that have no conditions',
      effects.length === 0,
    ),
    h('p', { class: 'problem', role: 'alert' }, problem),
  ]);
}

/** A switch that makes all requests fail, as without a network. */
export function OfflineSwitch() {
  const isOff = useValue(sessionState.rules)?.some(isOffline) ?? false;
  const turn = () => (isOff ? deleteRules(blocking()) : addRule(OFFLINE));
  return h('label', { class: 'check', title: 'Every request fails as if there were no network' }, [
    h('input', {
      type: 'checkbox',
      role: 'switch',
      class: 'switch',
      checked: isOff,
      onChange: () => changeRules(turn),
    }),
    'Off-line',
  ]);
}

const blocking = () => (sessionState.rules.get() ?? []).filter(isOffline);

async function addRule(form: RuleForm): Promise<void> {
  const isFleeting = form.drop === true && form.times === 1 && access().isShared;
  const { times: _, ...lasting } = form;
  const added = await admin<RuleView>('answers', { method: 'POST', body: isFleeting ? lasting : form });
  if (isFleeting) removeOnceUsed(added);
  // A new rule takes precedence, but the one that makes all requests fail must stay first, so it is added again.
  const before = form === OFFLINE ? [] : blocking();
  if (before.length === 0) return;
  await admin('answers', { method: 'POST', body: OFFLINE });
  await deleteRules(before);
}

/**
 * In milliseconds. Browsers retry a request at once if a reused connection ends without a response (RFC 9112 §9.3.1): a
 * rule that closes one connection would go unnoticed.
 */
const REPEATED_WITHIN = 1000;

function removeOnceUsed(added: RuleView): void {
  const stop = sessionState.rules.subscribe(() => {
    const used = sessionState.rules.get()?.some(({ id, used: count }) => id === added.id && count > 0);
    if (!used) return;
    stop();
    setTimeout(() => changeRules(() => deleteRules([added])), REPEATED_WITHIN);
  });
}

const NOTHING: readonly DocumentedAnswer[] = [];

/** The documented responses of an operation; empty for every operation. */
export function useDocumented(operation: string): readonly DocumentedAnswer[] {
  // Reloaded for a changed document.
  const served = useValue(contract);
  const ask = async () =>
    operation === ''
      ? NOTHING
      : admin<readonly DocumentedAnswer[]>('answers/documented', { query: { operation } });
  return useAsked(NOTHING, ask, [operation, served]);
}
