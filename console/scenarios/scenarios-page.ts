import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { admin } from '../shell/admin.ts';
import type { PageProps } from '../shell/app.ts';
import { contract } from '../shell/contract.ts';
import { button, pageHead } from '../shell/controls.ts';
import { useKeys } from '../shell/keys.ts';
import { notify, notifyFailure } from '../shell/messages.ts';
import { goTo } from '../shell/place.ts';
import { formOf } from '../shell/rule.ts';
import { loadSession, removeRules, sessionState } from '../shell/session-state.ts';
import { useValue } from '../shell/value.ts';
import type { LoggedRequest } from '../wire.ts';
import { Effects } from './effects.ts';
import { NamedScenarios } from './named-scenarios.ts';
import { ruleLike } from './rule-draft.ts';
import { RuleEditor } from './rule-editor.ts';
import { RuleList } from './rule-list.ts';
import { SessionSettings, SourceSwitches } from './session-settings.ts';

/**
 * The rules of the session with an editor, named scenarios, latency and clock. `#/scenarios/7` edits rule 7,
 * `#/scenarios/new` creates one, `#/scenarios/new?from=12` for requests like request 12.
 */
export function ScenariosPage({ steps: [action = ''] }: PageProps) {
  const rules = useValue(sessionState.rules);
  const served = useValue(contract);
  // The clock runs, and another mock may have changed shared settings.
  useEffect(() => void loadSession(), []);
  useKeys('Scenarios', { n: ['New rule', () => goTo(['scenarios', 'new'])] });
  const [name, search] = action.split('?');
  const number = new URLSearchParams(search).get('from') ?? undefined;
  const request = useRequest(name === 'new' ? number : undefined);
  // Until the next request is loaded, the value is that of another address.
  const seen = String(request?.number) === number ? request : undefined;
  const edited = rules?.find(({ id }) => String(id) === name);
  const isNew = name === 'new' && served !== undefined && (number === undefined || seen !== undefined);
  const close = () => goTo(['scenarios'], true);

  const removeAll = () => removeRules(rules ?? [], 'All rules were removed.');

  return h('div', { class: 'stack' }, [
    pageHead(
      'Scenarios',
      h('div', { class: 'toolbar' }, [
        button('Remove all', removeAll, { class: 'danger', disabled: !rules?.length }),
        button('New rule', () => goTo(['scenarios', 'new']), { class: 'primary', icon: 'add' }),
      ]),
    ),
    h('div', { class: isNew || edited ? 'scenario-columns editing' : 'scenario-columns' }, [
      h('div', { class: 'stack' }, [
        h(Effects, { title: 'By one click' }),
        h('p', { class: 'soft precedence' }, [
          'The newest rule wins: of two that match a request, the upper one answers. Move a rule to change that.',
        ]),
        h(RuleList, { current: edited?.id }),
        h(NamedScenarios, {}),
        h(SessionSettings, {}),
        served?.upstream !== undefined &&
          h(SourceSwitches, { url: served.upstream, operations: served.operations, rules: rules ?? [] }),
      ]),
      isNew &&
        h(RuleEditor, {
          key: `new ${number ?? ''}`,
          first: ruleLike(seen, served),
          id: undefined,
          onClose: close,
        }),
      edited &&
        h(RuleEditor, {
          key: String(edited.id),
          first: formOf(edited),
          id: edited.id,
          onClose: close,
        }),
    ]),
  ]);
}

/** A request of the log. Undefined: there is none, or it is not loaded yet. */
function useRequest(number: string | undefined): LoggedRequest | undefined {
  const [request, setRequest] = useState<LoggedRequest | undefined>(undefined);
  useEffect(() => {
    let isShown = true;
    setRequest(undefined);
    if (number === undefined) return;
    admin<readonly LoggedRequest[]>('requests').then((all) => {
      if (!isShown) return;
      const one = all.find((entry) => String(entry.number) === number);
      if (one) return setRequest(one);
      notify(`The log has no request ${number} any more.`, true);
      goTo(['scenarios', 'new'], true);
    }, notifyFailure);
    return () => {
      isShown = false;
    };
  }, [number]);
  return request;
}
