import { html } from './board.js';
import { Viewer } from './viewer.js';

const PERIOD = 1000; // milliseconds between looks while the page is seen
const WORDS = { playing: 'playing', finished: 'finished', stopped: 'not being played' };

const grouped = (number) => number.toLocaleString('en');
const wait = (millis) => new Promise((done) => setTimeout(done, millis));
const seen = () => new Promise((done) => {
  if (!document.hidden) done();
  else document.addEventListener('visibilitychange', () => seen().then(done), { once: true });
});

/** Hands on what a place on the server says, whenever it says something else. */
async function follow(url, take, fail) {
  let etag = null;
  for (;;) {
    try {
      const answer = await fetch(url, { headers: etag ? { 'If-None-Match': etag } : {}, cache: 'no-store' });
      if (answer.status === 200) {
        etag = answer.headers.get('ETag');
        take(await answer.json());
      } else if (answer.status !== 304) fail(await answer.text());
    } catch {
      fail('The server does not answer: it has ended, or the way to it is closed.');
    }
    await wait(PERIOD);
    await seen();
  }
}

/** How far a run is, in words. */
function progress({ state, pairs, all_pairs: all, games }) {
  const share = all ? ` of ${grouped(all)} pairs, ${Math.floor((100 * pairs) / all)} %` : pairs === 1 ? ' pair' : ' pairs';
  return `${WORDS[state]} · ${grouped(pairs)}${share} · ${grouped(games)} games`;
}

/** Keeps the parts of a run as they are told. */
class Run {
  constructor(root) {
    this.root = root;
    this.status = root.querySelector('[role=status]');
    this.title = document.title;
    this.told = new Map();
    this.state = null;
    follow(root.dataset.state, (state) => this.take(state), (error) => (this.status.textContent = error));
  }

  take(state) {
    this.status.textContent = progress(state);
    this.status.dataset.is = state.state;
    for (const [name, text] of state.parts) {
      const part = this.root.querySelector(`[data-part="${name}"]`);
      if (!part || this.told.get(name) === text) continue;
      // What was there when the page came is the same as what is told first.
      if (this.told.has(name) || part.innerHTML !== text) part.innerHTML = text;
      this.told.set(name, text);
    }
    const { all_pairs: all, pairs } = state;
    const share = state.state !== 'playing' ? '' : all ? `${Math.floor((100 * pairs) / all)} % · ` : `${grouped(pairs)} · `;
    document.title = share + this.title;
    if (this.state?.state === 'playing' && state.state !== 'playing') this.ended(state);
    this.state = state;
    this.root.dispatchEvent(new CustomEvent('told', { bubbles: true, detail: state }));
  }

  ended(state) {
    const verdict = this.root.querySelector('.lead')?.textContent.trim();
    if (window.Notification?.permission === 'granted') new Notification(`${this.title}: ${WORDS[state.state]}`, { body: verdict });
  }
}

