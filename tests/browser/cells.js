// The mean brightness of each cell of a picture, as a hexadecimal digit.
async (data, columns, rows) => {
  const bytes = Uint8Array.from(atob(data), (it) => it.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const [width, height] = [Math.floor(image.width / columns), Math.floor(image.height / rows)];
  const cell = (column, row) => {
    const { data: pixels } = context.getImageData(column * width, row * height, width, height);
    let sum = 0;
    for (let at = 0; at < pixels.length; at += 4) sum += pixels[at] + pixels[at + 1] + pixels[at + 2];
    return Math.floor(sum / (pixels.length / 4) / 48).toString(16);
  };
  const line = (row) => Array.from({ length: columns }, (_, column) => cell(column, row)).join('');
  return Array.from({ length: rows }, (_, row) => line(row)).join(' ');
}
