import { type ComponentChild, h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useListKeys } from './keys.ts';

interface VirtualListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** In pixels, the same for every row. */
  readonly rowHeight: number;
  readonly render: (item: Item) => ComponentChild;
  /** The key of the selected row, if any. */
  readonly selected: string | undefined;
  readonly onSelect: (item: Item) => void;
}

/** Rows beyond the visible ones, so that scrolling shows no gap. */
const BEYOND = 8;

/** A list that only renders visible rows. Arrow keys, j and k select; new rows on top do not move the visible ones. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { label, items, keyOf, rowHeight, render, selected, onSelect } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  /** The first visible row, and its scroll offset. */
  const anchor = useRef<{ key: string; offset: number } | undefined>(undefined);

  function look(): void {
    const { scrollTop = 0, clientHeight = 600 } = box.current ?? {};
    const item = items[Math.floor(scrollTop / rowHeight)];
    anchor.current = item && scrollTop > 0 ? { key: keyOf(item), offset: scrollTop % rowHeight } : undefined;
    setView({ top: scrollTop, height: clientHeight });
  }

  useLayoutEffect(() => {
    const { current: kept } = anchor;
    const index = kept ? items.findIndex((item) => keyOf(item) === kept.key) : -1;
    if (kept && index >= 0 && box.current) box.current.scrollTop = index * rowHeight + kept.offset;
  }, [items, rowHeight]);

  useEffect(() => {
    const watch = new ResizeObserver(look);
    watch.observe(box.current as HTMLDivElement);
    return () => watch.disconnect();
  });

  const first = Math.max(0, Math.floor(view.top / rowHeight) - BEYOND);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + BEYOND);
  const at = selected === undefined ? -1 : items.findIndex((item) => keyOf(item) === selected);

  function move(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: items.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moveTo(next);
  }

  function moveTo(next: number): void {
    const item = items[Math.min(Math.max(next, 0), items.length - 1)];
    if (item) onSelect(item);
  }

  // However it was selected: by a key, or by the page's address.
  useLayoutEffect(() => {
    if (at < 0 || !box.current) return;
    const { scrollTop, clientHeight } = box.current;
    const low = (at + 1) * rowHeight - clientHeight;
    box.current.scrollTop = Math.max(low, Math.min(scrollTop, at * rowHeight));
  }, [selected]);

  useListKeys(label, {
    onMove: (step) => moveTo(at + step),
    onOpen: () => moveTo(Math.max(at, 0)),
  });

  const idOf = (key: string) => `row-${key}`;
  return h(
    'div',
    {
      ref: box,
      class: 'virtual-list',
      role: 'listbox',
      tabIndex: 0,
      'aria-label': label,
      'aria-activedescendant': at >= first && at < last ? idOf(selected as string) : undefined,
      onScroll: look,
      onKeyDown: move,
    },
    h(
      'div',
      { class: 'virtual-rows', role: 'presentation', style: { height: `${items.length * rowHeight}px` } },
      items.slice(first, last).map((item, index) => {
        const key = keyOf(item);
        return h(
          'div',
          {
            key,
            id: idOf(key),
            class: 'virtual-row',
            role: 'option',
            'aria-selected': key === selected,
            'aria-setsize': items.length,
            'aria-posinset': first + index + 1,
            style: { height: `${rowHeight}px`, transform: `translateY(${(first + index) * rowHeight}px)` },
            onClick: () => onSelect(item),
          },
          render(item),
        );
      }),
    ),
  );
}
