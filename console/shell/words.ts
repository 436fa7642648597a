/** `1 operation`, `3 operations`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** A text shortened to the length of a line. */
export function inBrief(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
