/** A placeholder for a key in the environment. */
export const FROM_ENVIRONMENT = '$PADDOCK_API_KEY';

/** A text as an expression: literals, with environment variables between them. */
export function expression(text: string, literal: (text: string) => string, variable: string): string {
  const pieces = text
    .split(FROM_ENVIRONMENT)
    .flatMap((part, index) => [...(index > 0 ? [variable] : []), ...(part === '' ? [] : [literal(part)])]);
  return pieces.join(' + ') || literal('');
}

/** A text in JavaScript. */
export function scriptText(text: string): string {
  return expression(text, quoted, 'process.env.PADDOCK_API_KEY');
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A member's name, without quotes if it needs none. */
function scriptName(name: string): string {
  if (name === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** A value in JavaScript, with a line for each member; integers stay exact. */
export function scriptValue(value: unknown, margin = ''): string {
  const inner = `${margin}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object'))
      return `[${value.map((item) => scriptValue(item)).join(', ')}]`;
    return `[\n${value.map((item) => `${inner}${scriptValue(item, inner)},\n`).join('')}${margin}]`;
  }
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return scriptText(value);
  if (value === null || typeof value !== 'object') return String(value);
  return scriptObject(
    Object.entries(value).map(([name, member]) => [name, scriptValue(member, inner)]),
    margin,
  );
}

/** @param members with their values in JavaScript */
export function scriptObject(
  members: readonly (readonly [name: string, code: string])[],
  margin = '',
): string {
  if (members.length === 0) return '{}';
  const lines = members.map(([name, code]) => `${margin}  ${scriptName(name)}: ${code},\n`);
  return `{\n${lines.join('')}${margin}}`;
}
