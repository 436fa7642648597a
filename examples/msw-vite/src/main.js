import { BUILT_IN_KEY, SERVICE, startMock } from './mock.js';

// In production: `if (import.meta.env.DEV) await (await import('./mock.js')).startMock();`
const mock = await startMock();

const [form, list, alert] = ['form', 'ul', '[role=alert]'].map((one) => document.querySelector(one));
const headers = { authorization: `Bearer ${BUILT_IN_KEY}`, 'content-type': 'application/json' };

async function call(path, method = 'GET', body) {
  const response = await fetch(SERVICE + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = response.status === 204 ? undefined : await response.json();
  if (!response.ok) throw new Error(answer.detail ?? answer.message ?? `Status ${response.status}`);
  return answer;
}

/** The tasks, or why there are none. */
async function show() {
  const tasks = await call('/tasks').catch(fail);
  if (!tasks) return;
  list.replaceChildren(
    ...tasks.map((task) => {
      const item = document.createElement('li');
      const remove = Object.assign(document.createElement('button'), { textContent: 'Remove' });
      remove.setAttribute('aria-label', `Remove ${task.title}`);
      remove.addEventListener('click', () => attempt(() => call(`/tasks/${task.id}`, 'DELETE')));
      item.append(`${task.title} `, remove);
      return item;
    }),
  );
}

function fail(error) {
  alert.textContent = error.message;
}

/** Does what changes tasks, and shows them, or why it was refused. */
async function attempt(change) {
  alert.textContent = '';
  await change().catch(fail);
  await show();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const title = new FormData(form).get('title');
  attempt(async () => {
    await call('/tasks', 'POST', { title });
    form.reset();
  });
});

await show();

// A production build leaves the panel out.
if (import.meta.env.DEV) {
  const { showDevtools } = await import('openapi-paddock/devtools');
  showDevtools({ mock, onChange: () => attempt(async () => {}) });
}
