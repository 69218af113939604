// Text of less contrast with what is behind it than WCAG 2.2, 1.4.3 asks for.
(() => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((part, i) => part * a + under[i] * (1 - a));
  const canvas = rgba('Canvas');
  const behind = (element) => {
    const layers = [];
    for (let it = element; it; it = it.parentElement) layers.push(rgba(getComputedStyle(it).backgroundColor));
    return layers.reverse().reduce((under, layer) => over(layer, under), canvas.slice(0, 3));
  };
  // In a picture: the last rectangle that was painted under the text.
  const painted = (text) => {
    const { x, y, width, height } = text.getBoundingClientRect();
    const [at, down] = [x + width / 2, y + height / 2];
    const rects = [...text.ownerSVGElement.querySelectorAll('rect')].filter((rect) => {
      const { left, right, top, bottom } = rect.getBoundingClientRect();
      const is_before = rect.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
      return is_before && left <= at && at <= right && top <= down && down <= bottom && getComputedStyle(rect).fill !== 'none';
    });
    return rects.reduce((under, rect) => over(rgba(getComputedStyle(rect).fill), under), behind(text.ownerSVGElement));
  };
  const luminance = (color) => {
    const [r, g, b] = color.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = texts.nextNode());) {
    const element = node.parentElement;
    // Pieces and marks on a board are pictures, and named apart.
    if (!node.data.trim() || !element.checkVisibility() || element.closest('script, style, title, :disabled, [role=grid]')) continue;
    const style = getComputedStyle(element);
    const text = element.closest('text');
    const under = text ? painted(text) : behind(element);
    const color = over(rgba(text ? style.fill : style.color), under);
    const [high, low] = [luminance(color), luminance(under)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < least) faint.add(`${element.tagName}.${element.getAttribute('class') ?? ''} ${ratio.toFixed(2)}: ${node.data.trim().slice(0, 30)}`);
  }
  return [...faint];
})()
