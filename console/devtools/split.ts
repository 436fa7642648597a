import { type ComponentChild, type ComponentChildren, h } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { icon } from '../shell/icons.ts';

interface SplitProps {
  readonly list: ComponentChildren;
  /** What was chosen from the list; `undefined`: nothing. */
  readonly detail: ComponentChildren;
  /** Another one, another detail. */
  readonly detailKey: string | number | undefined;
  readonly onClose: () => void;
}

/** A list with what was chosen from it: beside it, or in its place where there is no room. */
export function Split({ list, detail, detailKey, onClose }: SplitProps) {
  const box = useRef<HTMLDivElement>(null);
  const from = useRef<HTMLElement | undefined>(undefined);

  // Whoever uses keys goes on in what was opened, and comes back to where that was.
  useEffect(() => {
    if (detailKey !== undefined) {
      box.current?.querySelector<HTMLElement>('.detail')?.focus();
      return;
    }
    from.current?.focus();
    from.current = undefined;
  }, [detailKey]);

  return h(
    'div',
    {
      ref: box,
      class: detailKey === undefined ? 'split' : 'split has-detail',
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape' || detailKey === undefined) return;
        event.preventDefault();
        onClose();
      },
    },
    h(
      'div',
      {
        class: 'list-side',
        onClick: ({ target }: Event) => {
          from.current = (target as HTMLElement).closest('button') ?? undefined;
        },
      },
      list,
    ),
    detail,
  );
}

/** The head of a detail, with the way back. */
export function detailHead(onClose: () => void, ...children: ComponentChild[]) {
  return h('header', { class: 'bar' }, [
    h(
      'button',
      { type: 'button', class: 'icon-button', 'aria-label': 'Back to the list', onClick: onClose },
      icon('previous'),
    ),
    children,
  ]);
}
