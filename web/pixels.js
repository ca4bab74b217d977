// Pictures of shapes as pixels. Knows no file.

// A blob of SVG as one of PNG, `scale` times as large as the picture says.
export async function pixelsOf(svg, scale) {
  const image = new Image();
  image.src = URL.createObjectURL(svg);
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * scale;
  canvas.height = image.naturalHeight * scale;
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return await new Promise((done) => canvas.toBlob(done)) ?? Promise.reject(new Error('the picture is too large'));
}
