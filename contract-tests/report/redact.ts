import { nearMisses } from '../send/refused-credentials.ts';
import type { Settings } from '../settings.ts';

export type Redact = (text: string) => string;

/** Headers whose values are secrets as well, where the user adds them. */
const SECRET_HEADER = /authorization|cookie|key|token|secret|password/i;

/** Takes the run's credentials out of a text, plain and in the encodings in which a target may echo them. */
export function createRedactor({ apiKey, headers }: Pick<Settings, 'apiKey' | 'headers'>): Redact {
  const secrets = [
    apiKey ?? [],
    almost(apiKey ?? ''),
    headers.filter(([name]) => SECRET_HEADER.test(name)).map(([, value]) => value),
  ].flat();
  const forms = secrets.flatMap(formsOf).sort((left, right) => right.length - left.length);
  return (text) => forms.reduce((rest, form) => cutEnds(rest.replaceAll(form, MASK), form), text);
}

/** A near miss tells all but one of the key's characters; of a very short key it is an ordinary word. */
function almost(key: string): string[] {
  return key.length < SHORTEST ? [] : nearMisses(key).map(([, , miss]) => miss);
}

const SHORTEST = 8;
const MASK = '[redacted]';
const TELLING = 4;

/** Where a text was shortened in the midst of a secret, the part before the cut is taken out as well. */
function cutEnds(text: string, form: string): string {
  if (!text.includes('…')) return text;
  let rest = text;
  for (let length = form.length - 1; length >= TELLING; length--) {
    rest = rest.replaceAll(`${form.slice(0, length)}…`, `${MASK}…`);
  }
  return rest;
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    ...base64Within(bytes),
  ];
  return [...new Set(forms)].filter((form) => form !== '');
}

/** Base64 of a longer text that holds the secret: the characters that depend on the secret alone, at each offset. */
function base64Within(bytes: Buffer): string[] {
  return [1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const core = text.slice(offset + 1, text.length - 1);
    return core.length >= 8 ? [core] : [];
  });
}
