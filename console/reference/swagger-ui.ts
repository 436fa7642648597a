import { SESSION } from '../shell/place.ts';
import type { ReferenceView } from '../wire.ts';

/** What the page uses of Swagger UI, whose script defines one name. */
interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
  preauthorizeBasic(scheme: string, user: string, password: string): void;
}

interface SwaggerRequest {
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

declare const SwaggerUIBundle: (options: object) => SwaggerUi;

/** Shows a document, with the mock's key filled in; what it sends belongs to the session of the page. */
export function showReference(domNode: HTMLElement, { document, key, schemes }: ReferenceView): void {
  const ui = SwaggerUIBundle({
    domNode,
    spec: document,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    defaultModelsExpandDepth: 0,
    syntaxHighlight: { theme: 'monokai' },
    requestInterceptor: prepare,
    onComplete() {
      writeExactly();
      for (const { name, kind } of schemes)
        if (kind === 'basic') ui.preauthorizeBasic(name, 'paddock', key);
        else ui.preauthorizeApiKey(name, key);
    },
  });
}

function prepare(request: SwaggerRequest): SwaggerRequest {
  const { Cookie: cookies, ...headers } = request.headers;
  // No script may set the header, but a page may set the cookies of its own origin.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS or this machine.
  for (const pair of cookies?.split(/; */) ?? []) document.cookie = `${pair}; path=/; SameSite=Strict`;
  const { url, body } = request;
  return Object.assign(request, {
    url: withoutMarks(url),
    headers: { ...headers, ...(SESSION !== '' && { 'Paddock-Session': SESSION }) },
    ...(typeof body === 'string' && { body: withoutMarks(body) }),
  });
}

/** What the renderer leaves out, or gets wrong, for people who do not see the page: attributes by selector. */
const ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '#servers': { 'aria-label': 'Server' },
  '.examples-select-element': { 'aria-label': 'Example' },
  '.body-param__text': { 'aria-label': 'Request body' },
  '.close-modal': { 'aria-label': 'Close' },
  '[aria-label="Remove authorization"]': { 'aria-label': 'Logout' },
  // Its own main landmark has the operations alone, and each other one needs a name of its own.
  '.information-container': { role: 'region', 'aria-label': 'Information' },
  '.scheme-container': { role: 'region', 'aria-label': 'Server and credentials' },
  '.models': { 'aria-label': 'Schemas' },
  'table[role="region"]': { role: 'table' },
  // What scrolls must be reached by keyboard.
  '.microlight': { tabindex: '0' },
  // Below the heading of the page.
  '.info .title': { 'aria-level': '2' },
  '.opblock-tag, .models h4, .modal-ux-header h3': { 'aria-level': '3' },
  '.opblock-section-header h4, .responses-inner > h4, .opblock-title, .auth-container h4': {
    'aria-level': '4',
  },
  '.responses-inner h5, .auth-container h6': { 'aria-level': '5' },
};

const PARAMETER = 'tr[data-param-name]';

/** Completes what is below a node as it appears; returns what ends that. */
export function nameControls(node: HTMLElement): () => void {
  const observer = new MutationObserver(() => complete(node));
  observer.observe(node, { childList: true, subtree: true });
  return () => observer.disconnect();
}

function complete(node: HTMLElement): void {
  for (const [selector, attributes] of Object.entries(ATTRIBUTES))
    for (const element of node.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const row of node.querySelectorAll<HTMLElement>(PARAMETER))
    for (const control of row.querySelectorAll('input, select, textarea'))
      control.setAttribute('aria-label', row.dataset.paramName ?? '');
}

/**
 * Swagger UI reads and writes JSON with doubles, in the examples that it offers and in the responses that it shows. On its
 * page an integer beyond 2^53 is read as a text instead, with a mark that has no width, and written as the integer again.
 */
const MARK = '\u2060';
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');

/** Keywords that the renderer calculates with, or fills in a parameter. */
const NUMERIC = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  'default',
]);

/** The document for the renderer. */
export function parseDocument(text: string): unknown {
  return parse(text, (key, value, context) => (NUMERIC.has(key) ? value : markInexact(key, value, context)));
}

/** Replaces `JSON.parse` of the page. */
export function readExactly(): void {
  JSON.parse = ((text: string, reviver = markInexact) => parse(text, reviver)) as typeof JSON.parse;
}

/** Replaces `JSON.stringify` of the page. Before, the renderer has to read the document, which it does as YAML. */
function writeExactly(): void {
  const { stringify } = JSON;
  JSON.stringify = ((...given: Parameters<typeof stringify>) =>
    // Of undefined and functions there is no text.
    stringify(...given)?.replace(MARKED, '$1')) as typeof JSON.stringify;
}

/** Without the marks, which no request may have. */
function withoutMarks(text: string): string {
  return text.replaceAll(MARK, '').replaceAll(encodeURIComponent(MARK), '');
}

/** ECMAScript 2026, JSON.parse source text access. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

const markInexact: Reviver = (_, value, context) => {
  const isInexact = typeof value === 'number' && !Number.isSafeInteger(value);
  return isInexact && /^-?\d+$/.test(context?.source ?? '') ? MARK + context?.source : value;
};
