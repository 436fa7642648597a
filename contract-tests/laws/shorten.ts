import { stringifyJson } from '#spec';

const LONGEST = 240;

/** A value as one line of JSON that people can take in. */
export function shorten(value: unknown): string {
  return shortenText(value === undefined ? 'nothing' : stringifyJson(value));
}

export function shortenText(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`;
}
