import { Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Contract } from '../contract.ts';
import type { Problem } from '../document/source-file.ts';
import { rawChildren, type Spot } from '../document/spot.ts';
import { YAML_TEXTS } from '../document/write-yaml.ts';
import { tryJson } from '../json/exact-json.ts';
import { isEqual, isRecord, jsonPath, pointerTokens, toPointer } from '../json/json-value.ts';
import type { Keys } from '../meaning/forms.ts';
import { DOES, OPERATION, RECORD, ROLES } from '../meaning/keys.ts';
import type { CollectionMeaning, FactBasis, Meaning } from '../meaning/meaning.ts';
import { GUESSED, isReadFact, SAID, SAID_FORMS } from '../meaning/x-paddock.ts';
import type { Operation } from '../operation.ts';
import { type Explained, keyOf, meaningOf } from './meaning-of.ts';
import { targetOf } from './unused-facts.ts';

/** The facts about one part of a document, as an overlay contains them. */
export interface WrittenMeaning {
  /** `GET /pets`, or for a schema the path of the collection with its records. */
  readonly name: string;
  /** The target of an Action Object: `$.paths['/pets'].get`. Undefined: the part is in another file. */
  readonly target: string | undefined;
  readonly guessed: Facts;
  /** Facts that the document already promises, so that the overlay need not state them. */
  readonly promised: Facts;
}

export type Facts = Readonly<Record<string, unknown>>;

/** The facts of each operation and each record schema of a document, as an overlay contains them. */
export function writtenMeaning(contract: Contract): WrittenMeaning[] {
  const explained = meaningOf(contract);
  const { collections } = explained.meaning;
  const records = Object.entries(collections).map(([path, collectionMeaning]) =>
    ofRecord(path, collectionMeaning, explained, contract),
  );
  // Facts about a collection go to its schema, or to an operation if several collections share the schema.
  const alone = new Map<Operation, WrittenMeaning>();
  for (const { path, actions } of contract.resources) {
    const { single, record } = collections[path] ?? {};
    const alike = Object.entries(collections).filter(
      ([, collectionMeaning]) => !collectionMeaning.single && collectionMeaning.record === record,
    );
    const [operation] = Object.values(actions);
    const index = records.findIndex(({ name }) => name === path);
    const written = records[index];
    if (single || !operation || !written || (alike.length < 2 && record !== undefined)) continue;
    const { guessed, promised } = written;
    const members = ({ members: its }: Facts): Facts => (its && record !== undefined ? { members: its } : {});
    const others = (facts: Facts) =>
      Object.fromEntries(Object.entries(facts).filter(([key]) => !(key in members(facts))));
    records[index] = { ...written, guessed: members(guessed), promised: members(promised) };
    alone.set(operation, { ...written, guessed: others(guessed), promised: others(promised) });
  }
  return [
    ...contract.operations.map((operation) => ofOperation(operation, explained, alone.get(operation))),
    ...records,
  ];
}

function ofOperation(operation: Operation, explained: Explained, ofRecords?: WrittenMeaning): WrittenMeaning {
  const name = keyOf(operation);
  const all = factsOf(explained, ['operations', name]);
  return {
    name,
    target: targetOf(operation.spot),
    guessed: { ...asWritten(all.guessed, explained.meaning, name), ...ofRecords?.guessed },
    promised: { ...asWritten(all.promised, explained.meaning, name), ...ofRecords?.promised },
  };
}

/** Writes the role and its collection in one line: `list: /pets`. */
function asWritten({ does, of: _, refuses, ...rest }: Facts, { operations }: Meaning, name: string): Facts {
  const reasons = Object.entries((refuses as object | undefined) ?? {}).filter(([, why]) => isSaid(why));
  const others = { ...rest, ...(reasons.length > 0 && { refuses: Object.fromEntries(reasons) }) };
  if (typeof does !== 'string') return others;
  return { [does]: does === 'none' ? true : (operations[name]?.of ?? true), ...others };
}

/** The refusals `taken` and `kept` follow from facts about records. */
const isSaid = (why: unknown) => why !== 'taken' && why !== 'kept';

/** Facts that follow from the paths and have no key. */
const OF_PATHS = ['record', 'single', 'sharedWith'];

