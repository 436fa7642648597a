import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { admin, explainFailure } from '../shell/admin.ts';
import { onEvent, onOpen } from '../shell/connection.ts';
import { button } from '../shell/controls.ts';
import { notify, notifyFailure } from '../shell/messages.ts';

/** Latency and clock of the session. */
export function SessionSettings() {
  return h('div', { class: 'settings' }, h(LatencySlider, {}), h(ClockControl, {}));
}

interface Latency {
  /** Milliseconds, or a range such as `50-150`. */
  readonly latency: number | string;
}

/** Milliseconds. */
const MOST = 5000;
const STEP = 50;

/** Milliseconds after the last movement. */
const PAUSE = 150;

/** The delay of each response in the session. */
function LatencySlider() {
  const [{ latency } = { latency: 0 }, setLatency] = useSetting<Latency>('latency');
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  function move(next: number): void {
    setLatency({ latency: next });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      admin('latency', { method: 'PUT', body: { latency: next } }).catch(notifyFailure);
    }, PAUSE);
  }

  return h(
    'section',
    { class: 'card setting' },
    h('h3', {}, h('label', { for: 'latency' }, 'Latency')),
    h(
      'div',
      { class: 'slider' },
      h('input', {
        id: 'latency',
        type: 'range',
        min: 0,
        max: MOST,
        step: STEP,
        value: highest(latency),
        'aria-valuetext': `${latency} milliseconds`,
        onInput: (event) => move(Number(event.currentTarget.value)),
      }),
      h('output', { for: 'latency' }, `${latency} ms`),
    ),
    h('p', { class: 'soft' }, 'The delay of each response in this session.'),
  );
}

function highest(latency: number | string): number {
  return Number(String(latency).split('-').at(-1));
}

interface Clock {
  /** RFC 3339, UTC. */
  readonly now: string;
  /** Whether the session has a clock of its own. */
  readonly given: boolean;
}

/** The clock of the session: operations are gone from their day of removal on. */
function ClockControl() {
  const [clock, setClock] = useSetting<Clock>('clock');
  const [date, setDate] = useState('');
  const [problem, setProblem] = useState('');

  async function put(now: string | null): Promise<void> {
    try {
      setClock(await admin<Clock>('clock', { method: 'PUT', body: { now } }));
      setProblem('');
      notify(now === null ? 'The session uses real time.' : `The clock of the session is set to ${now}.`);
    } catch (error) {
      setProblem(explainFailure(error));
    }
  }

  const submit = (event: Event) => {
    event.preventDefault();
    put(date.trim());
  };

  return h(
    'section',
    { class: 'card setting' },
    h('h3', {}, 'Clock'),
    h(
      'p',
      {},
      clock?.given
        ? `Set to ${shown(clock.now)} UTC, as of the last update.`
        : 'Real time. No operation is removed.',
    ),
    h(
      'form',
      { class: 'toolbar', onSubmit: submit },
      h('label', { for: 'clock', class: 'visually-hidden' }, 'Date, UTC'),
      h('input', {
        id: 'clock',
        placeholder: '2030-12-06 or 2030-12-06T12:00:00Z',
        value: date,
        'aria-invalid': problem !== '',
        'aria-describedby': 'clock-problem',
        onInput: (event) => setDate(event.currentTarget.value),
      }),
      h('button', { class: 'button', type: 'submit' }, 'Set'),
      button('Real time', () => put(null), { disabled: !clock?.given }),
    ),
    h('p', { id: 'clock-problem', class: 'problem', role: 'alert' }, problem),
  );
}

function shown(now: string): string {
  return now.slice(0, 19).replace('T', ' ');
}

/** A setting of the session as it is now, whoever sets it; undefined until it is known. */
function useSetting<Setting>(name: 'latency' | 'clock') {
  const [setting, set] = useState<Setting | undefined>(undefined);
  useEffect(() => {
    const load = () => admin<Setting>(name).then(set, () => {});
    const stops = [
      onEvent(name, (data) => set(JSON.parse(data) as Setting)),
      onEvent('reset', load),
      onOpen(load),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [name]);
  return [setting, set] as const;
}
