import { h, type TargetedPointerEvent } from 'preact';

/** The panel's layout, which the browser stores for the page's origin. */
export interface Layout {
  readonly isOpen: boolean;
  readonly side: 'bottom' | 'right';
  /** Its height or width, in CSS pixels. */
  readonly size: number;
  readonly tab: 'requests' | 'scenarios' | 'records';
}

/** In CSS pixels. */
const SMALLEST = 180;

const FIRST: Layout = { isOpen: false, side: 'bottom', size: 360, tab: 'requests' };

const KEY = 'paddock-devtools';

/** Without storage, or with data of another version, the panel has its default layout. */
export function readLayout(): Layout {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Layout>;
    const size = Number(kept.size);
    return {
      isOpen: kept.isOpen === true,
      side: kept.side === 'right' ? 'right' : 'bottom',
      size: size >= SMALLEST ? size : FIRST.size,
      tab: kept.tab === 'scenarios' || kept.tab === 'records' ? kept.tab : FIRST.tab,
    };
  } catch {
    return FIRST;
  }
}

export function writeLayout(layout: Layout): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(layout));
  } catch {
    // Without storage, the layout is not kept.
  }
}

interface SeparatorProps extends Pick<Layout, 'side' | 'size'> {
  readonly onSize: (size: number) => void;
}

/** In CSS pixels, per key press. */
const STEP = 24;

/** The edge of the panel, moved by pointer or arrow keys. */
export function Separator({ side, size, onSize }: SeparatorProps) {
  const isBottom = side === 'bottom';
  const most = () => Math.max(SMALLEST, (isBottom ? innerHeight : innerWidth) - 40);
  const resize = (wanted: number) => onSize(Math.round(Math.min(Math.max(wanted, SMALLEST), most())));

  function move(event: KeyboardEvent): void {
    const larger = isBottom ? 'ArrowUp' : 'ArrowLeft';
    const smaller = isBottom ? 'ArrowDown' : 'ArrowRight';
    if (event.key !== larger && event.key !== smaller) return;
    event.preventDefault();
    resize(size + (event.key === larger ? STEP : -STEP));
  }

  function drag(event: TargetedPointerEvent<HTMLElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    resize(isBottom ? innerHeight - event.clientY : innerWidth - event.clientX);
  }

  return h('div', {
    class: 'separator',
    role: 'separator',
    tabIndex: 0,
    'aria-label': isBottom ? 'Height of the panel' : 'Width of the panel',
    'aria-orientation': isBottom ? 'horizontal' : 'vertical',
    'aria-valuenow': size,
    'aria-valuemin': SMALLEST,
    'aria-valuemax': most(),
    onKeyDown: move,
    onPointerDown: (event) => event.currentTarget.setPointerCapture(event.pointerId),
    onPointerMove: drag,
  });
}
