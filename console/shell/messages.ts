import { type ComponentChildren, h, type TargetedEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { explainFailure } from './admin.ts';
import { button } from './controls.ts';
import { createValue, useValue } from './value.ts';

interface DialogProps {
  readonly title: string;
  /** Called for Escape, too. */
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
  readonly class?: string;
}

/** A modal dialog for as long as it is rendered; the browser keeps the focus inside. */
export function Dialog({ title, onClose, children, class: own = '' }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  // In the same task as the change of the page: the next key must not be lost.
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    // Gives the focus back, which a dialog that is only removed does not.
    return () => dialog?.close();
  }, []);
  // Comes once more after the dialog was closed by its removal.
  const closed = (event: TargetedEvent<HTMLDialogElement>) => event.currentTarget.isConnected && onClose();
  // Escape: at once, since `close` comes in a later task, where the page may show something else.
  // A file field cancels, too, and its event bubbles.
  const cancelled = (event: TargetedEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget) onClose();
  };
  return h(
    'dialog',
    {
      ref: box,
      class: `dialog ${own}`,
      'aria-labelledby': 'dialog-title',
      onCancel: cancelled,
      onClose: closed,
    },
    h('h2', { id: 'dialog-title' }, title),
    children,
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  /** What the button says that does it. */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is lost. */
export function Confirm({ title, text, action, onConfirm, onClose }: ConfirmProps) {
  return h(Dialog, { title, onClose, class: 'confirm' }, [
    h('p', {}, text),
    h('div', { class: 'dialog-actions' }, [
      button('Cancel', onClose),
      button(action, onConfirm, { class: 'danger' }),
    ]),
  ]);
}

interface Notice {
  readonly text: string;
  readonly isFailure: boolean;
}

const notice = createValue<Notice | undefined>(undefined);
let fading: number | undefined;

/** Milliseconds that a notice stays; a failure stays until the next one, or until it is dismissed. */
const STAY = 4000;

/** Says what was done, or why it was not. */
export function notify(text: string, isFailure = false): void {
  clearTimeout(fading);
  notice.set({ text, isFailure });
  if (!isFailure) fading = setTimeout(() => notice.set(undefined), STAY) as unknown as number;
}

export function NoticeArea() {
  const shown = useValue(notice);
  return h('div', { class: 'notices', role: 'status' }, [
    shown &&
      h('div', { class: shown.isFailure ? 'notice failure' : 'notice' }, [
        h('span', {}, shown.text),
        button('Dismiss', () => notice.set(undefined), { class: 'quiet small' }),
      ]),
  ]);
}

/** Says why something was not done. */
export function notifyFailure(error: unknown): void {
  notify(explainFailure(error), true);
}

/** Does what a person has asked for, and says that it was done, or why it was not. */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<void> {
  try {
    await work();
    if (done !== undefined) notify(done);
  } catch (error) {
    notifyFailure(error);
  }
}

/** Puts a text on the clipboard, and says so; `what` names it. */
export async function copyText(text: string, what: string): Promise<void> {
  const isCopied = await toClipboard(text);
  notify(isCopied ? `${what} was copied.` : 'The browser did not allow copying.', !isCopied);
}

async function toClipboard(text: string): Promise<boolean> {
  // Absent where the page comes over http from another machine.
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not allowed: the old way may be.
    }
  }
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}

/** Downloads a text as a file. */
export function saveFile(name: string, text: string, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
