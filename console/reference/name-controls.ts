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
