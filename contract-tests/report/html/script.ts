/**
 * The script of the page: search, copying, opening and printing. Without it the page shows everything. It only reads the
 * page, and writes no markup.
 */
export const SCRIPT = `
(() => {
  const byId = (id) => document.getElementById(id);
  for (const button of document.querySelectorAll('button.copy')) {
    button.hidden = false;
    const label = button.textContent;
    button.addEventListener('click', async () => {
      const source = byId(button.dataset.copies);
      try {
        await navigator.clipboard.writeText(source.textContent);
      } catch {
        const { hidden } = source;
        source.hidden = false;
        getSelection().selectAllChildren(source);
        document.execCommand('copy');
        source.hidden = hidden;
      }
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = label; }, 2000);
    });
  }

  let closed = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('details:not([open])')];
    for (const one of closed) one.open = true;
  });
  addEventListener('afterprint', () => {
    for (const one of closed) one.open = false;
  });

  const all = [...document.querySelectorAll('article.cause, .cell-row')].map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
  }));
  const form = byId('filter');
  form.hidden = all.length < 2;
  const show = () => {
    const wanted = form.elements.text.value.trim().toLowerCase();
    for (const { element, text } of all) element.hidden = !text.includes(wanted);
    const count = all.filter(({ element }) => !element.hidden).length;
    byId('shown').textContent = wanted === '' ? '' : count + ' of ' + all.length;
  };
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => event.preventDefault());
  byId('fold').addEventListener('click', ({ target }) => {
    const cards = [...document.querySelectorAll('article:not([hidden]) > details')];
    const open = cards.some((card) => !card.open);
    for (const card of cards) card.open = open;
    target.textContent = open ? 'Close all' : 'Open all';
  });
  addEventListener('keydown', (event) => {
    const isTyping = event.target === form.elements.text;
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      form.elements.text.focus();
    } else if (event.key === 'Escape' && isTyping) {
      form.reset();
      show();
    }
  });
})();
`;
