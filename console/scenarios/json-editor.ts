import { h, type TargetedEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { readPlaces, slipText } from '../form/json-place.ts';
import { button } from '../shell/controls.ts';
import { parseJson, stringifyJson } from '../shell/exact-json.ts';

/** A violation of the document by a body. */
export interface BodyWarning {
  /** A JSON Pointer into it. Undefined: the warning concerns no value within it. */
  readonly pointer?: string;
  readonly message: string;
  readonly at?: string | undefined;
}

interface JsonEditorProps {
  readonly id: string;
  readonly label: string;
  /** Undefined: there is none. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Called when the text becomes invalid JSON, and when it is valid again. */
  readonly onBroken: (isBroken: boolean) => void;
  readonly warnings?: readonly BodyWarning[];
  /** Why the mock refuses the value. */
  readonly problem?: string;
  readonly rows?: number;
}

/** The most warnings to show, since a rule for every operation may have many. */
const MOST_SHOWN = 4;

const laidOut = (value: unknown) => (value === undefined ? '' : stringifyJson(value, 2));

/** An editor for JSON with line numbers, which shows syntax errors at their line. */
export function JsonEditor(props: JsonEditorProps) {
  const { id, label, value, onChange, onBroken, warnings = [], problem = '', rows = 8 } = props;
  const gutter = useRef<HTMLOListElement>(null);
  const [text, setText] = useState(() => laidOut(value));
  const lastValue = useRef(value);
  useLayoutEffect(() => {
    if (lastValue.current === value) return;
    lastValue.current = value;
    setText(laidOut(value));
  }, [value]);
  const read = readPlaces(text);
  const error = text.trim() !== '' && 'error' in read ? read.error : undefined;
  const isBroken = error !== undefined;
  useLayoutEffect(() => {
    onBroken(isBroken);
    return () => onBroken(false);
  }, [isBroken]);

  function type(entered: string): void {
    setText(entered);
    if (entered.trim() !== '' && 'error' in readPlaces(entered)) return;
    lastValue.current = entered.trim() === '' ? undefined : parseJson(entered);
    onChange(lastValue.current);
  }

  const placed = warnings.map((warning) => ({
    ...warning,
    place: 'placeOf' in read ? read.placeOf(warning.pointer ?? '') : undefined,
  }));
  const list = placed.slice(0, MOST_SHOWN);
  const marked = new Map<number, string>(placed.map(({ place }) => [place?.line ?? 0, 'warned']));
  if (error) marked.set(error.line, 'failed');
  const lines = text.split('\n').length;
  return h('div', { class: 'field json-field' }, [
    h('label', { for: id }, label),
    h('div', { class: 'json-editor' }, [
      h('ol', { ref: gutter, class: 'json-gutter', 'aria-hidden': 'true' }, [
        Array.from({ length: lines }, (_, index) =>
          h('li', { key: index, class: marked.get(index + 1) }, String(index + 1)),
        ),
      ]),
      h('textarea', {
        id,
        value: text,
        rows: Math.min(Math.max(lines + 1, 4), rows),
        wrap: 'off',
        spellcheck: false,
        autocomplete: 'off',
        'aria-invalid': isBroken || problem !== '',
        'aria-describedby': `${id}-says`,
        onInput: (event: TargetedEvent<HTMLTextAreaElement>) => type(event.currentTarget.value),
        onScroll: (event: TargetedEvent<HTMLTextAreaElement>) => {
          if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
        },
      }),
    ]),
    h('div', { id: `${id}-says`, class: 'json-says', 'aria-live': 'polite' }, [
      error && h('p', { class: 'problem' }, slipText(text)),
      problem !== '' && !error && h('p', { class: 'problem' }, problem),
      list.map(({ pointer, message, at, place }) =>
        h('p', { key: `${pointer} ${message}`, class: 'warning' }, [
          place && pointer !== undefined && `Line ${place.line}: `,
          h('code', {}, pointer || 'the body'),
          ` ${message}`,
          at && h('span', { class: 'soft' }, ` · ${at}`),
        ]),
      ),
      placed.length > list.length && h('p', { class: 'warning' }, `and ${placed.length - list.length} more`),
    ]),
    !error &&
      text.trim() !== '' &&
      lines < 2 &&
      text.length > 40 &&
      button('Format', () => setText(laidOut(value)), { class: 'small', 'aria-label': `Format ${label}` }),
  ]);
}
