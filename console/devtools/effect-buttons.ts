import { h } from 'preact';
import { useState } from 'preact/hooks';
import { choice } from '../shell/controls.ts';
import { useValue } from '../shell/value.ts';
import type { Model } from './model.ts';
import { type Effect, rulesFor, SLOW } from './quick-rules.ts';

interface EffectButtonsProps {
  readonly model: Model;
  /** An operationId; empty: every operation. */
  readonly operation: string;
}

const STATUSES = [400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504];

/** What the responses of an operation shall be, by one click: those of the next request, or of all. */
export function EffectButtons({ model, operation }: EffectButtonsProps) {
  const [isOnce, setOnce] = useState(true);
  const [status, setStatus] = useState(503);
  const seen = useValue(model.requests);
  const hasList = rulesFor('empty', operation, isOnce, seen) !== undefined;

  function effect(kind: Effect, text: string, title: string, disabled = false) {
    const act = () => model.addRule(...(rulesFor(kind, operation, isOnce, seen) ?? []));
    return h('button', { type: 'button', title, disabled, onClick: act }, text);
  }

  return h(
    'div',
    { class: 'effects', role: 'group', 'aria-label': 'Make responses' },
    choice(
      isOnce ? 'next' : 'every',
      [
        ['next', 'The next request'],
        ['every', 'Every request'],
      ],
      (chosen) => setOnce(chosen === 'next'),
      { 'aria-label': 'Which requests' },
    ),
    h(
      'span',
      { class: 'joined' },
      effect(
        status,
        `Answer ${status}`,
        'Responds with this status, and the documented body where there is one',
      ),
      choice(String(status), STATUSES.map(String), (chosen) => setStatus(Number(chosen)), {
        'aria-label': 'Status',
      }),
    ),
    effect(
      'empty',
      'Empty list',
      hasList
        ? 'The last list that was sent, without its items'
        : 'Possible once this operation has sent a list',
      !hasList,
    ),
    effect('slow', `Slow (${SLOW / 1000} s)`, 'The usual response, late'),
    effect('drop', 'No response', 'The connection ends without a response, as without a network'),
  );
}
