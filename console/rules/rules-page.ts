import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import { requestLog } from '../requests/request-log.ts';
import { admin, explainFailure } from '../shell/admin.ts';
import { contract } from '../shell/contract.ts';
import { notify } from '../shell/notice.ts';
import type { PageProps } from '../shell/page.ts';
import { goTo } from '../shell/place.ts';
import { useValue } from '../shell/value.ts';
import { activeRules, followRules, loadRules } from './active-rules.ts';
import { ClockControl } from './clock-control.ts';
import { LatencySlider } from './latency-slider.ts';
import { draftFor } from './rule-draft.ts';
import { RuleForm } from './rule-form.ts';
import { RuleList } from './rule-list.ts';

/** The rules of the session, its latency and its clock. `#/rules/new/7` makes a rule from request 7. */
export function RulesPage({ steps: [action, number] }: PageProps) {
  const rules = useValue(activeRules);
  const served = useValue(contract);
  const seen = useValue(requestLog).find((request) => String(request.number) === number);
  useEffect(followRules, []);

  async function remove(id?: number): Promise<void> {
    try {
      await admin(id === undefined ? 'rules' : `rules/${id}`, { method: 'DELETE' });
      notify(id === undefined ? 'All rules were removed.' : 'The rule was removed.');
    } catch (error) {
      notify(explainFailure(error), true);
    }
    await loadRules();
  }

  return h(
    'div',
    { class: 'stack' },
    h(
      'div',
      { class: 'page-head' },
      h('h2', {}, 'Rules'),
      h(
        'div',
        { class: 'toolbar' },
        h(
          'button',
          { class: 'button', type: 'button', disabled: rules.length === 0, onClick: () => remove() },
          'Remove all',
        ),
        h(
          'button',
          { class: 'button primary', type: 'button', onClick: () => goTo(['rules', 'new']) },
          'Make a rule',
        ),
      ),
    ),
    h(RuleList, { rules, onRemove: remove }),
    h('div', { class: 'settings' }, h(LatencySlider, {}), h(ClockControl, {})),
    action === 'new' &&
      // A request of which the log knows nothing yet would leave the form empty.
      (number === undefined || (seen && served)) &&
      h(RuleForm, {
        first: draftFor(seen, served),
        key: number ?? '',
        onClose: () => goTo(['rules'], true),
      }),
  );
}