/** The games of a run: fetched when the page has come, and again when somebody asks. */
async function games(place) {
  const which = html('select', { 'aria-label': 'Which games', name: 'which', change: () => load() },
    ...[['', 'some 1,000, spread over the run'], ['lost', 'those lost by the first variant or a candidate'], ['all', 'all']]
      .map(([value, text]) => html('option', { value, text })));
  const newer = html('button', { type: 'button', text: 'Load the games played since', hidden: '', click: () => load() });
  const status = html('span', { class: 'hint', role: 'status' });
  const root = html('div');
  const said = html('div');
  const dialogue = html('button', { type: 'button', text: 'What players said in this game', hidden: place.dataset.dialogue ? null : '', click: () => listen() });
  place.replaceChildren(html('p', { class: 'choice' }, which, newer, status), root, html('p', null, dialogue), said);
  async function listen() {
    const { pair, of_pair: game } = viewer?.game ?? {};
    const answer = await fetch(`${place.dataset.dialogue}?pair=${pair - 1}&game=${game}`, { cache: 'no-store' }).catch(() => null);
    const files = answer?.ok ? await answer.json() : [];
    said.replaceChildren(...files.map(([name, text]) => html('details', { open: '' }, html('summary', { text: name }), html('pre', { text }))));
    if (!files.length) said.textContent = 'Nothing was kept of this game.';
  }
  let [viewer, loaded] = [null, 0];
  async function load() {
    status.textContent = 'Reading the games …';
    const answer = await fetch(place.dataset.games + (which.value && `?games=${which.value}`), { cache: 'no-store' }).catch(() => null);
    if (!answer?.ok) {
      status.textContent = answer ? await answer.text() : 'The server does not answer.';
      return;
    }
    const data = await answer.json();
    status.textContent = '';
    if (!data) status.textContent = 'This game has no board to show.';
    else if (!data.games.length) status.textContent = 'No games yet.';
    else if (viewer) viewer.replace(data);
    else viewer = new Viewer(root, data);
    loaded = newest;
    newer.hidden = true;
  }
  let newest = 0;
  document.addEventListener('told', ({ detail }) => {
    newest = detail.games;
    newer.hidden = newest <= loaded;
  });
  await load();
}

/** A button for those who want to be told of the end. */
function notifying() {
  if (!window.Notification || Notification.permission !== 'default') return;
  const button = html('button', { type: 'button', class: 'notify', text: 'Notify me at the end', click: async () => {
    await Notification.requestPermission();
    button.remove();
  } });
  document.querySelector('nav')?.append(button);
}

/** The list of all runs. */
function list(place) {
  const status = html('p', { class: 'hint', role: 'status' });
  const find = html('input', { type: 'search', name: 'find', placeholder: 'Config, variant, game …', 'aria-label': 'Find runs', input: () => show() });
  const state = html('select', { name: 'state', 'aria-label': 'State', change: () => show() },
    ...[['', 'All states'], ...Object.entries(WORDS)].map(([value, text]) => html('option', { value, text })));
  const compare = html('button', { type: 'button', text: 'Compare two', disabled: '', click: () => {
    const [a, b] = [...chosen];
    location.href = `/compare?a=${a}&b=${b}`;
  } });
  const chosen = new Set();
  const head = ['', 'Run', 'Game', 'Variants', 'Pairs', 'State', 'Begun', 'Record'].map((text) => html('th', { scope: 'col', text }));
  const body = html('tbody');
  place.replaceChildren(html('p', { class: 'choice' }, find, state, compare), status,
    html('div', { class: 'wide' }, html('table', { class: 'runs', 'aria-label': 'Runs' }, html('thead', null, html('tr', null, ...head)), body)));
  let told = { runs: [], troubles: [] };
  function choose({ target }) {
    if (target.checked) chosen.add(target.value);
    else chosen.delete(target.value);
    compare.disabled = chosen.size !== 2;
  }
  function show() {
    const words = find.value.toLowerCase().split(/\s+/);
    const rows = told.runs.filter((run) => {
      const text = [run.config, run.game, run.kind, run.record, run.run, ...run.variants].join(' ').toLowerCase();
      return (!state.value || state.value === run.state) && words.every((word) => text.includes(word));
    });
    body.replaceChildren(...rows.map((run) => html('tr', null,
      html('td', null, html('input', { type: 'checkbox', name: 'chosen', value: run.run, 'aria-label': `Compare ${run.config}`, checked: chosen.has(run.run) ? '' : null, change: choose })),
      html('th', { scope: 'row' }, html('a', { href: `/run/${run.run.slice(0, 16)}`, text: run.config }), html('span', { class: 'hint', text: ` ${run.kind} ${run.run.slice(0, 12)}` })),
      html('td', { text: run.game }), html('td', { text: run.variants.join(', ') }),
      html('td', { class: 'number', text: `${grouped(run.recorded)} of ${grouped(run.pairs)}` }),
      html('td', { text: WORDS[run.state] }), html('td', { text: new Date(run.begun).toLocaleString() }), html('td', { text: run.record }))));
    status.textContent = [rows.length < told.runs.length ? `${rows.length} of ${told.runs.length} runs.` : '', ...told.troubles].filter(Boolean).join(' ');
  }
  follow(place.dataset.list, (listed) => {
    told = listed;
    show();
  }, (error) => (status.textContent = error));
}

