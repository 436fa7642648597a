import { h } from 'preact';
import svg from '../../brand/mark.svg';

const SHAPES = [...svg.matchAll(/<(rect|path) ([^>]*)\/>/g)].map(
  ([, name = '', attributes = '']) =>
    [
      name,
      Object.fromEntries(
        [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, one = '', value = '']) => [one, value]),
      ),
    ] as const,
);

/** The mark as elements: a page may forbid pictures from elsewhere, and markup that is read at run time. */
export function mark(size: number) {
  return h('svg', { viewBox: '0 0 32 32', width: size, height: size, 'aria-hidden': 'true' }, [
    SHAPES.map(([name, attributes]) => h(name, { key: attributes.d, ...attributes })),
  ]);
}
