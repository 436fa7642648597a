/**
 * A text of the document, or of whoever else, on its way to a terminal: signs that a terminal obeys, or that turn the
 * direction of writing, are shown as what they are not. Line ends and tabs stay.
 */
export function printable(text: string): string {
  // Most texts are plain, and a log has many.
  if (/^[\t\n\x20-\x7e]*$/.test(text)) return text;
  return text.replace(/(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');
}
