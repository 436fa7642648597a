import type { Mock } from '../../../mock/browser/index.ts';
import { createEditor } from './editor.ts';
import { element } from './element.ts';
import { showResponse } from './response.ts';
import { STEPS, type Step } from './steps.ts';
import START from './tasks.yaml?raw';

type Library = typeof import('../../../mock/browser/index.ts');

/** The pause in typing after which the document is read, in milliseconds. */
const PAUSE_MS = 300;

/** The URL of the service in the page; no such host exists. */
const ORIGIN = 'https://tasks.example';

/**
 * Starts a mock in the page: its document on the left, requests on the right.
 * @param place its content is replaced
 * @param engine URL of the folder with `openapi-paddock/browser`
 */
export async function startLive(place: HTMLElement, engine: string): Promise<void> {
  const { createMock }: Library = await import(/* @vite-ignore */ `${engine}/index.js`);
  let mock: Mock | undefined;
  let broken = false;

  const state = element('p', { class: 'live-state', role: 'status' });
  const editor = createEditor(START, () => {
    clearTimeout(pause);
    pause = setTimeout(async () => (await readDocument()) && send(), PAUSE_MS);
  });
  let pause: ReturnType<typeof setTimeout>;

  const method = element(
    'select',
    { 'aria-label': 'Method' },
    ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((name) => element('option', {}, name)),
  );
  const target = element('input', {
    'aria-label': 'Path and query',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const body = element('textarea', { 'aria-label': 'Body', rows: '3', spellcheck: 'false' });
  const response = element('div', { class: 'live-response', role: 'region', 'aria-label': 'Response' });
  const form = element(
    'form',
    { class: 'live-request' },
    element('div', { class: 'live-line' }, method, target, element('button', { type: 'submit' }, 'Send')),
    body,
  );
  const hideBody = () => {
    body.hidden = method.value === 'GET' || method.value === 'DELETE';
  };
  method.addEventListener('change', hideBody);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  const steps = STEPS.map((step) => {
    const button = element('button', { type: 'button' }, step.title);
    button.addEventListener('click', () => void take(step, button));
    return button;
  });

  place.replaceChildren(
    element('div', { class: 'live-pane' }, element('h2', {}, 'openapi.yaml'), editor.place, state),
    element(
      'div',
      { class: 'live-pane' },
      element('ol', { class: 'live-steps' }, ...steps.map((button) => element('li', {}, button))),
      form,
      response,
    ),
  );
  await readDocument();
  const [first] = steps;
  if (STEPS[0] && first) await take(STEPS[0], first);

  /** Serves the current document. If it cannot be read, the mock of the last readable one continues. */
  async function readDocument(): Promise<boolean> {
    editor.mark([]);
    try {
      const next = await createMock({ document: editor.text(), origin: ORIGIN, count: 5 });
      await mock?.close();
      mock = next;
      broken = false;
      const count = next.operations.length;
      state.textContent = `${count} operation${count === 1 ? '' : 's'}, served in this page`;
      state.classList.remove('wrong');
      return true;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      state.textContent = text;
      state.classList.add('wrong');
      editor.mark(linesIn(text));
      return false;
    }
  }

  async function take({ request, breaks }: Step, button: HTMLElement): Promise<void> {
    for (const step of steps) step.setAttribute('aria-pressed', String(step === button));
    method.value = request.method;
    target.value = request.target;
    body.value = request.body === undefined ? '' : JSON.stringify(request.body, undefined, 2);
    hideBody();
    if (breaks && mock && !broken) {
      await mock.addRule({ match: { method: request.method, path: request.target }, ...breaks });
      broken = true;
    }
    await send();
  }

  async function send(): Promise<void> {
    if (!mock) return;
    const sent = body.hidden || body.value === '' ? undefined : body.value;
    const answer = await mock.fetch(target.value.startsWith('/') ? target.value : `/${target.value}`, {
      method: method.value,
      ...(sent !== undefined && { body: sent, headers: { 'content-type': 'application/json' } }),
    });
    const [logged] = mock.requests().slice(-1);
    const lines = await showResponse(response, answer, logged, editor.goTo);
    editor.mark(lines);
    if (lines[0] !== undefined) editor.goTo(lines[0]);
  }
}

/** The lines of the document in a text: `openapi.yaml:12:3`. */
function linesIn(text: string): number[] {
  return [...text.matchAll(/openapi\.yaml:(\d+)/g)].map(([, line]) => Number(line));
}
