import { h } from 'preact';

/** The mark of Paddock: elements, since a page may forbid pictures from elsewhere. */
export function mark(size: number) {
  return h(
    'svg',
    { class: 'mark', viewBox: '0 0 32 32', width: size, height: size, 'aria-hidden': 'true' },
    h('path', { d: 'M6 13h20M6 20h20M10 8v17M22 8v17' }),
  );
}

function icon(path: string) {
  return h(
    'svg',
    { class: 'line', viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' },
    h('path', { d: path }),
  );
}

export const closeIcon = () => icon('M4 4l8 8M12 4l-8 8');

/** Where the panel would go. */
export const sideIcon = (side: 'bottom' | 'right') =>
  icon(side === 'bottom' ? 'M2 3h12v10H2zM10 3v10' : 'M2 3h12v10H2zM2 9h12');

export const backIcon = () => icon('M10 3L5 8l5 5');
