// A board as SVG, and over it a grid of cells for pointers, keys and screen readers.

const CELL = 40;
const RADIUS = 0.43 * CELL;
/** The corners of a piece of Shogi. */
const WEDGE = [[0, -0.46], [0.3, -0.32], [0.4, 0.42], [-0.4, 0.42], [-0.3, -0.32]].map((corner) => corner.map((it) => it * CELL)).join(' ');
const TINTS = ['black', 'white', 'red', 'blue', 'green', 'yellow'];
const MARKS = ['last move from', 'last move to', 'marked', 'in check'];

/** An element of HTML; functions among the attributes are listeners, `text` is its text. */
export const html = (tag, ...rest) => filled(document.createElement(tag), ...rest);

/** An element of SVG, likewise. */
export const svg = (tag, ...rest) => filled(document.createElementNS('http://www.w3.org/2000/svg', tag), ...rest);

/** The items of a list by twos. */
export const pairs = (list) => Array.from({ length: list.length >> 1 }, (_, at) => [list[2 * at], list[2 * at + 1]]);

function filled(element, attributes, ...children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (name === 'text') element.textContent = value;
    else if (value != null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** A cell is its row from the top times the columns, plus its column. */
export class Board {
  /**
   * `onPick(cell)` is told each cell that is clicked or entered; a drag picks the cell where
   * it began and the one where it ends. Without it the board is only looked at.
   */
  constructor(container, game, { onPick = null, label = 'Board' } = {}) {
    Object.assign(this, { game, onPick, label, flipped: false, focused: 0, drag: null, pointed: [] });
    this.state = { pieces: new Map(), marks: [], toMove: null };
    this.picked = { cell: null, targets: [] };
    [this.columns, this.rows] = [game.columns.length, game.rows.length];
    const font = (this.font = Math.max((this.columns * CELL) / 27, 15));
    const longest = Math.max(...game.rows.map((row) => row.length));
    [this.left, this.top] = [font * (0.6 * longest + 0.7), font / 2];
    const [width, height] = [this.left + this.columns * CELL + this.top, this.rows * CELL + 2 * font];
    const layer = (name) => [name, svg('g', { class: `gb-${name}`, 'font-size': font })];
    this.layers = Object.fromEntries(['ground', 'labels', 'under', 'pieces', 'over', 'arrows'].map(layer));
    const picture = this.picture = svg('svg', { class: `gb-picture gb-${game.cells}`, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
      svg('rect', { class: 'gb-wood', width, height, rx: 6 }), ...Object.values(this.layers));
    this.figures = game.figures.map(drawn);
    const times = (length, make) => Array.from({ length }, make);
    const cell = () => html('div', { role: 'gridcell', tabindex: -1 });
    const rows = times(this.rows, () => html('div', { role: 'row' }, ...times(this.columns, cell)));
    this.cells = rows.flatMap((row) => [...row.children]);
    this.grid = html('div', {
      class: 'gb-grid',
      role: 'grid',
      'aria-readonly': onPick ? null : 'true',
      keydown: (event) => this.key(event),
      focusin: (event) => this.rove(this.cells.indexOf(event.target)),
      // A board that is only looked at leaves the focus where it is.
      mousedown: (event) => onPick || event.preventDefault(),
      pointerdown: (event) => this.press(event),
      pointermove: (event) => this.move(event),
      pointerup: (event) => this.release(event),
      pointercancel: () => this.release(null),
      // Assistive technology clicks without a pointer.
      click: (event) => event.detail === 0 && this.pick(this.cells.indexOf(event.target)),
    }, ...rows);
    const insets = [this.top / height, this.top / width, (1.5 * font) / height, this.left / width];
    this.grid.style.inset = insets.map((it) => `${100 * it}%`).join(' ');
    container.append(html('div', { class: onPick ? 'gb gb-playable' : 'gb' }, picture, this.grid));
    this.rove(0);
    this.draw();
  }

  /** Takes other figures, for a board that looks the same without them. */
  use(game) {
    this.game = game;
    this.figures = game.figures.map(drawn);
  }

  /** The name of a cell, such as `e4`. */
  name(cell) {
    return this.game.columns[cell % this.columns] + this.game.rows[Math.floor(cell / this.columns)];
  }

  /**
   * Shows a position: the figures by cell (a `Map` or an array; -1 for none), marks as cells
   * and kinds by turns, and the side to move.
   */
  show({ pieces, marks = [], toMove = null }) {
    this.state = { pieces: pieces instanceof Map ? pieces : new Map(pieces.entries()), marks, toMove };
    this.put();
  }

  /** Turns the board by half. */
  flip() {
    this.flipped = !this.flipped;
    this.picture.classList.toggle('gb-flipped', this.flipped);
    this.draw();
  }

  /** Marks a cell as picked, and others as its targets; `null` for none. */
  select(cell, targets = []) {
    this.picked = { cell, targets };
    this.put();
  }

  /** Draws arrows between cells in place of those before; each may have a label. */
  arrows(arrows) {
    this.pointed = arrows;
    this.layers.arrows.replaceChildren(...arrows.map(({ from, to, label = '' }) => {
      const [[x, y], [u, v]] = [this.middle(from), this.middle(to)];
      const far = Math.hypot(u - x, v - y) || 1;
      const point = ([along, aside]) => [x + ((u - x) * along - (v - y) * aside) / far, y + ((v - y) * along + (u - x) * aside) / far];
      const corners = [[0, 3], [far - 14, 3], [far - 14, 9], [far, 0], [far - 14, -9], [far - 14, -3], [0, -3]];
      return svg('g', null, svg('polygon', { class: 'gb-arrow', points: corners.map(point).join(' ') }),
        svg('text', { class: 'gb-arrow-label', x: (x + u) / 2, y: (y + v) / 2 + 5, text: label }));
    }));
  }

  /** A point by columns and rows of the game, as the board is turned. */
  at(column, row) {
    const [x, y] = this.flipped ? [this.columns - column, this.rows - row] : [column, row];
    return [this.left + x * CELL, this.top + y * CELL];
  }

  middle(cell) {
    return this.at((cell % this.columns) + 0.5, Math.floor(cell / this.columns) + 0.5);
  }

  /** The cell at a place of the grid, as the board is turned. */
  cellAt(place) {
    return this.flipped ? this.cells.length - 1 - place : place;
  }

  square(name, cell, inset = 0) {
    const [x, y] = this.middle(cell).map((it) => it - CELL / 2 + inset);
    return svg('rect', { class: name, x, y, width: CELL - 2 * inset, height: CELL - 2 * inset });
  }

  disc(name, [cx, cy], r) {
    return svg('circle', { class: name, cx, cy, r });
  }

  draw() {
    const { cells, lines, dots, columns, rows } = this.game;
    // Of two colours the lower left square has the dark one.
    const isDark = (cell) => cells === 'checkered' && ((cell % this.columns) + this.rows - Math.floor(cell / this.columns)) % 2;
    const squares = cells === 'points' ? [] : this.cells.map((_, cell) => this.square(isDark(cell) ? 'gb-dark' : 'gb-light', cell));
    const inside = cells === 'points' ? 0.5 : 0;
    const crossing = ([column, row]) => this.at(column + inside, row + inside);
    const strokes = lines.map((line) => svg('polyline', { class: 'gb-line', points: line.map(crossing).join(' ') }));
    this.layers.ground.replaceChildren(...squares, ...strokes, ...dots.map((dot) => this.disc('gb-dot', crossing(dot), 0.11 * CELL)));
    const bottom = this.top + this.rows * CELL + 1.1 * this.font;
    this.layers.labels.replaceChildren(
      ...rows.map((text, row) => svg('text', { x: 0.5 * this.left, y: this.at(0, row + 0.5)[1] + 0.36 * this.font, text })),
      ...columns.map((text, column) => svg('text', { x: this.at(column + 0.5, 0)[0], y: bottom, text })));
    this.arrows(this.pointed);
    this.put();
  }

  /** Draws and tells what is on the board. */
  put() {
    const { pieces, marks, toMove } = this.state;
    const { cell: picked, targets } = this.picked;
    const marked = pairs(marks);
    const pieceOn = (cell) => this.figures[pieces.get(cell)];
    this.drawn = new Map([...pieces.keys()].filter(pieceOn).map((cell) => {
      const piece = pieceOn(cell).cloneNode(true);
      piece.setAttribute('transform', `translate(${this.middle(cell)})`);
      return [cell, piece];
    }));
    const target = (cell) => this.disc(pieceOn(cell) ? 'gb-target gb-taken' : 'gb-target', this.middle(cell), (pieceOn(cell) ? 0.46 : 0.14) * CELL);
    const frame = (name, cell) => (this.game.cells === 'points' ? this.disc(name, this.middle(cell), 0.46 * CELL) : this.square(name, cell, 2));
    // Marks differ by their strokes, and stand out from every ground by a halo.
    const frames = marked.filter(([, kind]) => kind < 2).flatMap(([cell, kind]) => [frame('gb-halo', cell), frame(kind ? 'gb-to' : 'gb-from', cell)]);
    const points = marked.filter(([, kind]) => kind === 2).map(([cell]) => svg('path', { class: 'gb-point', d: 'M0-11L9.5 5.5H-9.5z', transform: `translate(${this.middle(cell)})` }));
    const checks = marked.filter(([, kind]) => kind === 3).map(([cell]) => frame('gb-check', cell));
    const [under, over] = this.game.cells === 'points' ? [[], frames] : [frames, []];
    this.layers.under.replaceChildren(...(picked == null ? [] : [this.square('gb-picked', picked)]), ...under);
    this.layers.pieces.replaceChildren(...this.drawn.values());
    this.layers.over.replaceChildren(...over, ...checks, ...points, ...targets.map(target));
    this.grid.setAttribute('aria-label', toMove == null ? this.label : `${this.label}, ${this.game.sides[toMove]} to move`);
    this.cells.forEach((element, place) => {
      const cell = this.cellAt(place);
      const { side, name = 'empty' } = this.game.figures[pieces.get(cell)] ?? {};
      const roles = marked.filter(([at]) => at === cell).map(([, kind]) => MARKS[kind]);
      const words = [this.name(cell), side ? `${side} ${name}` : name, ...roles, ...(targets.includes(cell) ? ['target'] : [])];
      element.setAttribute('aria-label', words.join(', '));
      if (this.onPick) element.setAttribute('aria-selected', cell === picked);
    });
  }

  /** Makes a place the only one that Tab stops at. */
  rove(place) {
    if (!this.cells[place]) return null;
    this.cells[this.focused].setAttribute('tabindex', -1);
    this.cells[place].setAttribute('tabindex', 0);
    this.focused = place;
    return this.cells[place];
  }

  key(event) {
    if (event.altKey || event.metaKey) return;
    const [column, last] = [this.focused % this.columns, this.columns - 1];
    const steps = {
      ArrowLeft: column > 0 ? -1 : 0,
      ArrowRight: column < last ? 1 : 0,
      ArrowUp: -this.columns,
      ArrowDown: this.columns,
      Home: event.ctrlKey ? -this.focused : -column,
      End: event.ctrlKey ? this.cells.length - 1 - this.focused : last - column,
    };
    if (event.key in steps) this.rove(this.focused + steps[event.key])?.focus();
    else if (event.key === 'Enter' || event.key === ' ') this.pick(this.focused);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  pick(place) {
    if (place >= 0) this.onPick?.(this.cellAt(place));
  }

  placeUnder({ clientX, clientY }) {
    return this.cells.indexOf(document.elementFromPoint(clientX, clientY));
  }

  press(event) {
    const place = this.placeUnder(event);
    if (!this.onPick || event.button !== 0 || place < 0) return;
    this.grid.setPointerCapture(event.pointerId);
    this.drag = { place, x: event.clientX, y: event.clientY };
    this.pick(place);
  }

  move({ clientX, clientY }) {
    const cell = this.drag && this.cellAt(this.drag.place);
    const scale = (this.columns * CELL) / this.grid.clientWidth;
    const [x, y] = this.drag ? this.middle(cell) : [];
    this.drawn.get(cell)?.setAttribute('transform', `translate(${x + (clientX - this.drag.x) * scale} ${y + (clientY - this.drag.y) * scale})`);
  }

  release(event) {
    if (!this.drag) return;
    const [from, to] = [this.drag.place, event ? this.placeUnder(event) : -1];
    this.drag = null;
    this.put();
    if (to !== from) this.pick(to);
  }
}

function drawn({ shape, tint, glyph, path, ink }) {
  const isWedge = shape.startsWith('wedge');
  const isToken = shape === 'token' || isWedge;
  const circle = (name, r) => svg('circle', { class: name, r });
  const parts = shape === 'disc' ? [circle('gb-disc', RADIUS)] : isWedge ? [svg('polygon', { class: 'gb-token', points: WEDGE })] : isToken ? [circle('gb-token', RADIUS), circle('gb-ring', RADIUS - 3)] : [];
  const name = isToken ? 'gb-carved' : 'gb-shape';
  if (shape !== 'disc' && path) {
    // Outlines are drawn in a box of 100 by 100.
    const transform = `scale(${((isWedge ? 0.56 : isToken ? 0.62 : 0.94) * CELL) / 100}) translate(-50 -50)`;
    parts.push(svg('path', { class: name, d: path, transform }), ...(ink ? [svg('path', { class: 'gb-ink', d: ink, transform })] : []));
  } else if (shape !== 'disc') {
    // Solid pieces of chess take the colour; their text forms are asked for, not emoji.
    const solid = (it) => `${it < '\u265a' ? String.fromCharCode(it.charCodeAt(0) + 6) : it}\ufe0e`;
    parts.push(svg('text', { class: `gb-glyph ${name}`, y: (isToken ? 0.225 : 0.31) * CELL, text: glyph.replace(/[\u2654-\u265f]/, solid) }));
  }
  return svg('g', { class: `gb-${TINTS.includes(tint) ? tint : 'black'}` }, ...(isWedge ? [svg('g', { class: `gb-${shape}` }, ...parts)] : parts));
}
