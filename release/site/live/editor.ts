import { element } from './element.ts';

export interface Editor {
  readonly place: HTMLElement;
  text(): string;
  /** Marks these lines, counted from 1, instead of the previous ones. */
  mark(lines: readonly number[]): void;
  goTo(line: number): void;
}

/**
 * A text editor with line numbers and marked lines.
 * @param changed called at each change by the reader
 */
export function createEditor(start: string, changed: () => void): Editor {
  const behind = element('pre', { class: 'live-behind', 'aria-hidden': 'true' });
  const area = element('textarea', {
    'aria-label': 'The document, openapi.yaml',
    spellcheck: 'false',
    wrap: 'off',
  });
  area.value = start;
  let marked: readonly number[] = [];
  const draw = () =>
    behind.replaceChildren(
      ...area.value
        .split('\n')
        .map((line, index) =>
          element('span', marked.includes(index + 1) ? { class: 'marked' } : {}, line || ' '),
        ),
    );
  area.addEventListener('input', () => {
    marked = [];
    draw();
    changed();
  });
  area.addEventListener('scroll', () => {
    behind.style.transform = `translateY(${-area.scrollTop}px)`;
    behind.style.setProperty('--left', `${-area.scrollLeft}px`);
  });
  draw();
  return {
    place: element('div', { class: 'live-editor' }, behind, area),
    text: () => area.value,
    mark(lines) {
      marked = lines;
      draw();
    },
    goTo(line) {
      const height = Number.parseFloat(getComputedStyle(area).lineHeight);
      area.scrollTo({ top: Math.max(0, (line - 4) * height) });
    },
  };
}
