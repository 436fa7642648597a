/** A heading, with an anchor of its own where one is given. */
export function heading(level: number, text: string, anchor?: string): string {
  return `${'#'.repeat(level)} ${text}${anchor === undefined ? '' : ` {#${anchor}}`}`;
}

/** A code span, whatever the text has of backticks. */
export function code(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${text} ${fence}` : fence + text + fence;
}

/** Text that does not end a cell of a table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

export function codeBlock(text: string): string {
  return `\`\`\`ts\n${text.trimEnd()}\n\`\`\``;
}

/** A comment of the form of JSDoc as Markdown: without stars, `{@link Name}` as code, and a list of its tags. */
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
