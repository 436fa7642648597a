import { h } from 'preact';
import { admin } from '../shell/admin.ts';
import { choice, columnHeading, table } from '../shell/controls.ts';
import type { ActiveRule, Source } from '../shell/rule.ts';
import { changeRules } from '../shell/session-state.ts';
import type { OperationView } from '../wire.ts';
import { SOURCE_TEXTS } from './rule-sentence.ts';

interface SwitchesProps {
  /** Of the real service. */
  readonly url: string;
  readonly operations: readonly OperationView[];
  /** In the order in which they are asked. */
  readonly rules: readonly ActiveRule[];
}

/** Who responds to each operation: a switch is a rule for all requests of the operation. */
export function SourceSwitches({ url, operations, rules }: SwitchesProps) {
  const turn = (id: string, source: string) =>
    changeRules(async () => {
      for (const rule of rules.filter((one) => isSwitch(one, id)))
        await admin(`rules/${rule.id}`, { method: 'DELETE' });
      if (source !== '') await admin('rules', { method: 'POST', body: { operation: id, source } });
    });

  return h('section', { class: 'card setting sources' }, [
    h('h3', {}, 'Sources'),
    h('p', { class: 'soft' }, 'Who responds to an operation: ', h('code', {}, url), ' or the mock.'),
    table(
      'Sources of the operations',
      ['Operation', 'Source'].map((title) => columnHeading(title)),
      operations.map(({ id, method, path, source: usual = 'auto' }) =>
        h('tr', { key: id }, [
          h('td', {}, h('strong', {}, id), ' ', h('span', { class: 'soft' }, `${method} ${path}`)),
          h('td', {}, [
            choice(
              rules.find((rule) => isSwitch(rule, id))?.source ?? '',
              [
                ['', `as configured: ${usual}`],
                ...(Object.keys(SOURCE_TEXTS) as Source[]).map(
                  (source) => [source, `${source}: ${SOURCE_TEXTS[source]}`] as const,
                ),
              ],
              (source) => turn(id, source),
              { 'aria-label': `Source of ${id}` },
            ),
          ]),
        ]),
      ),
      '',
    ),
  ]);
}

function isSwitch({ operation, tag, match, times, source }: ActiveRule, id: string): boolean {
  return source !== undefined && operation === id && tag === undefined && !match && times === undefined;
}
