/** Spellings of single characters in JSON, JavaScript, HTML and URLs; a target may use any of them where it echoes. */
const SPELLINGS: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => bytesOf(character, (byte) => `%${hex(byte)}`),
  (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  (character) => bytesOf(character, (byte) => `\\x${hex(byte)}`),
  (character) => `&#${character.codePointAt(0)};`,
  (character) => `&#x${character.codePointAt(0)?.toString(16)};`,
  (character) => NAMED[character] ?? character,
  (character) => (/["\\/]/.test(character) ? `\\${character}` : character),
];

const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Each encoding of the whole secret, as literal texts. */
export function formsOf(secret: string): string[] {
  const characters = [...secret];
  const spelled = SPELLINGS.map((spell) => characters.map(spell).join(''));
  const bytes = Buffer.from(secret);
  const forms = [
    ...spelled,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    ...base64Within(bytes),
  ];
  return [...new Set(forms)].filter((form) => form !== '');
}

/** A regular expression's source for the secret, each character in any spelling. */
export function spelledAnyhow(secret: string): string {
  return [...secret]
    .map((character) => {
      const spellings = new Set(SPELLINGS.map((spell) => literally(spell(character))));
      return `(?:${[...spellings].join('|')})`;
    })
    .join('');
}

/** A text as the source of a regular expression. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/**
 * Base64 of a text that holds the secret: the characters that depend on the secret alone, for each offset at which
 * it may begin, in both alphabets (RFC 4648 §4 and §5).
 */
function base64Within(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const first = Math.ceil((offset * 8) / 6);
    const core = text.slice(first, Math.floor(((offset + bytes.length) * 8) / 6));
    if (core.length < SHORTEST_BASE64) return [];
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Shorter ones occur in ordinary words. */
const SHORTEST_BASE64 = 6;

function bytesOf(character: string, write: (byte: number) => string): string {
  return [...Buffer.from(character)].map(write).join('');
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
