/** A number with its noun: `1 operation`, `3 operations`. */
export function count(number: unknown, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** A text shortened to fit in a sentence. */
export function inBrief(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** A text shortened for a report, with its length. */
export function shortenText(text: string, most = 240): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
}

/** The first few texts for a sentence, and the number of further ones. */
export function someOf(texts: readonly string[], most: number): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
