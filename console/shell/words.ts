/** `1 operation`, `3 operations`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** As much of a text as a line has room for. */
export function inBrief(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
