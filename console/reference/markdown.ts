import { Marked } from 'marked';
import { type ComponentChild, h } from 'preact';

/** The allowed elements, without attributes. Others are shown as source. */
const ELEMENTS: ReadonlySet<string> = new Set(
  'a b blockquote br code dd del dl dt em hr i kbd li ol p pre s strong sub sup table tbody td th thead tr u ul'.split(
    ' ',
  ),
);

/** Headings in texts are below those of the page. */
const HEADINGS: Readonly<Record<string, string>> = {
  h1: 'h4',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  h6: 'h6',
};

/** Elements that are replaced by their content. */
const TRANSPARENT: ReadonlySet<string> = new Set(
  'center details div font section small span summary'.split(' '),
);

const reader = new Marked({
  renderer: {
    html: ({ text }) => plainHtml(text),
    image: ({ text }) => escapeHtml(text === '' ? '' : `[${text}]`),
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

/** A text's HTML without attributes except links' addresses; tags of other elements are escaped. */
function plainHtml(html: string): string {
  return html.replace(
    /<(\/?)([a-z][a-z0-9]*)\b([^<>]*)>|[<>]/gi,
    (whole, end?: string, named?: string, attributes?: string) => {
      const name = named?.toLowerCase();
      if (name === undefined) return escapeHtml(whole);
      if (name === 'a' && end === '') {
        const [, href] = /\shref\s*=\s*["']?(https?:\/\/[^\s"'<>]+)/i.exec(attributes ?? '') ?? [];
        return href === undefined ? '<a>' : `<a href="${href}">`;
      }
      const isKnown = ELEMENTS.has(name) || TRANSPARENT.has(name) || Object.hasOwn(HEADINGS, name);
      return isKnown ? `<${end}${name}>` : escapeHtml(whole);
    },
  );
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

interface MarkdownProps {
  readonly text: string;
  /** Default: `div`. */
  readonly class?: string;
}

/**
 * A documented text in CommonMark, which may contain HTML (OpenAPI 3.1 §4.3). Without attributes and other elements, it is
 * parsed to an inert document, which runs and loads nothing, and its elements are created again for the page. Even that
 * document must have no handlers, as browsers report them as policy violations.
 */
export function Markdown({ text, class: className = '' }: MarkdownProps) {
  return h('div', { class: `markdown ${className}` }, rendered(text));
}

const cache = new Map<string, ComponentChild>();
/** Cached texts, so that nothing is parsed again while parts of a page are opened and closed. */
const MOST_CACHED = 500;

function rendered(text: string): ComponentChild {
  if (!/[^\w\s.,;:()'"/-]/.test(text) && !text.includes('\n')) return h('p', {}, text);
  const content = cache.get(text);
  if (content !== undefined) return content;
  const parsed = new DOMParser().parseFromString(reader.parse(text, { async: false }), 'text/html');
  const made = [...parsed.body.childNodes].map(childOf);
  if (cache.size > MOST_CACHED) cache.clear();
  cache.set(text, made);
  return made;
}

function childOf(node: Node): ComponentChild {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  const children = () => [...node.childNodes].map(childOf);
  if (name === 'a') return linkOf(node, children());
  if (name === 'pre') return h('pre', { tabIndex: 0 }, h('code', {}, node.textContent));
  if (ELEMENTS.has(name)) return h(name, {}, ['br', 'hr'].includes(name) ? undefined : children());
  const heading = Object.hasOwn(HEADINGS, name) ? HEADINGS[name] : undefined;
  if (heading !== undefined) return h(heading, {}, children());
  if (TRANSPARENT.has(name)) return children();
  return h('code', {}, node.outerHTML);
}

function linkOf(node: Element, children: ComponentChild): ComponentChild {
  const href = node.getAttribute('href') ?? '';
  const isSafe = /^(?:https?:\/\/|mailto:)/i.test(href) && URL.canParse(href);
  return isSafe
    ? h('a', { href, target: '_blank', rel: 'noreferrer noopener' }, children)
    : h('span', {}, children);
}
