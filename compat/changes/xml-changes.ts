import { componentOf, rawChild, type Shape, type Spot, type XmlNode, xmlNode } from '#spec';
import type { RuleName } from './rules.ts';
import type { SchemaChange } from './schema-change.ts';

/** For both documents, the name of a node that no XML Object names. */
export type ItemNames = readonly [old: string, next: string];

/** Whether a step leads to an item, which always has an element, or to a member. */
const isItem = (step: string) => step.startsWith('[');

/** Changes of a member or item in XML documents (OpenAPI 3.1 §4.8.26, 3.2 §4.27). */
export function nodeChanges(old: Shape, next: Shape, step: string, inferred: ItemNames): SchemaChange[] {
  const [one, other] = [xmlNode(old, inferred[0]), xmlNode(next, inferred[1])];
  // A list in place of a scalar is a change of type already.
  const isOfType = (old.mainType === 'array') === (next.mainType === 'array');
  const [mine, theirs] = [kindOf(one, step), kindOf(other, step)];
  if (isOfType && mine !== theirs) return [change('xml-node-changed', old, next, mine, theirs, step)];
  const hasName = mine === 'element' || mine === 'attribute';
  return hasName && isOfType ? nameChanges(old, next, one, other, step) : [];
}

/** The same for a whole document, whose root is an element. Undefined: the name of the root is open. */
export function rootChanges(old: Shape, next: Shape): SchemaChange[] {
  const [one, other] = [rootOf(old), rootOf(next)];
  // The component's name is the root's in practice, but officially only since 3.2.
  const isOpen = !one.isNamed && !other.isNamed;
  return nameChanges(old, next, one, isOpen ? { ...other, name: one.name } : other, undefined);
}

function rootOf(shape: Shape): XmlNode {
  return xmlNode(shape, componentOf(shape.spot) ?? '');
}

/** The names of the items if the root is a list. */
export function rootNames(old: Shape, next: Shape): ItemNames {
  const nameIn = (shape: Shape) => {
    const items = shape.find('items')?.spot;
    return (items && componentOf(items)) ?? rootOf(shape).name;
  };
  return [nameIn(old), nameIn(next)];
}

/** The names of the items below a node: that of the wrapping element, else of the member. */
export function itemNamesOf(old: Shape, next: Shape, inferred: ItemNames): ItemNames {
  const nameOf = (shape: Shape, name: string) => {
    const { kind, isNamed, name: xmlName } = xmlNode(shape, name);
    return kind !== 'none' && isNamed ? xmlName : name;
  };
  return [nameOf(old, inferred[0]), nameOf(next, inferred[1])];
}

/** CDATA makes no difference to readers. */
function kindOf({ kind }: XmlNode, step: string): string {
  if (kind === 'none') return isItem(step) ? 'element' : 'no element of its own';
  return kind === 'cdata' ? 'text' : kind;
}

function nameChanges(
  old: Shape,
  next: Shape,
  one: XmlNode,
  other: XmlNode,
  member: string | undefined,
): SchemaChange[] {
  const say = (rule: RuleName, from = '', to = '') => [change(rule, old, next, from, to, member)];
  if (one.namespace !== other.namespace)
    return say('xml-namespace-changed', one.namespace ?? 'none', other.namespace ?? 'none');
  const [from, to] = [writtenName(one), writtenName(other)];
  if (from !== to) {
    if (one.name === '') return say('xml-name-added', '', to);
    return other.name === '' ? say('xml-name-removed', from) : say('xml-name-changed', from, to);
  }
  return one.prefix === other.prefix
    ? []
    : say('xml-prefix-changed', one.prefix ?? 'none', other.prefix ?? 'none');
}

/** A prefix without a namespace is a part of the name. */
function writtenName({ name, namespace, prefix }: XmlNode): string {
  return namespace === undefined && prefix !== undefined ? `${prefix}:${name}` : name;
}

function change(
  rule: RuleName,
  old: Shape,
  next: Shape,
  from: string,
  to: string,
  member: string | undefined,
): SchemaChange {
  const at = ({ spot }: Shape): Spot => rawChild(spot, 'xml') ?? spot;
  return { rule, from, to, old: at(old), new: at(next), ...(member !== undefined && { member }) };
}
