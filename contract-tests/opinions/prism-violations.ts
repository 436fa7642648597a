import { isRecord } from '#spec';

/** An entry of Prism's header `sl-violations`, of either severity. */
export interface PrismViolation {
  readonly part: 'request' | 'response';
  /** It is about the status as such, and the first that Prism looks at. */
  readonly isStatus: boolean;
  readonly isBody: boolean;
  /** No keyword of the document: Prism holds a 64-bit integer to what a double can hold. */
  readonly isDouble: boolean;
  readonly text: string;
}

/** Undocumented statuses are mere warnings to Prism: severities are not looked at. */
export function readViolations(header: string): PrismViolation[] {
  if (header === '') return [];
  return entriesOf(header).map(({ location, message }) => {
    const [part, ...path] = location;
    return {
      part: part === 'request' ? 'request' : 'response',
      isStatus: path.length === 0 && /status code/.test(message),
      isBody: path[0] === 'body',
      isDouble: /must be [<>]= -?9007199254740991$/.test(message),
      text: `${path.join('.')} ${message}`.trim(),
    };
  });
}

interface Entry {
  readonly location: readonly string[];
  readonly message: string;
}

/** More than 8 KiB of violations are cut in the midst of the JSON, and begin with a sentence: whole entries count. */
function entriesOf(header: string): Entry[] {
  const json = header.slice(Math.max(0, header.indexOf('[')));
  for (let end = json.length; end > 0; end = json.lastIndexOf('},{', end - 1)) {
    const list = parse(end === json.length ? json : `${json.slice(0, end)}}]`);
    if (Array.isArray(list)) return list.filter(isRecord).map(toEntry);
  }
  return [{ location: ['response'], message: header.slice(0, 200) }];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toEntry({ location, message }: Record<string, unknown>): Entry {
  return { location: Array.isArray(location) ? location.map(String) : [], message: String(message ?? '') };
}