function ofRecord(
  path: string,
  { record = '' }: CollectionMeaning,
  explained: Explained,
  { document }: Contract,
): WrittenMeaning {
  const { guessed, promised } = factsOf(explained, ['collections', path]);
  const without = (facts: Facts) =>
    Object.fromEntries(Object.entries(facts).filter(([key]) => !OF_PATHS.includes(key)));
  return {
    name: path,
    target: targetOfPointer(record, document.root),
    guessed: without(guessed),
    promised: without(promised),
  };
}

/** A fact, its basis, and its path in the facts of its part: `['query', 'status']`. */
export interface Fact {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly basis: FactBasis;
}

/** @param at the part: `['operations', 'GET /pets']`, or a collection */
export function factsAt({ meaning, bases }: Explained, at: readonly string[]): Fact[] {
  const whole = at.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), meaning);
  const gather = (part: unknown, path: readonly string[]): Fact[] =>
    Object.entries(isRecord(part) ? part : {}).flatMap(([key, value]) => {
      const basis = bases.get(toPointer([...at, ...path, key]));
      if (basis) return [{ path: [...path, key], value, basis }];
      return path.length === 0 ? gather(value, [key]) : [];
    });
  return gather(whole, []);
}

/** Splits facts by certainty. Explicit ones are left out, since the document or an overlay has them already. */
function factsOf(explained: Explained, at: readonly string[]) {
  const guessed: Record<string, unknown> = {};
  const promised: Record<string, unknown> = {};
  for (const { path, value, basis } of factsAt(explained, at)) {
    if (basis.signs.includes('said')) continue;
    const into = basis.certainty === 'promised' ? promised : guessed;
    const [key = '', name] = path;
    into[key] = name === undefined ? value : { ...(into[key] as object | undefined), [name]: value };
  }
  return { guessed, promised };
}

/** `$.components.schemas.Pet` for `#/components/schemas/Pet`. */
function targetOfPointer(pointer: string, root: Spot): string | undefined {
  if (!pointer.startsWith('#')) return undefined;
  return jsonPath(pointerTokens(pointer), root.value);
}

interface Written {
  /** The text of the overlay. */
  readonly text: string;
  /** The names of the parts whose guesses differ from those in the file. */
  readonly changed: readonly string[];
}

/**
 * Writes the presumed facts of a document as an OpenAPI Overlay, and the promised ones as comments. In an existing file
 * everything but the guesses is kept, and the guesses are updated.
 * @param existing the text of the file
 * @param extending the `extends` of the overlay, which names the document
 */
export function writeGuesses(contract: Contract, existing: string | undefined, extending: string): Written {
  const yaml = existing === undefined ? newOverlay(contract, extending) : readOverlay(existing);
  const actions = actionsOf(yaml);
  const before = new Map<string, unknown>();
  const guessing = new Map<string, YAMLMap>();
  for (const [target, update, action] of updatesOf(actions)) {
    action.commentBefore = keptLines(action.commentBefore).join('\n') || null;
    const guess = update.get(GUESSED, true);
    if (guess === undefined) continue;
    if (guessing.has(target)) withoutGuess(actions, action);
    else guessing.set(target, action);
    before.set(target, plain(guess));
  }
  const now = new Map<string, Facts>();
  let comments: string[] = [];
  for (const { name, target, guessed, promised } of writtenMeaning(contract)) {
    const isGuessed = Object.keys(guessed).length > 0;
    if (Object.keys(promised).length > 0) comments.push(` ${MARK} ${name}: ${inFlow(promised)}`);
    if (isGuessed && target === undefined)
      comments.push(` ${MARK} ${name}, described in another file, is guessed: ${inFlow(guessed)}`);
    if (!isGuessed || target === undefined) continue;
    now.set(target, guessed);
    const action = guessing.get(target) ?? yaml.createNode({ target, update: {} });
    if (!guessing.has(target)) actions.add(action);
    guessing.delete(target);
    const update = action.get('update') as YAMLMap;
    update.set(GUESSED, yaml.createNode(guessed));
    update.flow = true;
    action.commentBefore = [...keptLines(action.commentBefore), ...comments].join('\n') || null;
    comments = [];
  }
  const left = keptLines(yaml.comment);
  for (const action of guessing.values()) left.push(...withoutGuess(actions, action));
  yaml.comment = [...left, ...comments].join('\n') || null;
  const all = new Set([...before.keys(), ...now.keys()]);
  const changed = [...all].filter((target) => !isEqual(before.get(target), now.get(target)));
  return { text: textOf(yaml, existing), changed };
}

