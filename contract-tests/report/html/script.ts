/**
 * The script of the page: search, filters, copying, opening and printing. Without it the page shows everything. It reads
 * nothing but the page, and writes no markup.
 */
export const SCRIPT = `
(() => {
  const byId = (id) => document.getElementById(id);
  const form = byId('filter');
  const cards = [...document.querySelectorAll('article.cause')].map((element) => ({
    element,
    details: element.querySelector('details'),
    operations: element.dataset.operations.split(' '),
    text: element.textContent.toLowerCase(),
  }));

  for (const button of document.querySelectorAll('button.copy')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const source = byId(button.dataset.copies);
      try {
        await navigator.clipboard.writeText(source.textContent);
      } catch {
        getSelection().selectAllChildren(source);
        document.execCommand('copy');
      }
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
  }

  const rows = [...document.querySelectorAll('#cells-table tbody tr')];
  const cellForm = byId('cells-filter');
  if (cellForm) {
    cellForm.hidden = false;
    const show = () => {
      const wanted = cellForm.elements.text.value.trim().toLowerCase();
      const open = cellForm.elements.open.checked;
      let count = 0;
      for (const row of rows) {
        const fits = (!open || row.dataset.open === 'true') && row.cells[0].textContent.toLowerCase().includes(wanted);
        row.hidden = !fits;
        if (fits) count += 1;
      }
      byId('cells-shown').textContent = count + ' of ' + rows.length;
    };
    cellForm.addEventListener('input', show);
    cellForm.addEventListener('submit', (event) => event.preventDefault());
    show();
  }

  const all = () => [...document.querySelectorAll('details')];
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = all().filter((one) => !one.open);
    for (const one of closed) one.open = true;
  });
  addEventListener('afterprint', () => {
    for (const one of closed) one.open = false;
  });

  if (!form) return;
  form.hidden = false;
  const fits = ({ element, operations, text }) => {
    const { elements } = form;
    const value = (name) => elements[name] ? elements[name].value : '';
    const { law, status, gates } = element.dataset;
    return text.includes(value('text').trim().toLowerCase())
      && (value('operation') === '' || operations.includes(value('operation')))
      && (value('law') === '' || law === value('law'))
      && (value('status') === '' || status.split(' ').includes(value('status')))
      && (value('gates') === '' || gates === value('gates'));
  };
  const show = () => {
    let count = 0;
    for (const card of cards) {
      const isShown = fits(card);
      card.element.hidden = !isShown;
      if (isShown) count += 1;
    }
    byId('shown').textContent = count === cards.length ? cards.length + ' causes' : count + ' of ' + cards.length;
    byId('none').hidden = count > 0;
  };
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => event.preventDefault());
  byId('reset').addEventListener('click', () => { form.reset(); show(); form.elements.text.focus(); });
  byId('fold').addEventListener('click', ({ target }) => {
    const shown = cards.filter(({ element }) => !element.hidden);
    const open = shown.some(({ details }) => !details.open);
    for (const { details } of shown) details.open = open;
    target.textContent = open ? 'Close all' : 'Open all';
  });
  addEventListener('keydown', (event) => {
    const isTyping = /^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      form.elements.text.focus();
    } else if (event.key === 'Escape' && isTyping && form.contains(event.target)) {
      form.reset();
      show();
    }
  });
  show();
})();
`;
