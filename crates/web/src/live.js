import { html, svg } from './board.js';
import { Viewer, balance } from './viewer.js';

const PERIOD = 1000; // milliseconds between looks while the page is seen
const WORDS = { playing: 'running', finished: 'finished', stopped: 'stopped' };
const CLASSES = { accepted: 'good', 'played-alike': 'done', rejected: 'bad', failed: 'bad', inconclusive: 'open', running: 'done', finished: 'done', stopped: 'open' };
const NEXT = 4; // listed pairs to play

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const grouped = (number) => number.toLocaleString('en');
const wait = (millis) => new Promise((done) => setTimeout(done, millis));
const seen = () => new Promise((done) => {
  if (!document.hidden) done();
  else document.addEventListener('visibilitychange', () => seen().then(done), { once: true });
});

/** Passes on each change of a document of the server. */
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

/** The progress of a run in words. */
function progress({ state, verdict, pairs, all_pairs: all, games }) {
  const share = all ? ` of ${grouped(all)} pairs, ${Math.floor((100 * pairs) / all)} %` : pairs === 1 ? ' pair' : ' pairs';
  return `${verdict ?? WORDS[state]} · ${grouped(pairs)}${share} · ${grouped(games)} games`;
}

/** Updates the parts of a run. */
class Run {
  constructor(root) {
    this.root = root;
    this.status = root.querySelector('[role=status]');
    this.title = document.title;
    this.parts = new Map();
    this.state = null;
    follow(root.dataset.state, (state) => this.take(state), (error) => (this.status.textContent = error));
  }

  take(state) {
    this.status.textContent = progress(state);
    this.status.dataset.is = state.state;
    for (const [name, text] of state.parts) {
      const part = this.root.querySelector(`[data-part="${name}"]`);
      if (!part || this.parts.get(name) === text) continue;
      // The first state is the one in the page.
      if (this.parts.has(name) || part.innerHTML !== text) part.innerHTML = text;
      this.parts.set(name, text);
    }
    const { all_pairs: all, pairs } = state;
    const share = state.state !== 'playing' ? '' : all ? `${Math.floor((100 * pairs) / all)} % · ` : `${grouped(pairs)} · `;
    document.title = share + this.title;
    if (this.state?.state === 'playing' && state.state !== 'playing') this.ended(state);
    this.state = state;
    this.root.dispatchEvent(new CustomEvent('updated', { bubbles: true, detail: state }));
  }

  ended(state) {
    const verdict = this.root.querySelector('.lead')?.textContent.trim();
    if (window.Notification?.permission === 'granted') new Notification(`${this.title}: ${WORDS[state.state]}`, { body: verdict });
  }
}

/** The games of a run, loaded with the page and again by a button. */
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
  document.addEventListener('updated', ({ detail }) => {
    newest = detail.games;
    newer.hidden = newest <= loaded;
  });
  await load();
}

/** A button that requests a notification at the end. */
function notifying() {
  if (!window.Notification || Notification.permission !== 'default') return;
  const button = html('button', { type: 'button', class: 'notify', text: 'Notify me at the end', click: async () => {
    await Notification.requestPermission();
    button.remove();
  } });
  document.querySelector('nav')?.append(button);
}

/** A duration in the two largest units. */
function duration(seconds) {
  const units = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];
  const at = Math.max(units.findIndex(([, size]) => seconds >= size), 0);
  const [[unit, size], smaller] = [seconds < 1 ? units[3] : units[at], units[at + 1]];
  const rest = smaller && seconds >= 1 ? Math.floor((seconds % size) / smaller[1]) : 0;
  return `${Math.floor(seconds / size)} ${unit}${rest ? ` ${rest} ${smaller[0]}` : ''}`;
}

const elo = (value) => `${value > 0 ? '+' : value < 0 ? '\u2212' : ''}${Math.abs(value).toFixed(1)}`;

/** The verdict of a listed run, or its state. */
function outcome({ verdict, error, state }) {
  if (error) return 'unreadable';
  return verdict == null ? WORDS[state] : typeof verdict === 'string' ? verdict : Object.keys(verdict)[0];
}

