import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { AdminError, admin, explainFailure } from '../shell/admin.ts';
import { button, choice, columnHeading, table, textInput } from '../shell/controls.ts';
import { notify, notifyFailure } from '../shell/messages.ts';
import { changeRules, deleteRules, sessionState } from '../shell/session-state.ts';
import { useValue } from '../shell/value.ts';
import type { ClockView, OperationView, RuleView, Source } from '../wire.ts';
import { SOURCE_TEXTS } from './rule-texts.ts';

/** Latency and clock of the session. */
export function SessionSettings() {
  return h('div', { class: 'settings' }, h(LatencySlider, {}), h(ClockControl, {}));
}

/** In milliseconds. */
const MOST = 5000;
const STEP = 50;

/** The delay of each response in the session. */
function LatencySlider() {
  const { latency } = useValue(sessionState.latency) ?? { latency: 0 };
  /** Sent one after the other, so that the last value wins. */
  const sent = useRef<Promise<unknown>>(Promise.resolve());
  const show = (next: number) => sessionState.latency.set({ latency: next });

  function keep(next: number): void {
    show(next);
    sent.current = sent.current
      .then(() => admin('latency', { method: 'PUT', body: { latency: next } }))
      .catch(notifyFailure);
  }

  return h('section', { class: 'card setting' }, [
    h('h3', {}, h('label', { for: 'latency' }, 'Latency')),
    h('div', { class: 'slider' }, [
      h('input', {
        id: 'latency',
        type: 'range',
        min: 0,
        max: MOST,
        step: STEP,
        value: highest(latency),
        'aria-valuetext': `${latency} milliseconds`,
        onInput: (event) => show(Number(event.currentTarget.value)),
        onChange: (event) => keep(Number(event.currentTarget.value)),
      }),
      h('output', { for: 'latency' }, `${latency} ms`),
    ]),
    h('p', { class: 'soft' }, 'The delay of each response in this session.'),
  ]);
}

function highest(latency: number | string): number {
  return Number(String(latency).split('-').at(-1));
}

/** The clock of the session: operations respond with 410 after their sunset date. */
function ClockControl() {
  const clock = useValue(sessionState.clock);
  const [date, setDate] = useState('');
  const [problem, setProblem] = useState('');

  /** Relative to the clock's current time. */
  async function advance(hours: number): Promise<void> {
    const { now } = await admin<ClockView>('clock');
    await put(new Date(Date.parse(now) + hours * 3_600_000).toISOString());
  }

  async function put(now: string | null): Promise<void> {
    try {
      await sessionState.clock.load(admin<ClockView>('clock', { method: 'PUT', body: { now } }));
      setProblem('');
      notify(now === null ? 'The session uses real time.' : `The clock of the session is set to ${now}.`);
    } catch (error) {
      const isNoDate = error instanceof AdminError && error.status === 400;
      setProblem(isNoDate ? 'Enter a date, such as 2030-12-06' : explainFailure(error));
    }
  }

  const submit = (event: Event) => {
    event.preventDefault();
    // The picked time is UTC.
    put(date === '' ? '' : `${date}Z`);
  };

  return h('section', { class: 'card setting' }, [
    h('h3', {}, 'Clock'),
    h('p', {}, [clock?.given ? `Set to ${formatTime(clock.now)} UTC, as of the last update.` : 'Real time']),
    h('form', { class: 'toolbar', onSubmit: submit }, [
      h('label', { for: 'clock', class: 'visually-hidden' }, 'Date, UTC'),
      textInput(date, setDate, {
        id: 'clock',
        type: 'datetime-local',
        step: 1,
        'aria-invalid': problem !== '',
        'aria-describedby': 'clock-problem',
      }),
      h('button', { class: 'button', type: 'submit' }, 'Set'),
      button('+1 h', () => advance(1).catch(notifyFailure)),
      button('+1 day', () => advance(24).catch(notifyFailure)),
      button('Real time', () => put(null), { disabled: !clock?.given }),
    ]),
    h('p', { id: 'clock-problem', class: 'problem', role: 'alert' }, problem),
  ]);
}

function formatTime(now: string): string {
  return now.slice(0, 19).replace('T', ' ');
}

interface SwitchesProps {
  /** The URL of the real service. */
  readonly url: string;
  readonly operations: readonly OperationView[];
  /** In the order of precedence. */
  readonly rules: readonly RuleView[];
}

/** Who responds to each operation: each switch is a rule for all of its requests. */
export function SourceSwitches({ url, operations, rules }: SwitchesProps) {
  const turn = (id: string, source: string) =>
    changeRules(async () => {
      await deleteRules(rules.filter((rule) => isSwitch(rule, id)));
      if (source !== '') await admin('answers', { method: 'POST', body: { operation: id, source } });
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

function isSwitch({ operation, tag, match, times, source }: RuleView, id: string): boolean {
  return source !== undefined && operation === id && tag === undefined && !match && times === undefined;
}
