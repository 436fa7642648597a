// Runs in a page: each pair of colours that some text has, with the ratio of their luminances (WCAG 2.2, 1.4.3).
(() => {
  const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = (colour) => {
    const [red, green, blue] = channels(colour).map((value) => linear(value / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const background = (element) => {
    if (!element) return 'rgb(255, 255, 255)';
    const colour = getComputedStyle(element).backgroundColor;
    return channels(colour)[3] === 0 ? background(element.parentElement) : colour;
  };
  const pairs = new Map();
  for (const element of document.body.querySelectorAll('*')) {
    const own = [...element.childNodes].find((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own) continue;
    const [front, back] = [getComputedStyle(element).color, background(element)];
    const [high, low] = [luminance(front), luminance(back)].sort((one, other) => other - one);
    const text = `${own.textContent.slice(0, 20)}: ${front} on ${back}`;
    pairs.set(`${front} ${back}`, { text, ratio: (high + 0.05) / (low + 0.05) });
  }
  return [...pairs.values()];
})();
