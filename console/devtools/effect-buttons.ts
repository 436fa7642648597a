import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { choice } from '../shell/controls.ts';
import { useValue } from '../shell/value.ts';
import type { DocumentedAnswer } from '../wire.ts';
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
  const empty = useEmptyList(model, operation);

  function effect(kind: Effect, text: string, title: string, disabled = false) {
    const act = () => model.addRule(...rulesFor(kind, operation, isOnce, empty));
    return h('button', { type: 'button', title, disabled, onClick: act }, text);
  }

  return h('div', { class: 'effects', role: 'group', 'aria-label': 'Make responses' }, [
    choice(
      isOnce ? 'next' : 'every',
      [
        ['next', 'The next request'],
        ['every', 'Every request'],
      ],
      (chosen) => setOnce(chosen === 'next'),
      { 'aria-label': 'Which requests' },
    ),
    h('span', { class: 'joined' }, [
      effect(
        status,
        `Answer ${status}`,
        'Responds with this status, and the documented body where there is one',
      ),
      choice(String(status), STATUSES.map(String), (chosen) => setStatus(Number(chosen)), {
        'aria-label': 'Status',
      }),
    ]),
    effect(
      'empty',
      'Empty list',
      empty ? 'The list of this operation, without records' : 'This operation has no list of records',
      !empty,
    ),
    effect('slow', `Slow (${SLOW / 1000} s)`, 'The usual response, late'),
    effect('drop', 'No response', 'The connection ends without a response, as without a network'),
  ]);
}

/** What the operation responds with where it has no records; undefined: it has no list, or the mock has not yet answered. */
function useEmptyList(model: Model, operation: string): DocumentedAnswer | undefined {
  // A changed document may have another list.
  const served = useValue(model.contract);
  const [found, setFound] = useState<DocumentedAnswer | undefined>(undefined);
  useEffect(() => {
    let isShown = true;
    setFound(undefined);
    if (operation !== '')
      model.answersOf(operation).then(
        (answers) => isShown && setFound(answers.find(({ isEmptyList }) => isEmptyList)),
        // A mock of an older version has none.
        () => {},
      );
    return () => {
      isShown = false;
    };
  }, [model, operation, served]);
  return found;
}
