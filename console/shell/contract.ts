import { h, type TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ContractView, SourceLines } from '../wire.ts';
import { admin } from './admin.ts';
import { onEvent, onOpen, refresh } from './connection.ts';
import { createValue, useAsked } from './value.ts';

/** The served document; undefined until it is loaded. */
export const contract = createValue<ContractView | undefined>(undefined);

function load(): void {
  forgetSource();
  refresh(contract, admin<ContractView>('contract'));
}

onOpen(load);
onEvent('document', load);

const cache = new Map<string, Promise<SourceLines>>();

function linesAt(at: string): Promise<SourceLines> {
  const lines = cache.get(at) ?? admin<SourceLines>('source', { query: { at } });
  cache.set(at, lines);
  // Not cached: the document may have changed, or the mock be unreachable.
  lines.catch(() => cache.delete(at));
  return lines;
}

/** A changed document has other lines. */
function forgetSource(): void {
  cache.clear();
}

/** A line of the document with its neighbours; `at` is a place such as `spec/openapi.yaml:41`. */
export function SourceExcerpt({ at, isNamed = true }: { readonly at: string; readonly isNamed?: boolean }) {
  const lines = useAsked<SourceLines | undefined>(undefined, () => linesAt(at), [at]);
  return h('figure', { class: 'source' }, [
    isNamed && h('figcaption', {}, at),
    lines &&
      h('pre', { tabIndex: 0, 'aria-label': `The document around ${at}` }, [
        withoutMargin(lines.lines).map((text, index) => {
          const number = lines.first + index;
          const isMarked = number === lines.line;
          return h('span', { key: number, class: isMarked ? 'source-line marked' : 'source-line' }, [
            h('span', { class: 'source-number' }, String(number)),
            isMarked ? h('mark', {}, text || ' ') : text || ' ',
          ]);
        }),
      ]),
  ]);
}

/** Lines of the document, with their neighbours on demand. */
export function DocumentLines({ places }: { readonly places: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  const toggle = (event: TargetedEvent<HTMLDetailsElement>) => setOpen(event.currentTarget.open);
  return h('details', { class: 'document-line', onToggle: toggle }, [
    h('summary', {}, places.join(', ')),
    isOpen && places.map((at) => h(SourceExcerpt, { key: at, at, isNamed: false })),
  ]);
}

/** Removes the common indentation of lines. */
function withoutMargin(lines: readonly string[]): readonly string[] {
  const margins = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const margin = Math.min(...margins);
  return lines.map((line) => line.slice(margin));
}
