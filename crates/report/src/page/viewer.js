import { Board, html, pairs, svg } from './board.js';

const LISTED = 500; // games in the list at once
const PERIOD = 1000; // milliseconds between moves that are played
const RESULTS = ['0-1', '1/2-1/2', '1-0']; // by half points of the first mover
const CHART = { width: 480, height: 130, left: 34, right: 472, top: 8, bottom: 122, clamp: 1000 };
const ICONS = {
  first: 'M5 4h2v12H5zM16 4v12L8 10z',
  previous: 'M12 3h3l-7 7 7 7h-3l-7-7z',
  play: 'M6 4v12l10-6z',
  pause: 'M6 4h3v12H6zM11 4h3v12h-3z',
  next: 'M8 3H5l7 7-7 7h3l7-7z',
  last: 'M13 4h2v12h-2zM4 4v12l8-6z',
  flip: 'M6 3l4 5H7v8H5V8H2zM14 17l-4-5h3V4h2v8h3z',
};

/** The place of an evaluation in hundredths between -1 and 1. */
export const balance = (value) => Math.asinh(Math.min(Math.max(value, -CHART.clamp), CHART.clamp) / 100) / Math.asinh(CHART.clamp / 100);

const signed = (value, text) => `${value > 0 ? '+' : value < 0 ? '\u2212' : ''}${text}`;
const grouped = (number) => number.toLocaleString('en');
const seconds = (millis) => (millis == null ? '' : `${(millis / 1000).toFixed(millis < 9995 ? 3 : 1)} s`);
const triples = (list) => Array.from({ length: list.length / 3 }, (_, at) => list.slice(3 * at, 3 * at + 3));
const titled = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const button = (text, click) => html('button', { type: 'button', text, click });
const select = (label, change, options) => html('select', { name: label.toLowerCase(), 'aria-label': label, change },
  ...options.map(([value, text]) => html('option', { value, text })));

/** Games to step through, built into an element. */
export class Viewer {
  /**
   * `onPick` is that of the board; only one viewer of a page may be linked to its address. `above`
   * and `below` are elements around the board; `side` makes those after the name of a side.
   */
  constructor(root, data, { onPick = null, isLinked = true, heading = 'h3', above = [], below = [], side = () => [] } = {}) {
    Object.assign(this, { root, data, onPick, isLinked, heading, above, below, side, name: isLinked ? 'gv' : 'gv-live', game: null, ply: 0, notation: 0, chosen: null, matching: [], timer: null });
    for (const [name, value] of [['class', 'viewer'], ['role', 'group'], ['aria-label', 'Game viewer'], ['tabindex', -1]]) root.setAttribute(name, value);
    root.append(this.buildGames(), this.buildBoard(), this.buildRecord());
    root.addEventListener('keydown', (event) => this.key(event));
    if (isLinked) {
      document.addEventListener('click', (event) => this.asked(event));
      window.addEventListener('hashchange', () => this.follow());
    }
    this.filter();
    if (!isLinked || !this.follow()) this.open(data.games[0], 0, false);
  }

  /** Shows these games in place of those before; the one that is open stays so, if it is there. */
  replace(data) {
    const { number } = this.game;
    Object.assign(this, { data, game: null, chosen: null });
    this.filter();
    this.open(data.games.find((game) => game.number === number) ?? data.games[0], this.ply, false);
  }

  buildGames() {
    const refilter = () => this.filter();
    this.text = html('input', { type: 'search', name: 'find', placeholder: 'Number, opening, ending …', 'aria-label': 'Find games', input: refilter });
    this.player = select('Player', refilter, [['', 'All players'], ...this.data.players.entries()]);
    this.result = select('Result', refilter, [['', 'All results'], [2], [1], [0], [-1, 'unfinished']]);
    this.count = html('span', { class: 'gv-soft', role: 'status' });
    this.all = button('Show all games', () => this.choose(null));
    this.list = html('div', { class: 'gv-games', role: 'listbox', tabindex: 0, 'aria-label': 'Games', click: ({ target }) => {
      const at = target.closest('[role=option]')?.dataset.at;
      if (at) this.open(this.matching[at], 0);
    } });
    return html('div', { class: 'gv-choice gv-screen' },
      html('div', { class: 'gv-row gv-filters' }, this.text, this.player, this.result),
      this.list,
      html('div', { class: 'gv-row' }, button('Previous game', () => this.otherGame(-1)), button('Next game', () => this.otherGame(1)), this.count, this.all));
  }

