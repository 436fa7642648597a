import { curlOf } from './curl.ts';
import type { WireRequest } from './wire.ts';

/** A request of a script. */
export interface ScriptRequest {
  /** Where it takes the id of a record that the script has made, its URL has a {@link placeholderOf}. */
  readonly request: WireRequest;
  /** The variable that keeps a member of the response. */
  readonly keeps?: { readonly variable: string; readonly member: string } | undefined;
}

/** Requests that reproduce something from nothing: an entry is one request, or several that are sent at once. */
export type Script = readonly (readonly ScriptRequest[])[];

/** A text that no request holds, in place of a variable. */
export function placeholderOf(variable: string): string {
  return `paddock~variable~${variable}~`;
}

/**
 * A script as lines for a POSIX shell with curl and, where ids are kept, jq. It may be run again: the target assigns
 * other ids then.
 *
 * @param redact is applied to everything but the credential
 */
export function linesOf(script: Script, redact?: (text: string) => string): string[] {
  return script.map((entry) => {
    const commands = entry.map((one) => commandOf(one, redact));
    return commands.length === 1 ? commands.join('') : `${commands.join(' & ')} & wait`;
  });
}

function commandOf({ request, keeps }: ScriptRequest, redact?: (text: string) => string): string {
  const curl = withVariables(curlOf(request, redact));
  if (!keeps) return curl;
  const { variable, member } = keeps;
  const path = /^[A-Za-z_]\w*$/.test(member) ? `.${member}` : quoted(`.[${JSON.stringify(member)}]`);
  return `${variable}=$(${curl.replace(/^((?:printf .* \| )?curl) -i/s, '$1 -s')} | jq -r ${path})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Variables stand in double quotes; a word in single quotes, which know no escapes, is closed before and opened behind. */
function withVariables(curl: string): string {
  let quote = '';
  const inserted = curl.replace(
    /\\['"\\]?|['"]|paddock~variable~(\w+)~/g,
    (part, variable: string | undefined) => {
      if (variable !== undefined) return quote === "'" ? `'"$${variable}"'` : `$${variable}`;
      if (part.startsWith('\\') && quote !== "'") return part;
      const sign = part.at(-1) ?? '';
      if (sign === quote) quote = '';
      else if (quote === '') quote = sign;
      return part;
    },
  );
  return inserted.replace(/("\$ID\d+")''/g, '$1');
}
