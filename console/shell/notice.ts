import { h } from 'preact';
import { createValue, useValue } from './value.ts';

interface Notice {
  readonly text: string;
  readonly isFailure: boolean;
}

const notice = createValue<Notice | undefined>(undefined);
let fading: number | undefined;

/** Milliseconds that a notice stays; a failure stays until the next one, or until it is dismissed. */
const STAY = 4000;

/** Tells what was done, or why it was not. */
export function notify(text: string, isFailure = false): void {
  clearTimeout(fading);
  notice.set({ text, isFailure });
  if (!isFailure) fading = setTimeout(() => notice.set(undefined), STAY) as unknown as number;
}

export function NoticeArea() {
  const shown = useValue(notice);
  return h(
    'div',
    { class: 'notices', role: 'status' },
    shown &&
      h(
        'div',
        { class: shown.isFailure ? 'notice failure' : 'notice' },
        h('span', {}, shown.text),
        h(
          'button',
          { class: 'button quiet small', type: 'button', onClick: () => notice.set(undefined) },
          'Dismiss',
        ),
      ),
  );
}
