/**
 * A target's text without characters that a terminal or viewer would interpret, or that XML and UTF-8 lack: control
 * characters, direction marks, line separators, lone surrogates. They are written as `\u{...}`.
 */
export function plain(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\uFFFE\uFFFF]/gu,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\n': '&#10;',
};

/** Keeps line ends, for texts of several lines. */
const escapeWith = (signs: RegExp) => (text: string) =>
  text
    .split('\n')
    .map(plain)
    .join('\n')
    .replace(signs, (sign) => ENTITIES[sign] as string);

/** Text for HTML content and quoted attributes. */
export const escapeHtml = escapeWith(/[&<>"']/g);

/** An XML parser reads a line end in an attribute as a space (XML 1.0 §3.3.3). */
export const escapeXmlAttribute = escapeWith(/[&<>"\n]/g);

/** Few characters are replaced: some XML parsers reject too many entities. */
export const escapeXmlContent = escapeWith(/[&<>]/g);

/**
 * Text without Markdown or HTML syntax (CommonMark §2.4: any ASCII punctuation may be escaped). It escapes only what would
 * be syntax in its position, so that paths and sentences stay readable. GitHub finds mentions and issues in the rendered
 * text: a word joiner after their sign prevents that.
 */
export function escapeMarkdown(value: string): string {
  return oneLine(value)
    .replace(/[\\`*[\]|~@]|<|&(?=[#\w])/g, (sign) =>
      sign === '<' ? '&lt;' : sign === '&' ? '&amp;' : `\\${sign}`,
    )
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/#(?=\w)|#+(?=\s*$)/g, (sign) => sign.replaceAll('#', '\\#'))
    .replace(/:(?=\/\/)|(?<!\d):(?=[\w+-]+:)|(?<=\bwww)\./gi, '\\$&')
    .replace(/^(\s*)([-+=#>]|\d+(?=[.)]))/, (_, space: string, sign: string) =>
      /\d/.test(sign) ? `${space}${sign}\u2060` : `${space}\\${sign}`,
    )
    .replace(/(?<=[@#])(?=\w)/g, '\u2060');
}

/** A code span whose fence is longer than any run of backticks within (CommonMark §6.1). */
export function markdownCode(value: string): string {
  const content = oneLine(value);
  const fence = '`'.repeat(longestRun(content) + 1);
  const space = /^[` ]|[` ]$|^$/.test(content) ? ' ' : '';
  return `${fence}${space}${content}${space}${fence}`;
}

/** A fenced block of code (CommonMark §4.5). */
export function markdownFence(lines: readonly string[], language: string): string[] {
  const content = lines.map(plain).join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return [`${fence}${language}`, content, fence];
}

function longestRun(value: string): number {
  return Math.max(0, ...(value.match(/`+/g) ?? []).map(({ length }) => length));
}

function oneLine(value: string): string {
  return plain(value).replace(/\s+/g, ' ');
}
