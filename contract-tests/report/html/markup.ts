import { escapeHtml } from '../escape.ts';

/** A part of a page that needs no escaping. */
export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** The values of a template: texts are escaped, lists are joined, and missing values are empty. */
export type Part = string | number | undefined | false | Markup | readonly Part[];

/** Markup in which texts are escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...parts.map(sourceOf)));
}

function sourceOf(part: Part): string {
  if (part instanceof Markup) return part.source;
  if (Array.isArray(part)) return part.map(sourceOf).join('');
  return part === undefined || part === false ? '' : escapeHtml(String(part));
}

/** Preformatted text to copy or read. As it scrolls, it must be focusable, and so needs a label. */
export function preformatted(label: string, content: Part, name = ''): Markup {
  return html`<pre class="${name}" tabindex="0" role="group" aria-label="${label}">${content}</pre>`;
}

/** Parts on separate lines. */
export function inLines(parts: readonly Part[]): Part[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [new Markup('\n'), part]));
}
