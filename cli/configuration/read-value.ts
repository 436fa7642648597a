import type { Complain, Given } from './given.ts';
import { readPairs } from './read-pairs.ts';
import { inFolder, NO_PASSWORDS, storeInFolder } from './relative-path.ts';
import type { Setting, Text } from './setting.ts';
import { isNumeric, toText } from './to-text.ts';

/**
 * Reads the value of a setting as the command line would.
 * @param folder that of the file, from which its paths count
 * @returns undefined after a complaint
 */
export function readValue(
  setting: Setting,
  value: unknown,
  folder: string,
  complain: Complain,
): Given | undefined {
  const { form, isList } = setting;
  if (form.type === 'switch') {
    if (typeof value === 'boolean') return value;
    return refuse(setting, value, 'It must be true or false.', complain);
  }
  if (form.type === 'pairs') return readPairs(setting, form, value, folder, complain);
  if (form.type === 'text' && form.orFalse && value === false) return false;
  if (!isList) return readOne(setting, value, folder, complain);
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const read = items.map((item, index) =>
    readOne(setting, item, folder, (path, message) =>
      complain(Array.isArray(value) ? [String(index), ...path] : path, message),
    ),
  );
  return read.every((texts) => texts !== undefined) ? read.flat() : undefined;
}

function readOne(
  setting: Setting,
  value: unknown,
  folder: string,
  complain: Complain,
): readonly string[] | undefined {
  const { form, parse } = setting;
  if (form.type !== 'whole' && form.type !== 'text') return undefined;
  const reason = form.type === 'text' ? textProblem(form, value) : undefined;
  const invalid = reasonOf(parse, toText(value)) ?? reason;
  if (invalid !== undefined) return refuse(setting, value, invalid, complain);
  if (form.type === 'whole' && !isNumeric(value))
    return refuse(setting, value, 'It must be a number, without quotes.', complain);
  const text = toText(value);
  if (form.type === 'whole' || form.path === undefined) return [text];
  if (new RegExp(NO_PASSWORDS).test(text))
    return [form.path === 'store' ? storeInFolder(text, folder) : inFolder(text, folder)];
  complain([], `a URL with a password does not belong in a file: set ${setting.variable} in its place`);
  return undefined;
}

function textProblem({ choices, orNumber, pattern }: Text, value: unknown): string | undefined {
  if (isNumeric(value)) return orNumber ? undefined : 'It must be a text: write it in quotes.';
  if (typeof value !== 'string') return 'It must be a text.';
  if (choices && !choices.includes(value)) return `It must be one of ${choices.join(', ')}.`;
  if (value === '') return 'It must not be empty.';
  if (pattern !== undefined && !new RegExp(pattern).test(value)) return `It must match ${pattern}.`;
  return undefined;
}

function reasonOf(parse: Setting['parse'], text: string): string | undefined {
  try {
    parse?.(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** In the words of the command line. */
function refuse({ flags }: Setting, value: unknown, reason: string, complain: Complain): undefined {
  complain([], `option '${flags}' value '${shown(value)}' is invalid. ${reason}`);
}

const MOST_SHOWN = 60;

function shown(value: unknown): string {
  const text = toText(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
