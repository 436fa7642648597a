import { MalformedMessage } from './malformed-message.ts';

/** A field line of a head. */
export interface Field {
  readonly name: string;
  /** The name in lower case. */
  readonly key: string;
  /** Without the white space around it. */
  readonly value: string;
  /** As it came, without the line end. */
  readonly line: string;
}

/** RFC 9110 §5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The field lines of a head, from the end of its first line on.
 * @throws MalformedMessage for what two readers may understand in two ways (RFC 9112 §5, §11.2)
 */
export function parseFields(head: string, from: number): readonly Field[] {
  const fields: Field[] = [];
  for (let start = from; ; ) {
    const end = head.indexOf('\r\n', start);
    if (end <= start) return fields;
    fields.push(parseField(head.slice(start, end)));
    start = end + 2;
  }
}

function parseField(line: string): Field {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon));
  if (!TOKEN.test(name)) throw new MalformedMessage(`a field line has no valid name before its colon`);
  if (/[\r\n\0]/.test(line)) throw new MalformedMessage(`the field ${name} holds CR, LF or NUL`);
  return { name, key: name.toLowerCase(), value: trim(line.slice(colon + 1)), line };
}

/** Only space and tab: `String.trim` takes away more, such as a no-break space. */
function trim(text: string): string {
  return text.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
}

/** Whether a line of a trailer section is a field that all readers read as one. */
export function isFieldLine(line: string): boolean {
  const colon = line.indexOf(':');
  return TOKEN.test(line.slice(0, Math.max(0, colon))) && !/[\r\n\0]/.test(line);
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The members of a list-based field, in lower case, all its lines together (RFC 9110 §5.6.1). */
export function listOf(fields: readonly Field[], key: string): string[] {
  return fields
    .filter((field) => field.key === key)
    .flatMap(({ value }) => value.split(','))
    .map((member) => trim(member).toLowerCase())
    .filter((member) => member !== '');
}
