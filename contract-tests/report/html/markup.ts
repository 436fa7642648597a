import { escapeHtml } from '../escape.ts';

/** A piece of a page, safe as it is. */
export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** What a template takes: texts are escaped, lists are joined, and what is missing is nothing. */
export type Part = string | number | undefined | false | Markup | readonly Part[];

/** Markup with whatever texts stand in it. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...parts.map(sourceOf)));
}

function sourceOf(part: Part): string {
  if (part instanceof Markup) return part.source;
  if (Array.isArray(part)) return part.map(sourceOf).join('');
  return part === undefined || part === false ? '' : escapeHtml(String(part));
}

/** Text that is copied or read as it is. What scrolls must be reachable by the keyboard, and so has a label. */
export function preformatted(label: string, content: Part, name = ''): Markup {
  return html`<pre class="${name}" tabindex="0" role="group" aria-label="${label}">${content}</pre>`;
}

/** Parts in lines of their own. */
export function inLines(parts: readonly Part[]): Part[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [new Markup('\n'), part]));
}
