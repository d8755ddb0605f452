'use strict';
(() => {
  const all = (selector, within) => Array.from((within || document).querySelectorAll(selector));

  // ---- time and name of a piece under the pointer ------------------------------------------------------------------
  const tip = document.createElement('div');
  tip.className = 'tip';
  document.body.append(tip);
  for (const title of all('.strip title')) {
    title.parentNode.dataset.said = title.textContent;
    title.remove();
  }
  const lines = all('.strip .gl').map((grid) => {
    const line = document.createElement('i');
    grid.append(line);
    return {grid, line};
  });
  document.addEventListener('pointermove', (event) => {
    const piece = event.target.closest('[data-said]'), strip = event.target.closest('.strip');
    for (const {grid, line} of lines) {
      const box = grid.getBoundingClientRect(), x = event.clientX - box.left;
      const here = strip !== null && strip.contains(grid) && x >= 0 && x <= box.width;
      line.style.display = here ? 'block' : 'none';
      line.style.left = x + 'px';
    }
    tip.style.display = piece ? 'block' : 'none';
    if (!piece) return;
    tip.textContent = piece.dataset.said;
    tip.style.left = Math.max(6, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + 'px';
    tip.style.top = (event.clientY + 18) + 'px';
  });

  // ---- commands ----------------------------------------------------------------------------------------------------
  for (const command of all('.cmd')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'copy';
    button.addEventListener('click', () => navigator.clipboard.writeText(command.querySelector('code').textContent)
      .then(() => { button.textContent = 'copied'; }));
    command.append(button);
  }

  // ---- tables: sort by a column, filter rows -----------------------------------------------------------------------
  const value = (row, column) => {
    const text = row.cells[column].textContent.trim().replace(/\u2212/g, '-'), number = parseFloat(text.replace(/,/g, ''));
    return Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) => {
    if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
    return typeof a === 'number' ? a - b : a.localeCompare(b, 'en', {numeric: true});
  };
  for (const table of all('table.sort')) {
    all('thead th', table).forEach((head, column) => {
      if (head.textContent === '') return;
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const up = head.getAttribute('aria-sort') !== 'ascending', body = table.tBodies[0];
        for (const other of all('thead th', table)) other.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
        body.append(...Array.from(body.rows).sort((a, b) => (up ? 1 : -1) * compare(value(a, column), value(b, column))));
      });
    });
    if (table.tBodies[0].rows.length < 8) continue;
    const label = document.createElement('label'), input = document.createElement('input');
    label.className = 'filter';
    input.type = 'search';
    label.append('Filter', input);
    table.parentNode.before(label);
    input.addEventListener('input', () => {
      const words = input.value.toLowerCase().split(/\s+/);
      for (const row of table.tBodies[0].rows)
        row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    });
  }

  // ---- folds -------------------------------------------------------------------------------------------------------
  const show = () => {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener('hashchange', show);
  show();
  addEventListener('beforeprint', () => { for (const fold of all('details')) fold.open = true; });
})();
