/** A heading, optionally with a custom anchor. */
export function heading(level: number, text: string, anchor?: string): string {
  return `${'#'.repeat(level)} ${text}${anchor === undefined ? '' : ` {#${anchor}}`}`;
}

/** A code span, for text with any number of backticks. */
export function code(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${text} ${fence}` : fence + text + fence;
}

/** Text that does not end a table cell. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

export function codeBlock(text: string): string {
  return `\`\`\`ts\n${text.trimEnd()}\n\`\`\``;
}

/** A JSDoc comment as Markdown: without stars, with `{@link Name}` as code, and its tags as a list. */
export function proseOf(comment: string): string {
  const [text = '', ...tags] = comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^[ \t]*\*[ ]?/gm, '')
    .replace(/\{@link(?:code)? ([^}]+)\}/g, (_, name: string) => code(name.trim()))
    .trim()
    .split(/^(?=@\w)/m);
  return [text.startsWith('@') ? tagged(text) : text.trim(), ...tags.map(tagged)]
    .filter(Boolean)
    .join('\n\n');
}

function tagged(text: string): string {
  const [, tag = '', rest = ''] = /^@(\w+)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  if (tag === 'example') return rest.startsWith('```') ? rest : codeBlock(rest);
  const [, name = '', meaning = ''] = /^(\S+)\s*([\s\S]*)$/.exec(rest) ?? [];
  if (tag === 'param' || tag === 'typeParam') return `${code(name)}: ${meaning}`;
  if (tag === 'throws') return `Throws ${rest}`;
  if (tag === 'returns') return `Returns ${rest}`;
  return `${tag}: ${rest}`;
}
