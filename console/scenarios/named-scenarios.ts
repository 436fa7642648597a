import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { admin, adminText, explainFailure } from '../shell/admin.ts';
import { onEvent, onOpen, refresh, together } from '../shell/connection.ts';
import { button, iconButton, textInput } from '../shell/controls.ts';
import { attempt, Confirm, notify, saveFile } from '../shell/messages.ts';
import { changeRules } from '../shell/session-state.ts';
import { createValue, useValue } from '../shell/value.ts';
import type { ScenarioView } from '../wire.ts';

const named = createValue<readonly ScenarioView[]>([]);

const load = () => refresh(named, admin<readonly ScenarioView[]>('answers/scenarios'));

/** Named sets of rules, latency and clock, each a seed file, between which the session can switch. */
export function NamedScenarios() {
  const scenarios = useValue(named);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const [leaving, setLeaving] = useState<string | undefined>(undefined);

  useEffect(() => {
    const events = ['scenarios', 'rule', 'rules', 'latency', 'reset', 'document'];
    return together(onEvent(events, load), onOpen(load));
  }, []);

  async function act(work: () => Promise<unknown>, done: string): Promise<void> {
    await changeRules(work, done);
    await load();
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    const scenarioName = name.trim();
    if (scenarioName === '') return setProblem('Enter a name.');
    try {
      await admin(addressOf(scenarioName), { method: 'PUT' });
      notify(`The scenario "${scenarioName}" was saved.`);
      setName('');
      setProblem('');
    } catch (error) {
      setProblem(explainFailure(error));
    }
    await load();
  }

  return h('section', { class: 'card setting scenarios', 'aria-labelledby': 'scenarios-title' }, [
    h('h3', { id: 'scenarios-title' }, 'Named scenarios'),
    h('p', { class: 'soft' }, [
      'Save this set-up and switch to it later: rules, latency and clock, in a seed file.',
    ]),
    scenarios.length > 0 &&
      h('ul', { class: 'scenario-list', 'aria-label': 'Named scenarios' }, [
        scenarios.map((scenario) =>
          h(ScenarioRow, { key: scenario.name, scenario, act, onRemove: () => setLeaving(scenario.name) }),
        ),
      ]),
    h('form', { class: 'toolbar', onSubmit: save }, [
      textInput(name, setName, {
        'aria-label': 'Name of the scenario',
        placeholder: 'payments are down',
        'aria-invalid': problem !== '',
        'aria-describedby': 'scenario-problem',
      }),
      h('button', { class: 'button framed', type: 'submit' }, 'Save current rules as'),
    ]),
    h('p', { id: 'scenario-problem', class: 'problem', role: 'alert' }, problem),
    leaving !== undefined &&
      h(Confirm, {
        title: 'Remove the scenario?',
        text: `"${leaving}" and its seed file are removed. The rules of the session stay.`,
        action: 'Remove',
        onConfirm: () => {
          setLeaving(undefined);
          act(() => admin(addressOf(leaving), { method: 'DELETE' }), 'The scenario was removed.');
        },
        onClose: () => setLeaving(undefined),
      }),
  ]);
}

const addressOf = (name: string) => `answers/scenarios/${encodeURIComponent(name)}`;

interface ScenarioRowProps {
  readonly scenario: ScenarioView;
  readonly act: (work: () => Promise<unknown>, done: string) => Promise<void>;
  readonly onRemove: () => void;
}

function ScenarioRow({ scenario, act, onRemove }: ScenarioRowProps) {
  const { name, rules, latency, now, hasRecords, isCurrent, problem } = scenario;
  const [renamed, setRenamed] = useState<string | undefined>(undefined);
  const parts = [
    rules === 1 ? '1 rule' : `${rules} rules`,
    ...(latency ? [`${latency} ms`] : []),
    ...(now === undefined ? [] : [now.slice(0, 10)]),
    ...(hasRecords ? ['records'] : []),
  ];

  function rename(event: Event): void {
    event.preventDefault();
    const to = (renamed ?? '').trim();
    setRenamed(undefined);
    if (to !== '' && to !== name)
      act(
        () => admin(addressOf(name), { method: 'PATCH', body: { name: to } }),
        `The scenario is called "${to}" now.`,
      );
  }

  const download = () =>
    attempt(async () => {
      const text = await adminText(addressOf(name));
      saveFile(`${name}.${text.trimStart().startsWith('{') ? 'json' : 'yaml'}`, text);
    });

  return h('li', { class: 'scenario' }, [
    renamed === undefined
      ? h('span', { class: 'scenario-name' }, [
          h('strong', {}, name),
          isCurrent && h('span', { class: 'chip signal' }, 'current'),
        ])
      : h('form', { class: 'toolbar', onSubmit: rename }, [
          textInput(renamed, setRenamed, { 'aria-label': `New name of ${name}` }),
          h('button', { class: 'button framed small', type: 'submit' }, 'Rename'),
        ]),
    h('span', { class: problem === undefined ? 'soft' : 'problem' }, problem ?? parts.join(' · ')),
    h('span', { class: 'rule-actions' }, [
      button(
        'Switch',
        () =>
          act(() => admin(addressOf(name), { method: 'POST' }), `The session has the scenario "${name}".`),
        {
          class: 'small framed',
          disabled: problem !== undefined,
          'aria-label': `Switch to ${name}`,
        },
      ),
      iconButton('edit', `Rename ${name}`, () => setRenamed(name), { class: 'small' }),
      iconButton('download', `Download the seed file of ${name}`, download, { class: 'small' }),
      iconButton('remove', `Remove ${name}`, onRemove, { class: 'small danger' }),
    ]),
  ]);
}