  buildBoard() {
    const control = (icon, label, click) => html('button', { type: 'button', 'aria-label': label, title: label, click },
      svg('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' }, svg('path', { class: 'gv-icon', d: ICONS[icon] })));
    this.playing = control('play', 'Play', () => (this.timer ? this.step(0) : this.play(true)));
    const controls = html('div', { class: 'gv-controls gv-screen', role: 'group', 'aria-label': 'Position' },
      control('first', 'First position', () => this.step(-Infinity)), control('previous', 'Previous move', () => this.step(-1)), this.playing,
      control('next', 'Next move', () => this.step(1)), control('last', 'Last position', () => this.step(Infinity)), control('flip', 'Flip board', () => this.flip()));
    this.sides = [html('div', { class: 'gv-side' }), html('div', { class: 'gv-side' })];
    const holder = (this.holder = html('div', { mousedown: () => this.root.focus({ preventScroll: true }) }));
    this.line = html('p', { class: 'gv-line', 'aria-live': 'polite' });
    this.chart = svg('svg', { class: 'gv-chart', role: 'img', viewBox: `0 0 ${CHART.width} ${CHART.height}`, click: ({ clientX }) => {
      const { left, width } = this.chart.getBoundingClientRect();
      const x = ((clientX - left) / width) * CHART.width;
      this.open(this.game, Math.round(((x - CHART.left) / (CHART.right - CHART.left)) * this.plies));
    } });
    this.legend = html('p', { class: 'gv-legend gv-soft' });
    const heads = ['Player', 'Move', 'Evaluation', 'Depth', 'Nodes', 'Time', 'Total'].map((text) => html('th', { scope: 'col', text }));
    this.searches = html('tbody');
    const table = html('table', { class: 'gv-searches', 'aria-label': 'Last searches' }, html('thead', null, html('tr', null, ...heads)), this.searches);
    return html('div', { class: 'gv-main' }, ...this.above, this.sides[1], holder, this.sides[0], ...this.below, controls, this.line,
      html('div', { class: 'gv-screen' }, this.chart, this.legend, html('div', { class: 'wide', role: 'group', tabindex: 0, 'aria-label': 'Wide content' }, table)));
  }

  buildRecord() {
    const { notations } = this.data.game;
    const notation = select('Notation', ({ target }) => {
      this.notation = Number(target.value);
      this.write();
      this.show();
    }, [...notations.entries()]);
    this.title = html(this.heading, { class: 'gv-title' });
    this.about = html('p', { class: 'gv-soft' });
    this.ending = html('p');
    this.moves = html('ol', { class: 'gv-moves', role: 'list', 'aria-label': 'Move list', click: ({ target }) => {
      const ply = target.closest('button')?.dataset.ply;
      if (ply) this.open(this.game, Number(ply));
    } });
    this.copied = html('span', { class: 'gv-soft', role: 'status' });
    this.copyText = html('textarea', { class: 'gv-copy gv-screen', name: 'copy', readonly: '', rows: 6, 'aria-label': 'Text to copy' });
    return html('div', { class: 'gv-record' }, this.title, this.about, this.moves, this.ending,
      html('div', { class: 'gv-row gv-screen' }, ...(notations.length > 1 ? [notation] : []),
        button(this.data.games[0]?.fens ? 'Copy FEN' : 'Copy start FEN', () => this.copy(this.game.fens?.[this.ply] ?? this.game.fen)), button('Copy PGN', () => this.copy(this.game.pgn ?? this.pgn())), this.copied),
      this.copyText);
  }

  /** Lists the games that match what is asked for. */
  filter() {
    const words = this.text.value.toLowerCase().split(/\s+/);
    const player = this.player.value && Number(this.player.value);
    const [points, own] = [this.result.value, player !== ''];
    // The results are those of the player, if there is one.
    for (const it of [0, 1, 2]) this.result.options[3 - it].textContent = (own ? ['lost', 'drawn', 'won'] : RESULTS)[it];
    this.matching = this.data.games.filter((game) => {
      const first = RESULTS.indexOf(game.result);
      const gained = first >= 0 && own && game.players[0] !== player ? 2 - first : first;
      const text = [game.number, ...this.names(game), game.result, game.cause, game.ending, game.opening].join(' ').toLowerCase();
      return (!this.chosen || this.chosen.has(game.number)) && (!own || game.players.includes(player))
        && (points === '' || Number(points) === gained) && words.every((word) => text.includes(word));
    });
    this.all.hidden = !this.chosen;
    this.listed = null;
    this.point();
  }

  /** Points out the game in the list, which has those around it. */
  point() {
    const at = this.matching.indexOf(this.game);
    const start = at - (at % LISTED);
    if (this.listed !== start) {
      this.listed = start;
      const games = this.matching.slice(this.listed, this.listed + LISTED);
      this.list.replaceChildren(...games.map((game, row) => html('div', { role: 'option', id: `${this.name}-game-${row}`, 'data-at': this.listed + row },
        ...[game.number, this.versus(game), game.result, game.cause].map((text) => html('span', { text })))));
      const [some, all] = [this.matching.length, this.data.games.length];
      const part = games.length < some ? `, listed from ${grouped(this.listed + 1)} to ${grouped(this.listed + games.length)}` : '';
      this.count.textContent = `${some < all ? `${grouped(some)} of ` : ''}${grouped(all)} ${all === 1 ? 'game' : 'games'}${part}`;
    }
    this.row?.removeAttribute('aria-selected');
    this.list.removeAttribute('aria-activedescendant');
    this.row = this.list.children[at - this.listed];
    if (!this.row) return;
    this.row.setAttribute('aria-selected', 'true');
    this.list.setAttribute('aria-activedescendant', this.row.id);
    reveal(this.list, this.row);
  }

  /** Narrows the list to games by their numbers; `null` for all. */
  choose(numbers) {
    this.chosen = numbers && new Set(numbers);
    for (const field of [this.text, this.player, this.result]) field.value = '';
    this.filter();
    if (numbers && this.matching.length) this.open(this.matching[0], 0);
  }

  /** Elements anywhere in the page may ask for games. */
  asked(event) {
    const asking = event.target.closest('[data-players]');
    if (!asking) return;
    event.preventDefault();
    const players = JSON.parse(asking.dataset.players);
    const isBetween = (game) => this.names(game).every((name) => players.includes(name));
    this.choose(this.data.games.filter(isBetween).map(({ number }) => number));
    this.root.scrollIntoView();
    this.list.focus({ preventScroll: true });
  }

  otherGame(by) {
    const at = this.matching.indexOf(this.game);
    const other = this.matching[at < 0 ? 0 : at + by];
    if (other) this.open(other, 0);
  }

  get plies() {
    return this.game.changes.length;
  }

  names(game) {
    return game.players.map((player) => this.data.players[player] ?? '?');
  }

  /** The players; what a name does to the direction of writing ends with it. */
  versus(game) {
    return this.names(game).map((name) => `\u2068${name}\u2069`).join(' – ');
  }

  /** The side to move at a ply. */
  mover(ply) {
    return Number(this.game.to_move[ply]);
  }

  /** Whether a move stands in the second column of the move list. */
  isSecond(ply) {
    return (ply + this.mover(0)) % 2 === 1;
  }

  /** `12.`; positions may tell the number of their move. */
  number(ply) {
    const first = Number(/ \d+ (\d+)$/.exec(this.game.fen)?.[1] ?? 1);
    return `${first + ((ply + this.mover(0)) >> 1)}.`;
  }

  /** `12. Nf3` or `12... Nf6`. */
  written(ply) {
    return `${this.number(ply)}${this.isSecond(ply) ? '..' : ''} ${this.game.moves[this.notation][ply]}`;
  }

  /** The score of a move as the first side sees it, as number and text. */
  score(ply) {
    const [score, , , , mate] = this.game.searched[ply] ?? [];
    const sign = this.mover(ply) === 0 ? 1 : -1;
    if (mate != null) return [sign * mate * Infinity || 0, signed(sign * mate, `M${Math.abs(mate)}`)];
    return score == null ? null : [sign * score, signed(sign * score, Math.abs(score / 100).toFixed(2))];
  }

  open(game, ply, byHand = true) {
    const isOther = game !== this.game;
    if (byHand) this.play(false);
    this.game = game;
    this.ply = Math.min(Math.max(ply, 0), this.plies);
    if (isOther) {
      this.lay();
      this.write();
      this.plot();
      this.point();
    }
    this.show();
    if (!byHand || !this.isLinked) return;
    try {
      history.replaceState(null, '', `#game=${game.number}&ply=${this.ply}`);
    } catch {
      // Browsers refuse it where it is done very often.
    }
  }

  /** Lays the board of the game, if it is another than the one that is there. */
  lay() {
    const empty = this.data.boards[this.game.board];
    const game = { ...this.data.game, ...empty };
    const laid = JSON.stringify(empty);
    if (this.laid === laid) {
      this.board.use(game);
      return;
    }
    const { flipped } = this.board ?? {};
    this.laid = laid;
    this.holder.replaceChildren();
    this.board = new Board(this.holder, game, { onPick: this.onPick });
    if (flipped) this.board.flip();
  }

  step(by) {
    this.open(this.game, this.ply + by);
  }

  /** Writes what is said of the game as a whole. */
  write() {
    const { game } = this;
    const isBook = (ply) => ply > 0 && ply <= game.book;
    const move = (ply, text) => html('button', { type: 'button', 'data-ply': ply, tabindex: -1, text, ...(isBook(ply) && { class: 'gv-book', title: 'Book move', 'aria-label': `${text}, book move` }) });
    const items = [html('li', { class: 'gv-start' }, move(0, 'Start position'))];
    game.moves[this.notation].forEach((text, ply) => {
      if (ply === 0 || !this.isSecond(ply)) items.push(html('li', null, html('span', { text: this.number(ply) })));
      if (ply === 0 && this.isSecond(ply)) items[1].append(html('span', { text: '…' }));
      items.at(-1).append(move(ply + 1, text));
    });
    this.moves.replaceChildren(...items);
    this.buttons = this.moves.querySelectorAll('button');
    const result = game.result === '*' ? '' : `, ${game.result}`;
    this.title.textContent = `${this.isLinked ? `Game ${game.number}: ` : ''}${this.versus(game)}${result}`;
    this.about.textContent = [this.isLinked && `Pair ${game.pair}`, game.opening].filter(Boolean).join(' · ');
    this.ending.textContent = game.ending || [result.slice(2), game.cause].filter(Boolean).join(', ');
    this.copied.textContent = '';
    this.copyText.hidden = true;
  }

  /** Shows the position. */
  show() {
    const { game, ply } = this;
    const changes = [game.start, ...game.changes.slice(0, ply)];
    this.board.show({ pieces: new Map(changes.flatMap(pairs)), marks: game.marks[ply] ?? moved(game.changes[ply - 1]), toMove: this.mover(ply) });
    this.showSides();
    const depth = game.searched[ply - 1]?.[1];
    const isCheck = game.marks[ply]?.some((kind, at) => at % 2 && kind === 3);
    const words = ply === 0 ? ['Start position'] : [this.written(ply - 1), isCheck && 'check', this.score(ply - 1)?.[1], depth && `depth ${depth}`];
    this.line.textContent = [...words, ply === this.plies && this.ending.textContent].filter(Boolean).join(', ');
    this.searches.replaceChildren(this.search(0), this.search(1));
    for (const end of ['x1', 'x2']) this.marker.setAttribute(end, this.x(ply));
    const hadFocus = this.moves.contains(document.activeElement);
    this.current?.removeAttribute('aria-current');
    this.current?.setAttribute('tabindex', -1);
    this.current = this.buttons[ply];
    this.current.setAttribute('aria-current', 'step');
    this.current.setAttribute('tabindex', 0);
    if (hadFocus) this.current.focus({ preventScroll: true });
    reveal(this.moves, this.current);
  }

  /** Who plays above and below the board. */
  showSides() {
    const { figures, sides, hands = [] } = this.data.game;
    const held = (this.game.hands ?? []).slice(0, this.ply + 1).filter(Boolean).at(-1) ?? [];
    const inHand = (side) => {
      const counts = triples(held).filter(([of]) => of === side).map(([, kind, number]) => [...hands[kind], number]);
      const label = counts.map(([name, , number]) => `${name}: ${number}`).join(', ');
      const text = counts.map(([, symbol, number]) => (number > 1 ? symbol + number : symbol)).join(' ');
      return label && html('span', { class: 'gv-hand', role: 'img', 'aria-label': label, title: label, text });
    };
    const points = this.ply === this.plies ? RESULTS.indexOf(this.game.result) : -1;
    for (const side of [0, 1]) {
      const tint = figures.find((figure) => figure.side === sides[side])?.tint;
      const state = points >= 0 ? ['0', '½', '1'][side ? 2 - points : points] : this.mover(this.ply) === side ? 'to move' : '';
      this.sides[this.board.flipped ? 1 - side : side].replaceChildren(
        svg('svg', { class: `gv-swatch gb-${tint}`, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, svg('circle', { class: 'gb-disc', cx: 8, cy: 8, r: 6.5 })),
        html('b', { text: this.names(this.game)[side] }), html('span', { class: 'gv-soft', text: sides[side] }), inHand(side), html('span', { class: 'gv-state', text: state }), ...this.side(side));
    }
  }

  /** The plies of a side up to the position. */
  pliesOf(side) {
    return this.game.changes.map((_, ply) => ply).filter((ply) => ply < this.ply && this.mover(ply) === side);
  }

  /** The report of a side on its last move, and its time so far. */
  search(side) {
    const plies = this.pliesOf(side);
    const last = plies.at(-1);
    const times = plies.map((ply) => this.game.searched[ply]?.[3]).filter((millis) => millis != null);
    const total = times.length ? times.reduce((sum, millis) => sum + millis) : null;
    const [, depth, nodes, millis] = this.game.searched[last] ?? [];
    const told = last == null ? ['', ''] : [this.written(last), this.score(last)?.[1] ?? ''];
    const cells = [...told, depth || '', nodes ? grouped(nodes) : '', seconds(millis), seconds(total)].map((text) => html('td', { text }));
    return html('tr', { class: last === this.ply - 1 ? 'gv-latest' : null }, html('th', { scope: 'row', text: this.names(this.game)[side] }), ...cells);
  }

  x(ply) {
    return CHART.left + (ply / Math.max(this.plies, 1)) * (CHART.right - CHART.left);
  }

  /** Plots the evaluations of both players, as the first side sees them. */
  plot() {
    const y = (value) => CHART.top + ((1 - balance(value)) / 2) * (CHART.bottom - CHART.top);
    const ticks = [1000, 300, 100, 0, -100, -300, -1000].flatMap((value) => [
      svg('line', { class: value ? 'gv-rule' : 'gv-zero', x1: CHART.left, x2: CHART.right, y1: y(value), y2: y(value) }),
      svg('text', { class: 'gv-tick', x: CHART.left - 5, y: y(value) + 3.5, text: signed(value, Math.abs(value / 100)) })]);
    // A disc or a square tells the players apart without colour.
    const sign = (side) => ([x, y]) => (side ? svg('rect', { class: 'gv-sign gv-s1', x: x - 2.4, y: y - 2.4, width: 4.8, height: 4.8 })
      : svg('circle', { class: 'gv-sign gv-s0', cx: x, cy: y, r: 2.6 }));
    const curve = (side, points, signs) => [svg('polyline', { class: `gv-curve gv-s${side}`, points: points.join(' ') }), ...signs.map(sign(side))];
    const every = Math.ceil(this.plies / 50);
    const curves = [0, 1].flatMap((side) => {
      const scores = this.game.changes.map((_, ply) => (this.mover(ply) === side ? this.score(ply) : null));
      const points = scores.map((it, ply) => it && [this.x(ply + 1), y(it[0])]).filter(Boolean);
      return curve(side, points, points.filter((_, at) => at % every === 0));
    });
    this.marker = svg('line', { class: 'gv-marker', y1: 0, y2: CHART.height });
    this.chart.replaceChildren(...ticks, ...curves, this.marker);
    const names = this.names(this.game);
    const view = `Evaluation from the point of view of ${this.data.game.sides[0]}`;
    this.chart.setAttribute('aria-label', `${view}, by ply, of ${names.join(' and ')}`);
    const keys = names.map((name, side) => html('span', { class: 'gv-key' },
      svg('svg', { viewBox: '0 0 34 10', 'aria-hidden': 'true' }, ...curve(side, [[0, 5], [34, 5]], [[17, 5]])), name));
    this.legend.replaceChildren(...keys, view);
  }

  flip() {
    this.board.flip();
    this.showSides();
  }

  play(on) {
    if (on === Boolean(this.timer)) return;
    clearInterval(this.timer);
    this.timer = null;
    if (on && this.ply === this.plies) this.open(this.game, 0);
    if (on) {
      this.timer = setInterval(() => {
        this.open(this.game, this.ply + 1, false);
        if (this.ply === this.plies) this.step(0);
      }, PERIOD);
    }
    for (const name of ['aria-label', 'title']) this.playing.setAttribute(name, on ? 'Pause' : 'Play');
    this.playing.querySelector('path').setAttribute('d', on ? ICONS.pause : ICONS.play);
  }

  key(event) {
    const { target, key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || target.closest('input, textarea, select')) return;
    // In the list of games Home and End mean games.
    const end = (by, game) => (target === this.list ? game && this.open(game, 0) : this.step(by));
    const acts = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      ArrowUp: () => this.otherGame(-1),
      ArrowDown: () => this.otherGame(1),
      Home: () => end(-Infinity, this.matching[0]),
      End: () => end(Infinity, this.matching.at(-1)),
      f: () => this.flip(),
    };
    if (!Object.hasOwn(acts, key)) return;
    event.preventDefault();
    acts[key]();
  }

  /** Goes where the address points; whether it points to a game. */
  follow() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const game = this.data.games.find(({ number }) => String(number) === asked.get('game'));
    if (!game) return false;
    this.play(false);
    this.open(game, Math.trunc(asked.get('ply')) || 0, false);
    this.root.scrollIntoView();
    return true;
  }

  /** The game as PGN, its moves in the first notation. */
  pgn() {
    const { game } = this;
    const sides = this.data.game.sides.map((side, at) => [titled(side), this.names(game)[at]]);
    const tags = [['Event', '?'], ['Site', '?'], ['Date', '????.??.??'], ['Round', game.number], ...sides, ['Result', game.result],
      ['Opening', game.opening], ['SetUp', 1], ['FEN', game.fen], ['Termination', game.cause]].filter(([, value]) => value);
    const quoted = (value) => `"${String(value).replace(/[\\"]/g, '\\$&').replace(/\s+/g, ' ')}"`;
    const words = game.moves[0].flatMap((move, ply) => (this.isSecond(ply) && ply > 0 ? [move] : [`${this.number(ply)}${this.isSecond(ply) ? '..' : ''}`, move]));
    const lines = [''];
    for (const word of [...words, game.result]) {
      const line = `${lines.at(-1)} ${word}`.trim();
      if (line.length < 80) lines.pop();
      lines.push(line.length < 80 ? line : word);
    }
    return `${tags.map(([name, value]) => `[${name} ${quoted(value)}]`).join('\n')}\n\n${lines.join('\n')}\n`;
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.copied.textContent = 'Copied.';
    } catch {
      this.copyText.hidden = false;
      this.copyText.value = text;
      this.copyText.select();
      this.copied.textContent = 'Selected: copy it by keyboard.';
    }
  }
}

/** The marks of a move by which a piece has gone from one cell to another. */
function moved(changes) {
  return pairs(changes).flatMap(([cell, figure]) => [cell, figure < 0 ? 0 : 1]);
}

/** Scrolls a box, and nothing around it, so that an element of it is seen. */
function reveal(box, element) {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
}

const place = document.getElementById('viewer');
const data = document.getElementById('games');
if (place && data) {
  const games = JSON.parse(data.textContent);
  if (games.games.length > 0) new Viewer(place, games);
}
