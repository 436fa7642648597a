import { Fragment, h, type TargetedEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { button } from '../shell/controls.ts';
import type { IconName } from '../shell/icons.ts';
import { Dialog, notifyFailure } from '../shell/messages.ts';

/** What is wrong with a line of a file. */
export interface FileProblem {
  readonly line: number | string;
  readonly message: string;
}

interface FileButtonProps {
  readonly text: string;
  readonly title: string;
  readonly icon?: IconName;
  /** Endings of the files that may be chosen. */
  readonly accept: string;
  /** What the file is. */
  readonly label: string;
  /** Takes the file, or says what is wrong with it. */
  readonly read: (file: File) => Promise<readonly FileProblem[]>;
  /** What it means that something is wrong: a title, and a sentence. */
  readonly refusal: readonly [title: string, text: string];
}

/** How many problems of a refused file are listed. */
const MOST_SHOWN = 50;

/** Asks for a file, and lists what is wrong with it. */
export function FileButton({ text, title, icon, accept, label, read, refusal }: FileButtonProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [problems, setProblems] = useState<readonly FileProblem[]>([]);

  async function take(event: TargetedEvent<HTMLInputElement>): Promise<void> {
    const input = event.currentTarget;
    const file = input.files?.[0];
    if (!file) return;
    try {
      setProblems(await read(file));
    } catch (error) {
      notifyFailure(error);
    } finally {
      // The same file may be chosen again.
      input.value = '';
    }
  }

  const close = () => setProblems([]);
  const rest = problems.length - MOST_SHOWN;
  return h(Fragment, {}, [
    button(text, () => picker.current?.click(), { title, ...(icon && { icon }) }),
    h('input', { ref: picker, type: 'file', accept, hidden: true, 'aria-label': label, onChange: take }),
    problems.length > 0 &&
      h(Dialog, { title: refusal[0], onClose: close }, [
        h('p', {}, refusal[1]),
        h('ul', { class: 'problems listed' }, [
          problems
            .slice(0, MOST_SHOWN)
            .map(({ line, message }) =>
              h('li', { key: `${line} ${message}` }, h('code', {}, `line ${line}`), ' ', message),
            ),
          rest > 0 && h('li', {}, `and ${rest} more`),
        ]),
        h('div', { class: 'dialog-actions' }, button('Close', close, { class: 'primary' })),
      ]),
  ]);
}
