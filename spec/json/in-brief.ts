/** `1 operation`, `3 operations`. */
export function count(number: unknown, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** As much of a text as a sentence has room for. */
export function inBrief(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** As much of a value as a report has room for, and how long it is. */
export function shortenText(text: string, most = 240): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
}

/** The first of some texts for a sentence, and how many more there are. */
export function someOf(texts: readonly string[], most: number): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
