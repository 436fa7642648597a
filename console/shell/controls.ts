import {
  type ComponentChild,
  type ComponentChildren,
  h,
  type InputHTMLAttributes,
  type TargetedEvent,
  type TargetedKeyboardEvent,
} from 'preact';
import { type IconName, icon } from './labels.ts';

interface ButtonOptions {
  /** Further classes: `primary`, `framed`, `danger`, `small`. */
  readonly class?: string;
  readonly icon?: IconName;
  readonly disabled?: boolean;
  readonly title?: string;
  readonly 'aria-label'?: string;
  readonly 'aria-pressed'?: boolean;
}

/** A button that submits no form. */
export function button(
  text: string,
  onClick: () => void,
  { class: kind = '', icon: name, ...more }: ButtonOptions = {},
) {
  return h('button', { class: `button ${kind}`, type: 'button', onClick: () => onClick(), ...more }, [
    name && icon(name),
    text,
  ]);
}

/** A button with only an icon. */
export function iconButton(name: IconName, label: string, onClick: () => void, more: ButtonOptions = {}) {
  const kind = `icon-button ${more.class ?? ''}`;
  return button('', onClick, { 'aria-label': label, title: label, ...more, class: kind, icon: name });
}

/** Placeholder rows while a list loads. */
export function skeleton(rows = 8) {
  return h('div', { class: 'skeleton', role: 'status', 'aria-label': 'Loading' }, [
    Array.from({ length: rows }, (_, index) => h('span', { key: index })),
  ]);
}

export function pageHead(title: string, ...beside: ComponentChild[]) {
  return h('div', { class: 'page-head' }, h('h2', {}, title), beside);
}

/** Replaces an empty list. */
export function emptyCard(title: string, ...text: ComponentChild[]) {
  return h('div', { class: 'empty card' }, h('strong', {}, title), text.length > 0 && h('span', {}, text));
}

/** Collapsible content below a title. */
export function disclosure(title: string, kind: string, isOpen: boolean, ...children: ComponentChildren[]) {
  return h('details', { class: kind, open: isOpen }, h('summary', {}, title), children);
}

/** A table in a box that also scrolls by keyboard. */
export function table(label: string, headings: ComponentChildren, rows: ComponentChildren, kind = 'card') {
  return h('div', { class: `${kind} table-box`, tabIndex: 0, role: 'region', 'aria-label': label }, [
    h('table', {}, h('thead', {}, h('tr', {}, headings)), h('tbody', {}, rows)),
  ]);
}

export function columnHeading(title: string, kind = '') {
  return h('th', { key: title, scope: 'col', class: kind }, title);
}

/** A select; options whose value equals their text may be just the text. */
export function choice(
  value: string,
  options: readonly (string | readonly [value: string, text: string])[],
  onChoose: (value: string) => void,
  more: Readonly<Record<string, unknown>>,
) {
  return h(
    'select',
    {
      ...more,
      value,
      onChange: (event: TargetedEvent<HTMLSelectElement>) => onChoose(event.currentTarget.value),
    },
    options.map((option) => {
      const [key, text] = typeof option === 'string' ? [option, option] : option;
      return h('option', { key, value: key }, text);
    }),
  );
}

interface Tab<Id extends string> {
  readonly id: Id;
  readonly title: string;
}

/**
 * ARIA tabs, selected with the arrow keys: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/
 * @param panel the id of the element with the content, which is labelled by {@link tabId}
 */
export function tabList<Id extends string>(
  tabs: readonly Tab<Id>[],
  chosen: Id,
  onChoose: (id: Id) => void,
  { label, panel }: { readonly label: string; readonly panel: string },
) {
  function move(event: TargetedKeyboardEvent<HTMLElement>): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex(({ id }) => id === chosen);
    const next = (at + step + tabs.length) % tabs.length;
    onChoose((tabs[next] as Tab<Id>).id);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  }

  return h('div', { class: 'tabs', role: 'tablist', 'aria-label': label, onKeyDown: move }, [
    tabs.map(({ id, title }) =>
      h(
        'button',
        {
          key: id,
          id: tabId(panel, id),
          type: 'button',
          role: 'tab',
          'aria-selected': id === chosen,
          'aria-controls': panel,
          tabIndex: id === chosen ? 0 : -1,
          onClick: () => onChoose(id),
        },
        title,
      ),
    ),
  ]);
}

export function tabId(panel: string, tab: string): string {
  return `${panel}-${tab}`;
}

/** A field that searches while the user types; `/` focuses it. */
export function searchField(
  label: string,
  value: string,
  onInput: (text: string) => void,
  placeholder = label,
) {
  return textInput(value, onInput, { type: 'search', 'aria-label': label, placeholder });
}

/** A text field. */
export function textInput(value: string, onInput: (text: string) => void, more: InputHTMLAttributes) {
  return h('input', {
    ...more,
    value,
    onInput: (event: TargetedEvent<HTMLInputElement>) => onInput(event.currentTarget.value),
  });
}
