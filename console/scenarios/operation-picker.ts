import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { OperationView } from '../wire.ts';

interface OperationPickerProps {
  /** Empty: every operation. */
  readonly value: string;
  readonly operations: readonly OperationView[];
  readonly onChoose: (id: string) => void;
}

const nameOf = ({ method, path }: OperationView) => `${method} ${path}`;

/** An operation by method and path, or by its operationId. */
export function OperationPicker({ value, operations, onChoose }: OperationPickerProps) {
  const [text, setText] = useState<string | undefined>(undefined);
  const chosen = operations.find(({ id }) => id === value);

  function type(entered: string): void {
    setText(entered);
    const wanted = entered.trim().toLowerCase();
    const found = operations.find((one) =>
      [nameOf(one), one.id].some((name) => name.toLowerCase() === wanted),
    );
    if (found || wanted === '') onChoose(found?.id ?? '');
  }

  return h('div', { class: 'field' }, [
    h('label', { for: 'rule-operation' }, 'Operation'),
    h('input', {
      ...{
        id: 'rule-operation',
        list: 'rule-operations',
        autocomplete: 'off',
        placeholder: 'Every operation',
      },
      value: text ?? (chosen ? nameOf(chosen) : ''),
      onInput: (event) => type(event.currentTarget.value),
      onBlur: () => setText(undefined),
    }),
    h('datalist', { id: 'rule-operations' }, [
      operations.map((one) => h('option', { key: one.id, value: nameOf(one) }, one.summary ?? one.id)),
    ]),
  ]);
}
