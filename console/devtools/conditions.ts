import { h } from 'preact';
import { useState } from 'preact/hooks';
import { useValue } from '../shell/value.ts';
import type { Model } from './model.ts';
import { isOffline } from './quick-rules.ts';

/** Milliseconds at the right end of the slider; the mock takes more. */
const LONGEST = 5000;

/** What holds for all requests: whether the network is there, how slow it is, and which time the mock has. */
export function Conditions({ model }: { readonly model: Model }) {
  const isOff = useValue(model.rules).some(isOffline);
  return h('div', { class: 'conditions' }, [
    h(
      'button',
      {
        type: 'button',
        role: 'switch',
        class: 'switch',
        'aria-checked': isOff,
        title: 'Every request fails as if there were no network',
        onClick: () => model.setOffline(!isOff),
      },
      h('span', { class: 'knob', 'aria-hidden': true }),
      'Off-line',
    ),
    h(LatencySlider, { model }),
    h(Clock, { model }),
  ]);
}

function LatencySlider({ model }: { readonly model: Model }) {
  const latency = useValue(model.latency);
  // While it is dragged only the panel knows.
  const [dragged, setDragged] = useState<number | undefined>(undefined);
  const longest = Number(String(latency).split('-').at(-1));
  const shown = dragged ?? longest;
  return h('label', { class: 'latency' }, [
    'Latency',
    h('input', {
      type: 'range',
      min: 0,
      max: LONGEST,
      step: 50,
      value: shown,
      onInput: (event) => setDragged(event.currentTarget.valueAsNumber),
      onChange: async (event) => {
        await model.setLatency(event.currentTarget.valueAsNumber);
        setDragged(undefined);
      },
    }),
    h('output', {}, `${dragged ?? latency} ms`),
  ]);
}

function Clock({ model }: { readonly model: Model }) {
  const clock = useValue(model.clock);
  return h('span', { class: 'clock' }, [
    h('label', {}, [
      'Clock (UTC) ',
      h('input', {
        type: 'datetime-local',
        value: clock?.slice(0, 16) ?? '',
        // An empty field is the real time.
        onChange: (event) => {
          const { value } = event.currentTarget;
          model.setClock(value === '' ? null : `${value}:00Z`);
        },
      }),
    ]),
    clock !== undefined &&
      h('button', { type: 'button', class: 'quiet', onClick: () => model.setClock(null) }, 'Real time'),
  ]);
}
