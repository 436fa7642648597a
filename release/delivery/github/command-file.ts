/** The pairs of a file such as that of GITHUB_OUTPUT: `name=value` on a line, or `name<<END`, lines, `END`. */
export function readCommandFile(text: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  const lines = text.split('\n');
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    if (line === '') continue;
    const [, name = '', sign, rest = ''] = /^([^=<]+)(=|<<)(.*)$/.exec(line) ?? [];
    if (sign === undefined) throw new Error(`no pair: ${line}`);
    if (sign === '=') pairs[name] = rest;
    else {
      const end = lines.indexOf(rest);
      if (end < 0) throw new Error(`no ${rest} ends ${name}`);
      pairs[name] = lines.splice(0, end).join('\n');
      lines.shift();
    }
  }
  return pairs;
}
