'use strict';
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector, within) => Array.from((within || document).querySelectorAll(selector));
  const element = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
      else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  };
  const json = (id) => JSON.parse(byId(id).textContent);

  // ---- tables ------------------------------------------------------------------------------------------------------
  const numberOf = (text) => {
    const found = parseFloat(text.replace(/\u2212/g, '-'));
    return Number.isNaN(found) ? null : found;
  };
  const compareCells = (a, b) => {
    if (a === '' || b === '') return (a === '') - (b === '');
    const x = numberOf(a), y = numberOf(b);
    if (x !== null && y !== null && x !== y) return x - y;
    return a.localeCompare(b, 'en', {numeric: true});
  };

  const addRest = (table) => {
    if (!table.dataset.rest) return;
    const rest = json(table.dataset.rest), numeric = all('thead th', table).map((th) => th.classList.contains('num'));
    delete table.dataset.rest;
    const body = table.tBodies[0];
    for (const row of rest) {
      body.append(element('tr', {}, ...row.map((cell, c) => element('td', numeric[c] ? {class: 'num'} : {}, cell))));
    }
    table.parentNode.nextElementSibling.remove();
  };

  const sortBy = (table, column, header) => {
    addRest(table);
    const down = header.getAttribute('aria-sort') === 'ascending';
    all('th', table.tHead).forEach((th) => th.removeAttribute('aria-sort'));
    header.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const rows = Array.from(table.tBodies[0].rows).map((row, i) => ({row, i, cell: row.cells[column].textContent.trim()}));
    rows.sort((a, b) => {
      const order = compareCells(a.cell, b.cell);
      return (a.cell === '' || b.cell === '' ? order : down ? -order : order) || a.i - b.i;
    });
    table.tBodies[0].append(...rows.map((r) => r.row));
  };

  const makeSortable = (table) => {
    all('th', table.tHead).forEach((header, column) => {
      const button = element('button', {type: 'button', onclick: () => sortBy(table, column, header)});
      button.append(...header.childNodes);
      header.append(button);
    });
    const count = () => Array.from(table.tBodies[0].rows).filter((row) => !row.hidden).length;
    if (table.tBodies[0].rows.length < 8 || table.id.startsWith('shown-')) return;
    const shown = element('span', {role: 'status'});
    const name = table.caption ? table.caption.textContent : 'this table';
    const input = element('input', {type: 'search', placeholder: 'Filter rows', 'aria-label': 'Filter the rows of ' + name});
    input.addEventListener('input', () => {
      addRest(table);
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of table.tBodies[0].rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
      shown.textContent = words.length ? count() + ' of ' + table.tBodies[0].rows.length + ' rows' : '';
    });
    table.parentNode.before(element('div', {class: 'tools'}, input, shown));
  };

  // ---- facts -------------------------------------------------------------------------------------------------------
  const kPage = 50;
  const facts = {data: null, rows: null, page: 0, column: -1, down: false, marked: -1};
  const expanded = (runs) => {
    const out = [];
    for (let i = 0; i < runs.length; i += 2) for (let k = runs[i + 1]; k > 0; --k) out.push(runs[i]);
    return out;
  };
  const loadFacts = () => facts.data;
  const unpacked = async (id) => {
    const bytes = Uint8Array.from(atob(byId(id).textContent), (letter) => letter.charCodeAt(0));
    return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).text());
  };
  let unpacking = null;
  // Runs what needs the facts, once they are unpacked.
  const withFacts = (work) => {
    if (facts.data) return Promise.resolve(work());
    unpacking = unpacking || unpacked('facts-data').then((d) => {
      for (const name of ['report', 'metric', 'dim', 'n']) d[name] = expanded(d[name]);
      facts.data = d;
    });
    return unpacking.then(work);
  };
  const fact = (i) => {
    const d = loadFacts();
    const metric = d.metrics[d.metric[i]];
    return [d.reports[d.report[i]] || '(the study)', metric[0], d.dims[d.dim[i]], d.value[i], metric[1], d.n[i]];
  };
  const valueText = (value) => value === null ? '' : String(Number(value.toPrecision(9)));
  const factRow = (i) => {
    const [report, metric, dims, value, unit, n] = fact(i);
    const number = element('a', {href: '#fact-' + (i + 1)}, String(i + 1));
    return element('tr', i === facts.marked ? {class: 'found'} : {}, element('td', {class: 'num'}, number),
      element('td', {}, report), element('td', {}, element('code', {}, metric)), element('td', {}, dims.replace(/;/g, '; ')),
      element('td', {class: 'num'}, valueText(value)), element('td', {}, unit), element('td', {class: 'num'}, String(n)));
  };
  const factHead = () => element('thead', {}, element('tr', {}, ...['fact', 'report', 'metric', 'dims', 'value', 'unit', 'n'].map(
    (name, c) => element('th', {scope: 'col', class: c === 0 || c === 4 || c === 6 ? 'num' : ''}, name))));

  const selectFacts = (text) => {
    const d = loadFacts(), words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const lower = (list) => list.map((entry) => String(Array.isArray(entry) ? entry[0] : entry).toLowerCase());
    const reports = lower(d.reports), metrics = lower(d.metrics), dims = lower(d.dims);
    facts.rows = [];
    for (let i = 0; i < d.value.length; ++i) {
      const line = reports[d.report[i]] + ' ' + metrics[d.metric[i]] + ' ' + dims[d.dim[i]];
      if (words.every((word) => line.includes(word))) facts.rows.push(i);
    }
    if (facts.column > 0) sortFacts();
    facts.page = 0;
  };
  const sortFacts = () => {
    const d = loadFacts(), c = facts.column, sign = facts.down ? -1 : 1;
    const key = [null, (i) => d.report[i], (i) => d.metric[i], (i) => d.dims[d.dim[i]], (i) => d.value[i],
      (i) => d.metrics[d.metric[i]][1], (i) => d.n[i]][c] || ((i) => i);
    facts.rows.sort((a, b) => {
      const x = key(a), y = key(b);
      return sign * (x < y ? -1 : x > y ? 1 : 0) || a - b;
    });
  };
  const showFacts = () => {
    const body = byId('facts-table').tBodies[0], first = facts.page * kPage;
    const shown = facts.rows.slice(first, first + kPage);
    body.replaceChildren(...shown.map(factRow));
    byId('facts-count').textContent = facts.rows.length === 0 ? 'no facts' :
      (first + 1) + ' to ' + (first + shown.length) + ' of ' + facts.rows.length + ' facts';
    byId('facts-back').disabled = facts.page === 0;
    byId('facts-on').disabled = first + kPage >= facts.rows.length;
  };
  const openFacts = () => {
    if (facts.rows) return;
    const box = byId('facts-box');
    const head = factHead();
    all('th', head).forEach((header, c) => {
      const button = element('button', {type: 'button'});
      button.append(...header.childNodes);
      button.addEventListener('click', () => {
        facts.down = facts.column === c && !facts.down;
        facts.column = c;
        all('th', head).forEach((th) => th.removeAttribute('aria-sort'));
        header.setAttribute('aria-sort', facts.down ? 'descending' : 'ascending');
        sortFacts();
        facts.page = 0;
        showFacts();
      });
      header.append(button);
    });
    const input = element('input', {type: 'search', id: 'facts-filter', placeholder: 'Filter by report, metric, dims',
      'aria-label': 'Filter the facts by report, metric or dims'});
    input.addEventListener('input', () => { facts.marked = -1; selectFacts(input.value); showFacts(); });
    const turn = (by) => () => { facts.page += by; showFacts(); };
    box.append(element('div', {class: 'tools'}, input,
      element('button', {type: 'button', id: 'facts-back', onclick: turn(-1)}, 'Previous'),
      element('button', {type: 'button', id: 'facts-on', onclick: turn(1)}, 'Next'),
      element('span', {id: 'facts-count', role: 'status'})),
      element('div', {class: 'scroll', tabindex: '0'},
        element('table', {id: 'facts-table', class: 'data'}, element('caption', {}, 'Facts of all reports'), head, element('tbody'))));
    selectFacts('');
  };
  const goToFact = () => {
    const found = /^#fact-(\d+)$/.exec(location.hash);
    if (!found) return;
    const wanted = Number(found[1]) - 1;
    if (wanted < 0 || wanted >= loadFacts().value.length) return;
    byId('facts-box').closest('details').open = true;
    openFacts();
    byId('facts-filter').value = '';
    facts.column = -1;
    facts.marked = wanted;
    selectFacts('');
    facts.page = Math.floor(wanted / kPage);
    showFacts();
    byId('facts-table').querySelector('tr.found').scrollIntoView({block: 'center'});
  };

  const ranges = (text) => text.split(' ').flatMap((part) => {
    const [first, last] = part.split('-').map(Number);
    return Array.from({length: (last || first) - first + 1}, (_, i) => first + i - 1);
  });
  const toggleEvidence = (link) => {
    const place = link.closest('tr') || link.parentNode;
    const open = link.getAttribute('aria-expanded') === 'true';
    link.setAttribute('aria-expanded', String(!open));
    if (open) return place.nextElementSibling.remove();
    const body = element('tbody', {}, ...ranges(link.dataset.facts).map(factRow));
    const table = element('table', {class: 'data'}, element('caption', {}, 'Facts behind it'), factHead(), body);
    const box = element('div', {class: 'evidence scroll', tabindex: '0'}, table);
    if (place.tagName !== 'TR') return place.after(box);
    return place.after(element('tr', {}, element('td', {colspan: String(place.cells.length)}, box)));
  };
  const watchEvidence = () => {
    for (const link of all('a[data-facts]')) {
      link.setAttribute('role', 'button');
      link.setAttribute('aria-expanded', 'false');
    }
    document.addEventListener('click', (event) => {
      const link = event.target.closest('a[data-facts]');
      if (!link) return;
      event.preventDefault();
      withFacts(() => toggleEvidence(link));
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== ' ' || !event.target.matches('a[data-facts]')) return;
      event.preventDefault();
      withFacts(() => toggleEvidence(event.target));
    });
  };

  const start = () => {
    all('table.data').forEach(makeSortable);
    watchEvidence();
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      withFacts(() => { openFacts(); showFacts(); });
    }, {rootMargin: '200px'}).observe(byId('facts-box'));
    // A link into what is folded opens it.
    const unfold = () => {
      const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!target) return;
      for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
      target.scrollIntoView();
    };
    const go = () => /^#fact-/.test(location.hash) ? withFacts(goToFact) : unfold();
    window.addEventListener('hashchange', go);
    go();
    window.assayReport = {withFacts};
  };
  start();
})();
