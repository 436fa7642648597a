/** What the panel looks like, which the browser keeps for the page's origin. */
export interface Layout {
  readonly isOpen: boolean;
  readonly side: 'bottom' | 'right';
  /** Its height or width, in CSS pixels. */
  readonly size: number;
  readonly tab: 'requests' | 'scenarios' | 'records';
}

export const SMALLEST = 180;

const FIRST: Layout = { isOpen: false, side: 'bottom', size: 360, tab: 'requests' };

const KEY = 'paddock-devtools';

/** Where there is no storage, or another version has written to it, the panel begins anew. */
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
    // A page without storage shows the panel as it is at first.
  }
}
