/** A command of a log that GitHub's runner executes. */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/**
 * What the runner executes of a log: `::name key=value::message` at the beginning of a line, `##[name]` anywhere in it, and
 * neither between `::stop-commands::TOKEN` and `::TOKEN::`.
 */
export function workflowCommands(log: string): WorkflowCommand[] {
  let stopped: string | undefined;
  return log.split(/\r?\n|\r/).flatMap((line) => {
    const [, name, properties = '', message = ''] =
      /^\s*::([^\s:]+)(?: ([^:]*))?::(.*)$/.exec(line) ?? /##\[([^\s\]]+) ?([^\]]*)\](.*)$/.exec(line) ?? [];
    if (name === undefined) return [];
    if (stopped !== undefined) {
      if (name === stopped) stopped = undefined;
      return [];
    }
    if (name === 'stop-commands') {
      stopped = message;
      return [];
    }
    const pairs = properties.split(',').filter(Boolean);
    return [
      {
        name,
        properties: Object.fromEntries(
          pairs.map((pair) => /^([^=]*)=(.*)$/s.exec(pair)?.slice(1).map(decode) ?? []),
        ),
        message: decode(message),
      },
    ];
  });
}

const SIGNS: Readonly<Record<string, string>> = {
  '%25': '%',
  '%0D': '\r',
  '%0A': '\n',
  '%3A': ':',
  '%2C': ',',
};

function decode(text: string): string {
  return text.replace(/%(?:25|0D|0A|3A|2C)/g, (sign) => SIGNS[sign] as string);
}