/** Keeps what users have written beside a guess. Returns their comments on actions that are removed. */
function withoutGuess(actions: YAMLSeq, action: YAMLMap): string[] {
  const update = action.get('update') as YAMLMap;
  update.delete(GUESSED);
  if (update.items.length > 0) return [];
  actions.items.splice(actions.items.indexOf(action), 1);
  return keptLines(action.commentBefore);
}

/** Comments that start with this word are written anew each time. */
const MARK = 'promised';

const keptLines = (comment: string | null | undefined) =>
  (comment ?? '').split('\n').filter((line) => line !== '' && !line.startsWith(` ${MARK} `));

function newOverlay({ title }: Contract, extending: string): Document {
  const yaml = new Document(
    {
      overlay: '1.0.0',
      info: { title: `Meaning of ${title}`, version: '1.0.0' },
      extends: extending,
      actions: [],
    },
    YAML_TEXTS,
  );
  yaml.commentBefore =
    ` What ${title} means beyond OpenAPI. ${GUESSED} is written anew by paddock explain --write, and nobody is held to it.\n` +
    ` Where a guess is right, rename the key to ${SAID}, or run paddock explain --accept; where it is wrong, correct it there.`;
  return yaml;
}

/** @throws Error if the text is no overlay */
function readOverlay(text: string): Document {
  const yaml = parseDocument(text, YAML_TEXTS);
  const [error] = yaml.errors;
  if (error) throw new Error(error.message);
  if (!isMap(yaml.contents) || !yaml.has('overlay')) throw new Error('it is no OpenAPI Overlay');
  return yaml as Document;
}

function actionsOf(yaml: Document): YAMLSeq {
  const actions = yaml.get('actions');
  if (isSeq(actions)) {
    // An empty list can only be in flow style.
    if (actions.items.length === 0) actions.flow = false;
    return actions;
  }
  const made = yaml.createNode([]);
  yaml.set('actions', made);
  return made;
}

function updatesOf(actions: YAMLSeq): [target: string, update: YAMLMap, action: YAMLMap][] {
  return actions.items.flatMap((action): [string, YAMLMap, YAMLMap][] => {
    const update = isMap(action) ? action.get('update') : undefined;
    return isMap(action) && isMap(update) ? [[String(action.get('target')), update, action]] : [];
  });
}

const plain = (node: unknown): unknown =>
  node !== null && typeof node === 'object' && 'toJSON' in node
    ? JSON.parse(JSON.stringify((node as { toJSON(): unknown }).toJSON()))
    : node;

/**
 * Turns guesses into explicit facts: the key {@link GUESSED} becomes {@link SAID}.
 * @param targets of the actions, from {@link writtenMeaning}
 * @returns the text of the file, and the targets for which it has no guess
 */
export function acceptGuesses(text: string, targets: readonly string[]): { text: string; unknown: string[] } {
  const yaml = readOverlay(text);
  const unknown = new Set(targets);
  for (const [target, update] of updatesOf(actionsOf(yaml))) {
    const guess = update.get(GUESSED, true);
    if (!targets.includes(target) || guess === undefined) continue;
    unknown.delete(target);
    const facts = update.get(SAID);
    update.delete(GUESSED);
    if (isMap(facts) && isMap(guess)) for (const pair of guess.items) facts.add(pair, true);
    else update.set(SAID, guess);
  }
  return { text: textOf(yaml, text), unknown: [...unknown] };
}

/**
 * Adds facts about one part of a document to an overlay, and keeps comments and everything else. A new role replaces
 * the old one.
 * @param facts null removes a fact
 * @throws Error if the text is no overlay
 */
