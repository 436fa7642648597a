import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { admin, explainFailure } from '../shell/admin.ts';
import { onEvent, onOpen } from '../shell/connection.ts';
import { notify } from '../shell/notice.ts';

interface Latency {
  /** Milliseconds, or a range such as `50-150`. */
  readonly latency: number | string;
}

/** Milliseconds. */
const MOST = 5000;
const STEP = 50;

/** Milliseconds after the last movement. */
const PAUSE = 150;

/** How long each answer of the session waits. */
export function LatencySlider() {
  const [latency, setLatency] = useState<number | string>(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    const load = () =>
      admin<Latency>('latency').then(
        (found) => setLatency(found.latency),
        () => {},
      );
    const stops = [
      onEvent('latency', (data) => setLatency((JSON.parse(data) as Latency).latency)),
      onEvent('reset', load),
      onOpen(load),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);

  function move(next: number): void {
    setLatency(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      admin('latency', { method: 'PUT', body: { latency: next } }).catch((error) =>
        notify(explainFailure(error), true),
      );
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
    h('p', { class: 'soft' }, 'How long each answer of this session waits.'),
  );
}

function highest(latency: number | string): number {
  return Number(String(latency).split('-').at(-1));
}
