/** The names of the scripts of `paddock init`, which are those of their verbs. */
const SCRIPTS = ['mock', 'check'];

/** Without the package in the project, "npx paddock" would fetch another package, which has that name. */
const INSTALLED = 'paddock';
const FETCHED = 'npx openapi-paddock';

export interface Edited {
  /** The text with the scripts; everything else is as it was. */
  readonly text: string;
  readonly added: readonly string[];
  /** Names that others use already. */
  readonly kept: readonly string[];
}

/**
 * Adds scripts to the text of a package.json, in the indentation that it has.
 * @param isInstalled whether the project has the package
 * @throws SyntaxError, TypeError for a text that is no package.json
 */
export function addScripts(text: string, isInstalled: boolean): Edited {
  const manifest = JSON.parse(text) as { scripts?: Record<string, string> };
  const own = manifest.scripts ?? {};
  const added = SCRIPTS.filter((name) => !Object.hasOwn(own, name));
  const kept = SCRIPTS.filter(
    (name) =>
      Object.hasOwn(own, name) && ![`${INSTALLED} ${name}`, `${FETCHED} ${name}`].includes(own[name] ?? ''),
  );
  if (added.length === 0) return { text, added, kept };
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  const program = isInstalled ? INSTALLED : FETCHED;
  const members = (depth: number) =>
    added.map((name) => `${newline}${unit.repeat(depth)}"${name}": "${program} ${name}"`);
  const place = endOf(text, manifest.scripts === undefined ? undefined : 'scripts');
  const inner = manifest.scripts === undefined ? [scriptsOf(members(2), newline, unit)] : members(2);
  const after = place.isEmpty ? `${newline}${unit.repeat(manifest.scripts === undefined ? 0 : 1)}` : '';
  const before = place.isEmpty ? '' : ',';
  return {
    text: text.slice(0, place.at) + before + inner.join(',') + after + text.slice(place.at + place.blanks),
    added,
    kept,
  };
}

function scriptsOf(members: readonly string[], newline: string, unit: string): string {
  return `${newline}${unit}"scripts": {${members.join(',')}${newline}${unit}}`;
}

interface End {
  /** Behind the last member, or behind the bracket of an empty object. */
  readonly at: number;
  readonly isEmpty: boolean;
  /** White space that follows in an empty object. */
  readonly blanks: number;
}

/** The end of the last member of the object, or of the object that one of its members is. */
function endOf(text: string, member: string | undefined): End {
  let depth = 0;
  let key = '';
  let isIn = false;
  let last = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g)) {
    const isWanted = member === undefined ? depth === 1 : depth === 2 && isIn;
    if (token === '}' && isWanted) {
      const isEmpty = text[last - 1] === '{';
      return { at: last, isEmpty, blanks: isEmpty ? index - last : 0 };
    }
    if (token === '{' || token === '[') {
      if (depth === 1) isIn = key === member;
      depth++;
    } else if (token === '}' || token === ']') depth--;
    else if (depth === 1 && token.startsWith('"')) key = JSON.parse(token) as string;
    last = index + token.length;
  }
  throw new SyntaxError('it is no object');
}