/** The games in progress: asked for as long as they are looked at. */
function live(place) {
  let [stream, viewer, watched] = [null, null, null];
  const list = html('ul', { class: 'live-games', 'aria-label': 'Games in progress' });
  const root = html('div');
  const workers = html('table', { hidden: true, 'aria-label': 'Workers' });
  const status = html('p', { class: 'hint', role: 'status', text: 'No game is told of yet.' });
  place.append(status, list, workers, root);
  const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
  const row = (kind, cells) => html('tr', null, ...cells.map((text) => html(kind, { text: String(text) })));
  function take({ games, watched: shown, workers: there }) {
    status.textContent = there ? 'Workers on other machines play the pairs.' : games.length ? '' : 'No game is being played.';
    workers.hidden = !there;
    workers.replaceChildren(row('th', ['Worker', 'Machine', 'Threads', 'Playing', 'Played', '']), ...(there ?? []).map((it) => row('td', [it.name, it.machine, it.threads, it.playing, it.played, it.takes_part ? '' : 'takes no part'])));
    list.replaceChildren(...games.map(({ pair, game, players, plies, seconds, clocks }) => html('li', null, html('button', {
      type: 'button',
      'aria-pressed': shown && shown.pair === pair && shown.game === game ? 'true' : 'false',
      text: `${pair + 1}.${game} \u2068${players[0]}\u2069 ${clock((clocks ?? seconds)[0])} – ${clock((clocks ?? seconds)[1])} \u2068${players[1]}\u2069, ${plies} plies${clocks ? ', time left' : ', time used'}`,
      click: () => open({ pair, game }),
    }))));
    if (!shown) return;
    const atEnd = !viewer || viewer.ply === viewer.plies;
    if (viewer) viewer.replace(shown);
    else viewer = new Viewer(root, shown, { isLinked: false });
    if (atEnd) viewer.open(viewer.game, Infinity, false);
  }
  function open(which) {
    watched = which ?? watched;
    stream?.close();
    stream = new EventSource(place.dataset.live + (watched ? `?pair=${watched.pair}&game=${watched.game}` : ''));
    stream.addEventListener('message', ({ data }) => take(JSON.parse(data)));
  }
  place.addEventListener('toggle', () => {
    if (place.open) open();
    else stream?.close();
  });
}

/** Buttons for the run that is played. */
function control(place) {
  const status = html('span', { class: 'hint', role: 'status' });
  const wish = (text, name) => html('button', { type: 'button', text, click: async () => {
    const answer = await fetch(place.dataset.control, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Leitai': '1' }, body: JSON.stringify({ wish: name }) }).catch(() => null);
    status.textContent = answer?.ok ? `${text}: told.` : answer ? await answer.text() : 'The server does not answer.';
  } });
  place.append(wish('Pause', 'pause'), wish('Go on', 'go-on'), wish('One pair fewer at once', 'fewer'), wish('One pair more at once', 'more'), wish('End after these pairs', 'drain'), status);
}

for (const place of document.querySelectorAll('[data-live]')) live(place);
for (const place of document.querySelectorAll('[data-control]')) control(place);
for (const root of document.querySelectorAll('[data-state]')) new Run(root);
for (const place of document.querySelectorAll('[data-games]')) games(place);
for (const place of document.querySelectorAll('[data-list]')) list(place);
if (document.querySelector('[data-state]')) notifying();
