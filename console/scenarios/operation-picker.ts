import { h } from 'preact';
import { useState } from 'preact/hooks';
import { methodTag } from '../shell/labels.ts';
import type { OperationView } from '../wire.ts';

interface OperationPickerProps {
  /** Empty: every operation. */
  readonly value: string;
  readonly operations: readonly OperationView[];
  readonly onChoose: (id: string) => void;
}

/** More would be a list that nobody reads. */
const MOST_SHOWN = 50;

/** A combobox (ARIA practices): a text finds operations by id, method, path and summary. */
export function OperationPicker({ value, operations, onChoose }: OperationPickerProps) {
  const [text, setText] = useState<string | undefined>(undefined);
  const [at, setAt] = useState(0);
  const chosen = operations.find(({ id }) => id === value);
  const isOpen = text !== undefined;
  const words = (text ?? '').toLowerCase().split(/\s+/);
  const found = operations
    .filter(({ id, method, path, summary = '' }) => {
      const all = `${id} ${method} ${path} ${summary}`.toLowerCase();
      return words.every((word) => all.includes(word));
    })
    .slice(0, MOST_SHOWN);
  const options: readonly (OperationView | undefined)[] = [...(text ? [] : [undefined]), ...found];
  const current = Math.min(at, options.length - 1);

  const choose = (operation: OperationView | undefined) => {
    setText(undefined);
    onChoose(operation?.id ?? '');
  };
  const open = () => {
    setText('');
    setAt(Math.max(0, value === '' ? 0 : operations.findIndex(({ id }) => id === value) + 1));
  };

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!isOpen) open();
      else setAt((current + step + options.length) % options.length);
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      if (current >= 0) choose(options[current]);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      setText(undefined);
    }
  }

  return h('div', { class: 'field picker' }, [
    h('label', { for: 'rule-operation' }, 'Operation'),
    h('input', {
      id: 'rule-operation',
      role: 'combobox',
      autocomplete: 'off',
      spellcheck: false,
      placeholder: 'Search operations by name, path or summary',
      'aria-expanded': isOpen,
      'aria-controls': 'rule-operations',
      'aria-autocomplete': 'list',
      'aria-activedescendant': isOpen && current >= 0 ? `operation-${current}` : undefined,
      value: text ?? (chosen ? `${chosen.method} ${chosen.path}` : 'Every operation'),
      onFocus: open,
      onClick: () => !isOpen && open(),
      onBlur: () => setText(undefined),
      onInput: (event) => {
        setText(event.currentTarget.value);
        setAt(0);
      },
      onKeyDown: press,
    }),
    h(
      'ul',
      {
        id: 'rule-operations',
        role: 'listbox',
        'aria-label': 'Operations',
        hidden: !isOpen || options.length === 0,
      },
      isOpen &&
        options.map((operation, index) =>
          h(
            'li',
            {
              key: operation?.id ?? '',
              id: `operation-${index}`,
              role: 'option',
              class: index === current ? 'current' : undefined,
              'aria-selected': (operation?.id ?? '') === value,
              // Before the field loses the focus, which closes the list.
              onMouseDown: (event: MouseEvent) => {
                event.preventDefault();
                choose(operation);
              },
            },
            operation
              ? [
                  methodTag(operation.method),
                  h('code', {}, operation.path),
                  h('span', { class: 'soft' }, operation.summary ?? operation.id),
                ]
              : 'Every operation',
          ),
        ),
    ),
  ]);
}