export function sayInOverlay(text: string, target: string, facts: Facts): string {
  const yaml = readOverlay(text);
  const actions = actionsOf(yaml);
  const matches = updatesOf(actions).filter(([one]) => one === target);
  const [, entry, action] = matches.find(([, update]) => update.has(SAID)) ?? matches[0] ?? [];
  const current = entry?.get(SAID);
  const map = isMap(current) ? current : (yaml.createNode({}) as YAMLMap);
  if (DOES.some((role) => role in facts)) for (const role of DOES) map.delete(role);
  say(yaml, map, facts, 1);
  const isEmpty = map.items.length === 0;
  if (isEmpty) entry?.delete(SAID);
  else if (entry) entry.set(SAID, map);
  else actions.add(yaml.createNode({ target, update: { [SAID]: map } }));
  if (entry?.items.length === 0) actions.items.splice(actions.items.indexOf(action), 1);
  return textOf(yaml, text);
}

/** @param levels how many levels of maps are merged with the existing ones */
function say(yaml: Document, map: YAMLMap, facts: Facts, levels: number): void {
  for (const [key, value] of Object.entries(facts)) {
    if (levels === 0 || !isRecord(value)) {
      if (value === null) map.delete(key);
      else map.set(key, yaml.createNode(value));
      continue;
    }
    const current = map.get(key);
    const inner = isMap(current) ? current : (yaml.createNode({}) as YAMLMap);
    say(yaml, inner, value, key === 'members' ? levels : levels - 1);
    if (inner.items.length > 0) map.set(key, inner);
    else map.delete(key);
  }
}

/** An Action Object with facts, as lines for the `actions` of an overlay. */
export function overlayLines(target: string, facts: Facts): string {
  const lines = inFlow([{ target, update: { [SAID]: facts } }]);
  return `  - ${lines.slice(2, -2)}`;
}

/** The text in the format of the existing file: JSON stays JSON, and line ends stay the same. */
function textOf(yaml: Document, existing = ''): string {
  if (isRecord(tryJson(existing))) return `${JSON.stringify(yaml.toJSON(), undefined, 2)}\n`;
  const text = yaml.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true });
  return existing.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text;
}

/** Facts on one line of YAML. */
export function inFlow(facts: unknown): string {
  const yaml = new Document(facts, YAML_TEXTS);
  if (isMap(yaml.contents) || isSeq(yaml.contents)) yaml.contents.flow = true;
  return yaml.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true }).trimEnd();
}

/** Facts that no code reads, because they are not at an operation, path or record schema. */
export function unreadFacts(contract: Contract): Problem[] {
  meaningOf(contract);
  const { root } = contract.document;
  const problems: Problem[] = [];
  const walk = (spot: Spot): void => {
    for (const [key, one] of rawChildren(spot)) {
      if (EXAMPLES.has(key)) continue;
      if (key !== SAID) walk(one);
      else if (isRecord(one.value) && !isReadFact(one.value))
        problems.push(one.file.problemAt(one.path, UNREAD));
    }
  };
  walk(root);
  return problems;
}

const EXAMPLES: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);
const UNREAD =
  'x-paddock: nothing is read here; it counts at an operation, a path, or the schema of the records in a response';

/** The JSON Schema of `x-paddock`, published for editors as x-paddock.schema.json. */
export const X_PADDOCK_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'x-paddock',
  description: 'What a document means beyond OpenAPI, at an operation, a path or the schema of a record.',
  anyOf: [{ $ref: '#/$defs/operation' }, { $ref: '#/$defs/record' }],
  $defs: { operation: SAID_FORMS.operation.schema, record: SAID_FORMS.record.schema },
} as const;

/** The keys in Markdown, for the generated sections of docs/meaning.md with these names. */
export const KEY_LISTS: Readonly<Record<string, string>> = {
  roles: DOES.map((does) => `- \`${does}\`: it ${ROLES[does][0]}`).join('\n'),
  operation: itemsOf(OPERATION),
  record: itemsOf(RECORD),
};

function itemsOf(keys: Keys, indent = ''): string {
  return Object.entries(keys)
    .flatMap(([name, [{ shown, keys: inner }, help]]) => [
      `${indent}- \`${name}\` (${shown}): ${help}`,
      ...(inner ? [itemsOf(inner, `${indent}  `)] : []),
    ])
    .join('\n');
}
