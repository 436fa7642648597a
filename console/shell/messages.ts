import { type ComponentChildren, h, type TargetedEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { explainFailure } from './admin.ts';
import { button } from './controls.ts';
import { createValue, useValue } from './value.ts';

interface DialogProps {
  readonly title: string;
  /** Also called for Escape. */
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
  readonly class?: string;
  /** Whether there are unsaved changes: Escape asks first. */
  readonly isChanged?: boolean;
  /** Whether the page beside it stays usable. */
  readonly isBeside?: boolean;
}

/** A dialog that is open while rendered; the browser keeps the focus inside, unless the page stays usable. */
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
  // In the same task as the rendering, so that no key is lost.
  useLayoutEffect(() => {
    const dialog = box.current;
    if (isBeside) dialog?.show();
    else dialog?.showModal();
    // Restores the focus, which removing the dialog alone does not.
    return () => dialog?.close();
  }, []);
  // Also fires after the dialog was closed by its removal.
  const closed = (event: TargetedEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget && event.currentTarget.isConnected) onClose();
  };
  // Handles Escape at once, since `close` fires in a later task, when the page may show something else. A file field's
  // `cancel` event bubbles, and is ignored.
  const cancelled = (event: TargetedEvent<HTMLDialogElement>) => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    leave();
  };
  const press = (event: KeyboardEvent) => {
    if (!isBeside || isLeaving || event.key !== 'Escape') return;
    // Otherwise it would also close the confirmation that it opens.
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

/** Closes its dialog, as Escape does. */
export function cancelButton() {
  const leave = (event: TargetedEvent<HTMLElement>) =>
    event.currentTarget.closest('dialog')?.dispatchEvent(new Event('cancel', { cancelable: true }));
  return h('button', { class: 'button', type: 'button', onClick: leave }, 'Cancel');
}

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  /** The label of the confirming button. */
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

/** Undoes an action. */
type Undo = () => Promise<unknown>;

interface Notice {
  readonly text: string;
  readonly isFailure: boolean;
  readonly undo?: Undo | undefined;
}

const notice = createValue<Notice | undefined>(undefined);
let fading: number | undefined;

/** How long a notice stays, in milliseconds; a failure stays until the next notice, or until it is dismissed. */
const STAY = 4000;
/** How long a notice with an undo button stays. */
const STAY_FOR_UNDO = 15_000;

/** Shows the result of an action, or why it failed. */
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

/** Shows why something failed. */
export function notifyFailure(error: unknown): void {
  notify(explainFailure(error), true);
}

/** Runs an action of the user, and shows that it is done or why it failed. */
export async function attempt(work: () => Promise<unknown>, done?: string, undo?: Undo): Promise<void> {
  try {
    await work();
    if (done !== undefined) notify(done, false, undo);
  } catch (error) {
    notifyFailure(error);
  }
}

/** Copies a text to the clipboard, and shows that; `what` names it. */
export async function copyText(text: string, what: string): Promise<void> {
  const isCopied = await toClipboard(text);
  notify(isCopied ? `${what} was copied.` : 'The browser did not allow copying.', !isCopied);
}

async function toClipboard(text: string): Promise<boolean> {
  // Absent for pages over http from another machine.
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not allowed: the fallback may be.
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
