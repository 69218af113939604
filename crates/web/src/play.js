import { html } from './board.js';
import { Viewer } from './viewer.js';

const WORDS = { move: 'is choosing a move', hint: 'is looking for a hint', analysis: 'is analysing' };
const signed = (value) => `${value > 0 ? '+' : value < 0 ? '\u2212' : ''}${Math.abs(value / 100).toFixed(2)}`;
const button = (text, click) => html('button', { type: 'button', text, click });
const option = ([value, text]) => html('option', { value, text });
const labelled = (text, field) => html('label', null, text, field);

async function send(order) {
  const answer = await fetch('/play/order', {
    method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Leitai': '1' }, body: JSON.stringify(order),
  }).catch(() => null);
  if (!answer) throw new Error('The server does not answer.');
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

/** A game that is played by hand, or against a variant. */
class Play {
  constructor(root, setup) {
    Object.assign(this, { root, setup, told: null, viewer: null, picked: null });
    this.status = html('p', { class: 'play-message', role: 'status' });
    this.lines = html('ol', { class: 'play-lines', 'aria-label': 'Lines' });
    this.choices = html('div', { class: 'play-choices', role: 'group', 'aria-label': 'Moves to choose from' });
    this.typed = html('input', { name: 'move', 'aria-label': 'Your move', placeholder: 'Your move', autocomplete: 'off', size: 10 });
    this.analysis = button('Analyse', () => this.order({ order: this.told.thinking === 'analysis' ? 'stop' : 'analyse' }));
    const form = html('form', { class: 'play-typed', submit: (event) => {
      event.preventDefault();
      const text = this.typed.value.trim();
      if (text) this.order({ order: 'move', text });
      this.typed.value = '';
    } }, this.typed, html('button', { type: 'submit', text: 'Play' }));
    this.beginning = html('details', { class: 'play-beginning' }, html('summary', { text: 'Another game' }), this.newGame());
    const bar = html('div', { class: 'play-bar', role: 'group', 'aria-label': 'Game' }, form, button('Take back', () => this.order({ order: 'back' })),
      button('Hint', () => this.order({ order: 'hint' })), button('Move for me', () => this.order({ order: 'go' })), this.analysis,
      button('Keep the game', () => this.order({ order: 'save' })), button('New game …', () => {
        this.beginning.open = true;
        this.beginning.scrollIntoView();
        this.beginning.querySelector('select').focus();
      }));
    this.around = { above: [this.status], below: [this.choices, bar, this.lines] };
    this.board = html('div');
    root.append(this.board);
    this.follow();
  }

  /** The form for a new game. */
  newGame() {
    const { variants, sides, openings } = this.setup;
    const variant = html('select', { name: 'variant' }, ...[...variants.entries()].map(option));
    const side = html('select', { name: 'side' }, ...[...sides.entries()].map(option), option(['', 'both']));
    const opening = html('select', { name: 'opening' }, option(['', 'usual start']), option(['any', 'any']), ...[...openings.entries()].map(option));
    const fen = html('input', { name: 'fen', placeholder: 'or a position', 'aria-label': 'Position' });
    const limit = html('select', { name: 'limit' }, ...[['', 'as the config says'], ['millis', 'milliseconds'], ['nodes', 'nodes'], ['depth', 'depth']].map(option));
    const amount = html('input', { name: 'amount', type: 'number', min: 1, value: 1000 });
    return html('form', { class: 'play-new', submit: (event) => {
      event.preventDefault();
      const order = { order: 'new', variant: Number(variant.value) };
      if (side.value) order.side = Number(side.value);
      if (fen.value.trim()) order.fen = fen.value;
      else if (opening.value === 'any') order.opening = Math.floor(Math.random() * openings.length);
      else if (opening.value) order.opening = Number(opening.value);
      if (limit.value) order[limit.value] = Number(amount.value);
      this.order(order);
      this.beginning.open = false;
      this.root.scrollIntoView();
    } }, labelled('Against', variant), labelled('Your side', side), labelled('Opening', opening), labelled('Position', fen),
    labelled('Limit of a move', limit), labelled('Amount', amount), html('button', { type: 'submit', text: 'New game' }));
  }

  async order(order) {
    try {
      this.take(await send(order));
    } catch (error) {
      this.status.textContent = error.message;
    }
  }

  async follow() {
    for (;;) {
      try {
        const answer = await fetch(`/play/state?after=${this.told?.version ?? 0}`, { cache: 'no-store' });
        if (answer.ok) this.take(await answer.json());
      } catch {
        this.status.textContent = 'The server does not answer: it has ended, or the way to it is closed.';
        await new Promise((done) => setTimeout(done, 1000));
      }
    }
  }

  take(told) {
    if (this.told && told.version <= this.told.version) return;
    const [game] = told.games;
    const before = this.told?.games[0];
    this.told = told;
    const isOther = !before || before.fen !== game.fen || before.moves[0].join() !== game.moves[0].join();
    // What is picked stays so while only lines are told.
    if (isOther) this.picked = null;
    const atEnd = isOther || this.viewer.ply === this.viewer.plies;
    told.players = told.players.map((name, side) => (told.human === side || told.human == null ? 'You' : name));
    if (!this.viewer) {
      this.viewer = new Viewer(this.board, told, { isLinked: false, heading: 'h2', onPick: (cell) => this.pick(cell), ...this.around });
      this.board.append(this.beginning);
    } else this.viewer.replace(told);
    if (atEnd) this.viewer.open(this.viewer.game, Infinity, false);
    if (told.human === 1 && !this.viewer.board.flipped && game.moves[0].length < 2) this.viewer.flip();
    const variant = this.setup.variants[told.variant] ?? '';
    const over = game.ending && game.result !== '*' ? game.ending : '';
    const [mover, isYours] = [Number(game.to_move.at(-1)), told.legal.length > 0];
    const turn = over || (told.thinking ? `${variant} ${WORDS[told.thinking]} …` : `${isYours && told.human != null ? 'Your turn: ' : ''}${this.setup.sides[mover]} to move`);
    this.status.textContent = [told.message, turn].filter(Boolean).join(' · ');
    this.status.dataset.turn = over ? 'over' : isYours ? 'yours' : 'theirs';
    this.analysis.textContent = told.thinking === 'analysis' ? 'Stop' : 'Analyse';
    this.lines.replaceChildren(...told.lines.map(({ score, depth, nodes, words }) => html('li', null,
      html('b', { text: score == null ? '' : signed(score) }), `${words.join(' ')} (${[depth && `depth ${depth}`, nodes && `${nodes.toLocaleString('en')} nodes`].filter(Boolean).join(', ')})`)));
    this.viewer.board.arrows(told.lines.filter(({ cells }) => cells.length === 2).map(({ cells: [from, to], score }) => ({ from, to, label: score == null ? '' : signed(score) })));
    this.select();
    if (isOther) this.choose();
    this.root.dataset.version = told.version;
  }

  /** Shows moves to choose by their names; usually those that no cell shows, such as a pass. */
  choose(moves = this.told.legal.filter(({ cells }) => cells.length === 0)) {
    this.choices.replaceChildren(...moves.map((it) => button(it.text, () => this.order({ order: 'move', text: it.move }))));
  }

  /** A cell of the board was picked: a move, or where one begins. */
  pick(cell) {
    const { legal } = this.told;
    // Moves are made where the game stands.
    if (this.viewer.ply !== this.viewer.plies) {
      this.viewer.open(this.viewer.game, Infinity, false);
      return;
    }
    // A move of the selected piece takes precedence over a drop on its target.
    const steps = legal.filter(({ cells: [from, to] }) => from === this.picked && to === cell);
    const whole = steps.length ? steps : legal.filter(({ cells: [from, to] }) => to == null && from === cell);
    if (whole.length) {
      this.picked = null;
      this.select();
      if (whole.length === 1) this.order({ order: 'move', text: whole[0].move });
      else {
        // Games list the strongest promotion last.
        this.choose(whole.reverse());
        this.choices.querySelector('button').focus();
      }
      return;
    }
    this.picked = cell !== this.picked && this.targets(cell).length ? cell : null;
    this.choose();
    this.select();
  }

  targets(cell) {
    return this.told.legal.filter(({ cells: [from, to] }) => from === cell && to != null).map(({ cells }) => cells[1]);
  }

  /** Marks what is picked and where it may go, or the cells that lines begin with. */
  select() {
    const single = this.told.lines.filter(({ cells }) => cells.length === 1).map(({ cells: [to] }) => to);
    this.viewer.board.select(this.picked, this.picked == null ? single : this.targets(this.picked));
  }
}

const root = document.getElementById('play');
if (root) new Play(root, await (await fetch('/play/setup', { cache: 'no-store' })).json());
