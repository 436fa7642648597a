import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { admin, explainFailure } from '../shell/admin.ts';
import { onEvent, onOpen } from '../shell/connection.ts';
import { notify } from '../shell/notice.ts';

interface Clock {
  /** RFC 3339, UTC. */
  readonly now: string;
  /** Whether the session has a clock of its own. */
  readonly given: boolean;
}

/** The clock of the session: operations are gone from their day of removal on. */
export function ClockControl() {
  const [clock, setClock] = useState<Clock | undefined>(undefined);
  const [date, setDate] = useState('');
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const load = () => admin<Clock>('clock').then(setClock, () => {});
    const stops = [
      onEvent('clock', (data) => setClock(JSON.parse(data) as Clock)),
      onEvent('reset', load),
      onOpen(load),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);

  async function put(now: string | null): Promise<void> {
    try {
      setClock(await admin<Clock>('clock', { method: 'PUT', body: { now } }));
      setProblem('');
      notify(now === null ? 'The session follows real time.' : `The clock of the session is set to ${now}.`);
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
        ? `Set: it was ${shown(clock.now)} UTC when this was read.`
        : 'Real time; no operation is removed.',
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
      h(
        'button',
        { class: 'button', type: 'button', disabled: !clock?.given, onClick: () => put(null) },
        'Real time',
      ),
    ),
    h('p', { id: 'clock-problem', class: 'problem', role: 'alert' }, problem),
  );
}

function shown(now: string): string {
  return now.slice(0, 19).replace('T', ' ');
}
