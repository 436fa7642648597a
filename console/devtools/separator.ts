import { h, type TargetedPointerEvent } from 'preact';
import { type Layout, SMALLEST } from './layout.ts';

interface SeparatorProps extends Pick<Layout, 'side' | 'size'> {
  readonly onSize: (size: number) => void;
}

/** In CSS pixels, for one key. */
const STEP = 24;

/** The edge of the panel, which a pointer or the arrow keys move. */
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
