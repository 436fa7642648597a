import { type ComponentChildren, h, type TargetedEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { explainFailure } from './admin.ts';
import { button } from './controls.ts';
import { createValue, useValue } from './value.ts';

interface DialogProps {
  readonly title: string;
  /** Called for Escape, too. */
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
  readonly class?: string;
  /** Whether something would be lost: Escape asks first. */
  readonly isChanged?: boolean;
  /** Whether the page beside it can be used. */
  readonly isBeside?: boolean;
}

/** A dialog for as long as it is rendered; the browser keeps the focus inside, unless it is beside the page. */
export function Dialog({
  title,
  onClose,
  children,
  class: className = '',
  isChanged = false,
  isBeside,
}: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const [isLeaving, setLeaving] = useState(false);
  const leave = () => (isChanged ? setLeaving(true) : onClose());
  // In the same task as the change of the page: the next key must not be lost.
  useLayoutEffect(() => {
    const dialog = box.current;
    if (isBeside) dialog?.show();
    else dialog?.showModal();
    // Gives the focus back, which a dialog that is only removed does not.
    return () => dialog?.close();
  }, []);
  // Comes once more after the dialog was closed by its removal.
  const closed = (event: TargetedEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget && event.currentTarget.isConnected) onClose();
  };
  // Escape: at once, since `close` comes in a later task, where the page may show something else.
  // A file field cancels, too, and its event bubbles.
  const cancelled = (event: TargetedEvent<HTMLDialogElement>) => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    leave();
  };
  const press = (event: KeyboardEvent) => {
    if (!isBeside || isLeaving || event.key !== 'Escape') return;
    // Else it would close what it opens.
    event.preventDefault();
    event.stopPropagation();
    leave();
  };
  return h(
    'dialog',
    {
      ref: box,
      class: `dialog ${className}`,
      'aria-label': title,
      onCancel: cancelled,
      onClose: closed,
      onKeyDown: press,
    },
    h('h2', {}, title),
    children,
    isLeaving &&
      h(Confirm, {
        title: 'Discard the changes?',
        text: 'What was entered is not saved.',
        action: 'Discard',
        onConfirm: onClose,
        onClose: () => setLeaving(false),
      }),
  );
}

/** Leaves the dialog in which it stands, as Escape does. */
export function cancelButton() {
  const leave = (event: TargetedEvent<HTMLElement>) =>
    event.currentTarget.closest('dialog')?.dispatchEvent(new Event('cancel', { cancelable: true }));
  return h('button', { class: 'button', type: 'button', onClick: leave }, 'Cancel');
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

/** Takes back what was done. */
type Undo = () => Promise<unknown>;

interface Notice {
  readonly text: string;
  readonly isFailure: boolean;
  readonly undo?: Undo | undefined;
}

const notice = createValue<Notice | undefined>(undefined);
let fading: number | undefined;

/** Milliseconds that a notice stays; a failure stays until the next one, or until it is dismissed. */
const STAY = 4000;
/** The same, where something can be taken back. */
const STAY_FOR_UNDO = 15_000;

/** Says what was done, or why it was not. */
export function notify(text: string, isFailure = false, undo?: Undo): void {
  clearTimeout(fading);
  notice.set({ text, isFailure, undo });
  const stay = undo ? STAY_FOR_UNDO : STAY;
  if (!isFailure) fading = setTimeout(() => notice.set(undefined), stay) as unknown as number;
}

export function NoticeArea() {
  const message = useValue(notice);
  return h('div', { class: 'notices', role: 'status' }, [
    message &&
      h('div', { class: message.isFailure ? 'notice failure' : 'notice' }, [
        h('span', {}, message.text),
        message.undo &&
          button('Undo', () => attempt(message.undo as Undo, 'Undone.'), { class: 'quiet small' }),
        button('Dismiss', () => notice.set(undefined), { class: 'quiet small' }),
      ]),
  ]);
}

/** Says why something was not done. */
export function notifyFailure(error: unknown): void {
  notify(explainFailure(error), true);
}

/** Does what a person has asked for, and says that it was done, or why it was not. */
export async function attempt(work: () => Promise<unknown>, done?: string, undo?: Undo): Promise<void> {
  try {
    await work();
    if (done !== undefined) notify(done, false, undo);
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

export function saveFile(name: string, text: string, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
