import { percentDecode } from '#spec';
import type { PathTally } from './operation-tally.ts';
import { createTextTally, mergeTexts, noteText, type TextTally } from './text-tally.ts';
import { isIdText } from './value-tally.ts';

/** A tree of paths by segment. */
export interface PathNode {
  words: Map<string, PathNode>;
  /** Children that are ids, by what follows the id: nothing, or `.json`. */
  ids: Map<string, PathNode>;
  /** The ids themselves, for a node of ids. */
  texts: TextTally;
  /** Ids in rejected requests, which may be invalid. */
  refused: TextTally;
  leaf: PathTally | undefined;
}

/** More words below one segment are no names from a program. */
const MOST_WORDS = 300;

export function createNode(): PathNode {
  return {
    words: new Map(),
    ids: new Map(),
    texts: createTextTally(),
    refused: createTextTally(),
    leaf: undefined,
  };
}

/** The node of a path, created if it is missing; ids are recognised by form here, and later by comparing all paths. */
export function nodeAt(root: PathNode, segments: readonly string[], isAccepted: boolean): PathNode {
  return segments.reduce((node, segment) => {
    const id = idIn(segment);
    if (id) {
      const child = childIn(node.ids, id.suffix);
      noteText(isAccepted ? child.texts : child.refused, id.text);
      return child;
    }
    if (node.words.size >= MOST_WORDS && !node.words.has(segment)) foldWords(node, [...node.words.keys()]);
    return childIn(node.words, segment);
  }, root);
}

/** An id in a segment: `12`, `12.pdf` and `12:archive` contain one, and the rest belongs to the path. */
function idIn(segment: string): { readonly text: string; readonly suffix: string } | undefined {
  const text = percentDecode(segment);
  if (isIdText(text)) return { text, suffix: '' };
  const [, stem = '', suffix = ''] = /^(.+?)(\.[A-Za-z]\w{1,4}|:[A-Za-z]+)$/.exec(text) ?? [];
  return isIdText(stem) ? { text: stem, suffix } : undefined;
}

function childIn(children: Map<string, PathNode>, key: string): PathNode {
  const child = children.get(key) ?? createNode();
  children.set(key, child);
  return child;
}

function foldWords(node: PathNode, words: readonly string[]): void {
  const child = childIn(node.ids, '');
  for (const word of words) {
    const folded = node.words.get(word) as PathNode;
    noteText(hasAccepted(folded) ? child.texts : child.refused, percentDecode(word));
    mergeNodes(child, folded);
    node.words.delete(word);
  }
}

function mergeNodes(into: PathNode, from: PathNode): void {
  mergeTexts(into.texts, from.texts);
  mergeTexts(into.refused, from.refused);
  for (const [word, node] of from.words) mergeNodes(childIn(into.words, word), node);
  for (const [suffix, node] of from.ids) mergeNodes(childIn(into.ids, suffix), node);
  if (into.leaf && from.leaf) into.leaf.merge(from.leaf);
  else into.leaf ??= from.leaf;
}

/** How many words with equal behaviour count as ids, beside a list and without one. */
const FEW_SIMILAR = 3;
const MANY_SIMILAR = 8;

/** Finds words that are ids: a response shows them as such, or many of them behave alike. */
export function findIds(node: PathNode, depth = 0): void {
  const words = depth > 0 ? idWords(node) : [];
  if (words.length > 0) foldWords(node, words);
  for (const child of [...node.words.values(), ...node.ids.values()]) findIds(child, depth + 1);
}

function idWords({ words, ids, leaf }: PathNode): string[] {
  const idTexts = new Set<string>();
  // A trailing slash is no word.
  const named = [...words].filter(([word]) => word !== '');
  for (const [word, child] of named) {
    const isShown =
      leaf?.identifiers.has(percentDecode(word)) || child.leaf?.identifiers.has(percentDecode(word));
    // A word beside ids whose requests were all rejected is an invalid id, and no path of its own.
    if (isShown || (ids.size > 0 && !hasAccepted(child))) idTexts.add(word);
  }
  const others = named.filter(([word]) => !idTexts.has(word));
  const groups = Map.groupBy(others, ([, child]) => signatureOf(child));
  // Without known ids, paths that behave alike are ids; beside known ids, they are more likely words.
  const enough = idTexts.size > 0 || (leaf?.isTelling() && ids.size === 0) ? FEW_SIMILAR : MANY_SIMILAR;
  for (const [signature, group] of groups)
    if (signature !== '' && group.length >= enough) for (const [word] of group) idTexts.add(word);
  if (idTexts.size > 0) for (const [word, child] of others) if (!hasAccepted(child)) idTexts.add(word);
  return [...idTexts];
}

/** The behaviour of a path and its children: that of `/acme/repos` equals that of `/umbrella/repos`. */
function signatureOf({ leaf, words, ids }: PathNode, depth = 0): string {
  if (leaf || depth > 3) return leaf?.signature() ?? '';
  const below = [...words, ...[...ids].map(([suffix, node]) => [`{}${suffix}`, node] as const)];
  const parts = below.map(([step, node]) => [step, signatureOf(node, depth + 1)] as const);
  return parts
    .filter(([, signature]) => signature !== '')
    .map(([step, signature]) => `/${step} ${signature}`)
    .sort()
    .join('\n');
}

function hasAccepted({ leaf, words, ids }: PathNode): boolean {
  return leaf?.isAccepted() === true || [...words.values(), ...ids.values()].some(hasAccepted);
}

/** A segment of a template: a word, or an id. */
export type TemplateSegment =
  | { readonly word: string }
  | { readonly texts: TextTally; readonly suffix: string };

export function* pathsBelow(
  node: PathNode,
  segments: readonly TemplateSegment[] = [],
): Generator<{ readonly segments: readonly TemplateSegment[]; readonly leaf: PathTally }> {
  if (node.leaf) yield { segments, leaf: node.leaf };
  for (const [word, child] of node.words) yield* pathsBelow(child, [...segments, { word }]);
  for (const [suffix, child] of node.ids)
    yield* pathsBelow(child, [
      ...segments,
      { texts: child.texts.first === undefined ? child.refused : child.texts, suffix },
    ]);
}
