/**
 * A target's text without characters that a terminal or a viewer would interpret, or that XML and UTF-8 do not have:
 * controls, direction marks, line separators, halves of surrogate pairs. They are shown as `\u{...}`.
 */
export function plain(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\uFFFE\uFFFF]/gu,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}

/** The same, line ends kept: for where a text may have several lines. */
function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\n': '&#10;',
};

const escapeWith = (signs: RegExp) => (text: string) =>
  plainLines(text).replace(signs, (sign) => ENTITIES[sign] as string);

/** Text for HTML content and quoted attributes. */
export const escapeHtml = escapeWith(/[&<>"']/g);

/** An XML parser reads a line end in an attribute as a space (XML 1.0 §3.3.3). */
export const escapeXmlAttribute = escapeWith(/[&<>"\n]/g);

/** Few signs are replaced: some XML parsers give up over too many entities. */
export const escapeXmlContent = escapeWith(/[&<>]/g);
