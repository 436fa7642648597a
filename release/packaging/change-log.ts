/** One version in CHANGELOG.md, in the form of Keep a Changelog 1.1.0. */
export interface ChangeLogSection {
  /** `Unreleased`, or a version such as `1.0.0`. */
  readonly version: string;
  /** Such as `2026-11-22`; undefined if unreleased. */
  readonly date: string | undefined;
  /** The text below the heading, without the reference links at the end of the file. */
  readonly text: string;
  readonly lines: readonly ChangeLogLine[];
}

/** An item, with its continuation lines. */
export interface ChangeLogLine {
  /** The heading above it: `Added`, `Changed`, `Deprecated`, `Removed`, `Fixed` or `Security`. */
  readonly kind: string;
  readonly text: string;
}

/** The sections of a change log in order, the newest first. */
export function readChangeLog(log: string): ChangeLogSection[] {
  const [, ...sections] = log.replace(/^\[[^\]]+\]: .*\n?/gm, '').split(/^## (?=\[)/m);
  return sections.map((section) => {
    const [, version = '', date] = /^\[([^\]]+)\](?: - (\S+))?/.exec(section) ?? [];
    const text = section.slice(section.indexOf('\n') + 1).trim();
    return { version, date, text, lines: linesOf(text) };
  });
}

function linesOf(text: string): ChangeLogLine[] {
  const [, ...groups] = `\n${text}`.split(/\n### /);
  return groups.flatMap((group) => {
    const kind = group.split('\n', 1)[0]?.trim() ?? '';
    const [, ...items] = group.split(/\n- /);
    return items.map((item) => ({ kind, text: item.split('\n\n', 1)[0]?.replace(/\s+/g, ' ').trim() ?? '' }));
  });
}