/** The limits of an interval, which may be open. */
function limits({ low, high }) {
  if (low != null && high != null) return `${elo(low)} .. ${elo(high)}`;
  return low != null ? `at least ${elo(low)}` : high != null ? `at most ${elo(high)}` : 'not estimable';
}

/** Elo over the pairs of a run as a small curve. */
function curve({ curve: points, elo: last }) {
  if (points.length < 2) return '';
  const [width, height] = [90, 26];
  const most = Math.max(...points.map(([, value]) => Math.abs(value)), 1);
  const y = (value) => height / 2 - (value / most) * (height / 2 - 2);
  const line = points.map(([pairs, value]) => `${(width * pairs) / points.at(-1)[0]},${y(value)}`);
  return svg('svg', { class: 'spark', role: 'img', viewBox: `0 0 ${width} ${height}`, 'aria-label': `Elo over pairs, at the end ${last?.value == null ? 'unknown' : elo(last.value)}` },
    svg('line', { class: 'axis', x1: 0, x2: width, y1: height / 2, y2: height / 2 }), svg('polyline', { class: 'line', points: line.join(' ') }));
}

/** The list of all runs. */
function list(place) {
  const status = html('p', { class: 'hint', role: 'status' });
  const find = html('input', { type: 'search', name: 'find', placeholder: 'Config, variant, game …', 'aria-label': 'Find runs', input: () => show() });
  const state = html('select', { name: 'state', 'aria-label': 'Verdict or state', change: () => show() },
    ...[['', 'All runs'], ...Object.keys(CLASSES).map((word) => [word, word.replace('-', ' ')])].map(([value, text]) => html('option', { value, text })));
  const compare = html('button', { type: 'button', text: 'Compare two', disabled: '', click: () => {
    const [a, b] = [...chosen];
    location.href = `/compare?a=${a}&b=${b}`;
  } });
  const chosen = new Set();
  const head = ['Run', 'Verdict', 'Elo (95 %)', 'Curve', 'Time left', 'Pairs', 'Begun', 'Record', 'Compare'].map((text) => html('th', { role: 'columnheader', scope: 'col', text }));
  // Phones show rows as blocks, which keep the roles of a table only by name.
  const body = html('tbody', { role: 'rowgroup' });
  place.replaceChildren(html('p', { class: 'choice' }, find, state, compare), status,
    html('div', { class: 'wide', role: 'group', tabindex: 0, 'aria-label': 'Wide content' },
      html('table', { role: 'table', class: 'runs', 'aria-label': 'Runs' }, html('thead', { role: 'rowgroup' }, html('tr', { role: 'row' }, ...head)), body)));
  let all = { runs: [], troubles: [] };
  function choose({ target }) {
    if (target.checked) chosen.add(target.value);
    else chosen.delete(target.value);
    compare.disabled = chosen.size !== 2;
  }
  function row(run) {
    const word = outcome(run);
    const strength = run.elo && html('span', null, html('b', { text: run.elo.value == null ? '' : `${elo(run.elo.value)} ` }), limits(run.elo),
      ...(run.variants.length > 2 ? [html('small', { text: `${run.elo.of} – ${run.elo.against}` })] : []));
    const cells = [
      html('th', { role: 'rowheader', scope: 'row' }, html('a', { href: `/run/${run.run}`, text: run.name }), html('small', { text: [`${run.game} ${run.kind} ${run.run.slice(0, 12)}`, run.limits].filter(Boolean).join(', ') })),
      html('td', null, html('span', { class: `verdict ${CLASSES[word] ?? 'bad'}`, text: word.replace('-', ' ') })),
      html('td', { class: 'number' }, strength ?? (run.pending ? '…' : '')), html('td', null, curve(run)),
      html('td', { class: 'number', text: run.seconds_to_go == null ? '' : duration(run.seconds_to_go) }),
      html('td', { class: 'number', text: `${grouped(run.recorded)} of ${grouped(run.pairs)}` }),
      html('td', { text: run.begun ? new Date(run.begun).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' }) : '' }), html('td', { text: run.record }),
      html('td', null, html('input', { type: 'checkbox', name: 'chosen', value: run.run, 'aria-label': `Compare ${run.name}`, checked: chosen.has(run.run) ? '' : null, change: choose })),
    ];
    for (const cell of cells.slice(1)) cell.setAttribute('role', 'cell');
    return html('tr', { role: 'row' }, ...cells);
  }
  function show() {
    const words = find.value.toLowerCase().split(/\s+/);
    const rows = all.runs.filter((run) => {
      const text = [run.config, run.game, run.kind, run.record, run.run, ...run.variants].join(' ').toLowerCase();
      return (!state.value || state.value === outcome(run)) && words.every((word) => text.includes(word));
    });
    body.replaceChildren(...rows.map(row));
    status.textContent = [rows.length < all.runs.length ? `${rows.length} of ${all.runs.length} runs.` : '', ...all.troubles].filter(Boolean).join(' ');
  }
  follow(place.dataset.list, (listed) => {
    all = listed;
    show();
  }, (error) => (status.textContent = error));
}

/** A clock: minutes and seconds, with tenths below ten seconds. */
function clock(seconds) {
  const left = Math.max(seconds, 0);
  if (left < 10) return `0:0${left.toFixed(1)}`.replace('0:010.0', '0:10');
  const parts = [left / 3600, (left / 60) % 60, left % 60].map(Math.floor);
  return (parts[0] ? parts : parts.slice(1)).map((part, at) => (at ? String(part).padStart(2, '0') : part)).join(':');
}

/** The games in progress, received while they are seen. */
function live(place) {
  let [stream, viewer, watched, games, shown, heard, pairs] = [null, null, null, [], null, 0, []];
  const list = html('ul', { class: 'live-games', 'aria-label': 'Games in progress' });
  const root = html('div');
  const workers = html('table', { hidden: true, 'aria-label': 'Workers' });
  const status = html('p', { class: 'hint', role: 'status', text: 'Waiting for a game.' });
  const next = html('ol', { class: 'live-next', 'aria-label': 'Next games' });
  const upcoming = html('div', { hidden: '' }, html('h3', { text: 'Next games' }), next);
  place.append(status, list, workers, root, upcoming);
  const row = (kind, cells) => html('tr', null, ...cells.map((text) => html(kind, { text: String(text) })));
  const isShown = ({ pair, game }) => shown && shown.pair === pair && shown.of_pair === game;
  const versus = (players) => players.map((name) => `\u2068${name}\u2069`).join(' – ');

  /** The time of a side now: left on its clock, or used in a game without clocks. */
  function time({ seconds, clocks, since, to_move: mover }, side) {
    const gone = mover === side ? (since + performance.now() - heard) / 1000 : 0;
    return clock(clocks ? clocks[side] - gone : seconds[side] + gone);
  }

  /** The clock, evaluation, search and line of a side. */
  function panel(side) {
    const game = games.find(isShown);
    if (!game) return [];
    const last = viewer?.pliesOf(side).at(-1);
    const [, depth, nodes, millis] = viewer?.game.searched[last] ?? [];
    const [value, text] = (last != null && viewer.score(last)) || [0, '–'];
    const [x, half] = [balance(value) * 50, 50];
    const bar = svg('svg', { class: 'live-bar', role: 'img', viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-label': `Evaluation by ${shown.players[side]}: ${text}` },
      svg('rect', { class: 'track', width: 100, height: 8 }), svg('rect', { class: `live-fill gv-s${side}`, x: half + Math.min(x, 0), width: Math.abs(x), height: 8 }),
      svg('line', { class: 'axis', x1: half, x2: half, y1: 0, y2: 8 }));
    const facts = [['Eval', text], ['Depth', depth ?? '–'], ['Nodes', nodes ? compact.format(nodes) : '–'], ['Speed', nodes && millis ? `${compact.format((1000 * nodes) / millis)}/s` : '–']];
    const [ply, words] = shown.lines[side];
    const number = words.length ? `${viewer?.number(ply) ?? ''}${viewer?.isSecond(ply) ? '..' : ''} ` : '';
    return [
      html('span', { class: 'live-clock', role: 'timer', 'aria-label': game.clocks ? 'Time left' : 'Time used', 'data-side': side, text: time(game, side) }),
      html('div', { class: 'live-engine' }, bar, html('dl', null, ...facts.map(([name, value]) => html('div', null, html('dt', { text: name }), html('dd', { text: value })))),
        html('p', { class: 'live-line', text: number + words.join(' ') }))];
  }

  function tick() {
    const game = games.find(isShown);
    for (const it of game ? root.querySelectorAll('.live-clock') : []) it.textContent = time(game, Number(it.dataset.side));
  }

  function showNext() {
    const begun = new Set(games.map(({ pair }) => pair));
    const rest = pairs.filter(({ pair }) => !begun.has(pair) && pair > Math.min(...begun, Infinity)).slice(0, NEXT);
    upcoming.hidden = !rest.length;
    next.replaceChildren(...rest.map(({ pair, players, opening }) => html('li', { value: pair + 1, text: `${versus(players)}, ${opening}` })));
  }

  function take({ games: listed, watched: data, workers: there }) {
    const isOther = !data || !isShown({ pair: data.pair, game: data.of_pair });
    [games, shown, heard] = [listed, data, performance.now()];
    status.textContent = there ? 'Workers on other machines play the pairs.' : games.length ? '' : 'No game is being played.';
    workers.hidden = !there;
    workers.replaceChildren(row('th', ['Worker', 'Machine', 'Threads', 'Playing', 'Played', 'Note']), ...(there ?? []).map((it) => row('td', [it.name, it.machine, it.threads, it.playing, it.played, it.takes_part ? '' : 'takes no part'])));
    list.replaceChildren(...games.map((it) => html('li', null, html('button', {
      type: 'button',
      'aria-pressed': isShown(it) ? 'true' : 'false',
      text: `${it.pair + 1}.${it.game} ${versus(it.players)}, ${it.plies} plies`,
      click: () => open(it),
    }))));
    showNext();
    if (!data) return;
    const atEnd = isOther || !viewer || viewer.ply === viewer.plies;
    if (viewer) viewer.replace(data);
    else viewer = new Viewer(root, data, { isLinked: false, side: panel });
    if (atEnd) viewer.open(viewer.game, Infinity, false);
  }

  function open(which) {
    watched = which ?? watched;
    stream?.close();
    stream = null;
    // A hidden page keeps no connection: browsers have few of them for a server.
    if (!place.open || document.hidden) return;
    stream = new EventSource(place.dataset.live + (watched ? `?pair=${watched.pair}&game=${watched.game}` : ''));
    stream.addEventListener('message', ({ data }) => take(JSON.parse(data)));
  }
  place.addEventListener('toggle', () => open());
  document.addEventListener('visibilitychange', () => open());
  document.addEventListener('updated', ({ detail }) => {
    pairs = detail.next;
    showNext();
  });
  setInterval(tick, 100);
  open();
}

/** Buttons that control the run in progress. */
function control(place) {
  const status = html('span', { class: 'hint', role: 'status' });
  const wish = (text, name) => html('button', { type: 'button', text, click: async () => {
    const answer = await fetch(place.dataset.control, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Leitai': '1' }, body: JSON.stringify({ wish: name }) }).catch(() => null);
    status.textContent = answer?.ok ? `${text}: requested.` : answer ? await answer.text() : 'The server does not answer.';
  } });
  place.append(wish('Pause', 'pause'), wish('Go on', 'go-on'), wish('One pair fewer at once', 'fewer'), wish('One pair more at once', 'more'), wish('End after these pairs', 'drain'), status);
}

for (const place of document.querySelectorAll('[data-live]')) live(place);
for (const place of document.querySelectorAll('[data-control]')) control(place);
for (const root of document.querySelectorAll('[data-state]')) new Run(root);
for (const place of document.querySelectorAll('[data-games]')) games(place);
for (const place of document.querySelectorAll('[data-list]')) list(place);
if (document.querySelector('[data-state]')) notifying();
