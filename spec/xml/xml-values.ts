import { decodeText } from '../decode-parameter.ts';
import { isRecord } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import type { MediaType } from '../media-type.ts';
import { textOf } from '../parameter-style.ts';
import { roughlyFits } from '../schema/roughly-fits.ts';
import { formsOf, type Shape } from '../schema/shape.ts';
import { componentOf, type XmlNode, xmlNode } from './xml-object.ts';
import {
  elementsIn,
  isXmlName,
  isXmlText,
  readXml,
  textIn,
  writeXml,
  type XmlAttribute,
  type XmlElement,
  type XmlText,
  XSI,
} from './xml-tree.ts';

/** Converts the values of one media type to and from XML. */
export interface XmlValues {
  /** @throws Error if it is not well-formed, or has another root element than documented */
  decode(text: string): unknown;
  /** Undefined: XML cannot represent the value, such as a text with control characters. */
  encode(value: unknown): string | undefined;
}

/** The name of root elements that no schema names. */
const UNNAMED = 'root';

export function compileXmlValues({ schema, shape }: MediaType): XmlValues {
  if (!schema || !shape) throw new Error('XML without a schema');
  const items = shape.mainType === 'array' ? shape.items : undefined;
  // At the root, an array needs an element around it.
  const root: XmlNode = { ...xmlNode(shape, componentOf(schema) ?? UNNAMED), kind: 'element' };
  return {
    decode(text) {
      const element = readXml(text);
      const [named, namespaced] = [root.isNamed, root.namespace !== undefined];
      if ((named && element.name !== root.name) || (namespaced && element.namespace !== root.namespace))
        throw new Error(`its root element ${describeNode(element)} must be ${describeNode(root)}`);
      return createDecoder().content(
        shape,
        element,
        nameOfItems(shape.find('items')?.spot, items, root.name),
      );
    },
    encode(value) {
      try {
        const name = nameOfItems(shape.find('items')?.spot, items, root.name);
        return writeXml(elementOf(root, shape, value, name));
      } catch (error) {
        if (error instanceof Unwritable) return undefined;
        throw error;
      }
    },
  };
}

const describeNode = ({ name, namespace }: Pick<XmlNode, 'name' | 'namespace'>) =>
  `<${name}>${namespace === undefined ? '' : ` of ${namespace}`}`;

/** The name of the items at the root, where no property provides one. */
function nameOfItems(spot: Shape['spot'] | undefined, items: Shape | undefined, root: string): string {
  return (spot && items && componentOf(spot)) ?? root;
}

// Reading

type Decoder = ReturnType<typeof createDecoder>;

function createDecoder() {
  // Each element is tried with each branch only once, at any depth of nested branches.
  const valuesOf = oncePer((element: XmlElement) =>
    oncePer((form: Shape, itemName: string) => decodeAs({ content }, form, element, itemName)),
  );

  /** The value of an element. @param itemName the name of the items if it is an array */
  function content(shape: Shape, element: XmlElement, itemName: string): unknown {
    if (isNil(element)) return null;
    const forms = formsOf(shape);
    const [only] = forms;
    if (forms.length === 1 && only) return valuesOf(element)(only, itemName);
    const fitting = forms.find((form) => roughlyFits(form, valuesOf(element)(form, itemName)));
    return valuesOf(element)(fitting ?? (only as Shape), itemName);
  }
  return { content };
}

function isNil({ attributes }: XmlElement): boolean {
  return attributes.some(
    ({ name, namespace, value }) => name === 'nil' && namespace === XSI && /^\s*(?:true|1)\s*$/.test(value),
  );
}

function decodeAs(decoder: Decoder, form: Shape, element: XmlElement, itemName: string): unknown {
  const { mainType } = form;
  if (mainType === 'array') return decodeItems(decoder, form, element, itemName);
  const attributes = element.attributes.filter(({ namespace }) => namespace !== XSI);
  const hasParts = elementsIn(element).length > 0;
  if (mainType === 'object' || hasParts || (mainType === undefined && attributes.length > 0))
    return decodeMembers(decoder, form, element, attributes);
  return decodeScalar(textIn(element), form);
}

function decodeScalar(text: string, shape: Shape | undefined): unknown {
  const hasText = !shape || shape.mainType === undefined || shape.types?.has('string');
  if (hasText) return decodeText(text, shape);
  const trimmed = text.trim();
  return trimmed === '' && shape.nullable ? null : decodeText(trimmed, shape);
}

/** The items of an array with its own element. */
function decodeItems(decoder: Decoder, form: Shape, element: XmlElement, itemName: string): unknown[] {
  const { prefixItems, items } = form;
  if (prefixItems.length > 0) return decodeInOrder(decoder, form, element, itemName);
  const node = items && xmlNode(items, itemName);
  return elementsIn(element).map((child) =>
    items && node && isOf(child, node) ? decoder.content(items, child, node.name) : generic(child),
  );
}

/** Elements and texts in the order of `prefixItems` (OpenAPI 3.2, "Ordered Elements and Text"). */
function decodeInOrder(decoder: Decoder, form: Shape, element: XmlElement, itemName: string): unknown[] {
  const texts = form.prefixItems.some((prefixItem) => isTextual(xmlNode(prefixItem, itemName)));
  const children = element.children.filter((child) => 'name' in child || (texts && child.text.trim() !== ''));
  return children.map((child, index) => {
    const shape = form.prefixItems[index] ?? form.items;
    if ('text' in child) return decodeScalar(child.text, shape);
    return shape ? decoder.content(shape, child, xmlNode(shape, itemName).name) : generic(child);
  });
}

const isTextual = ({ kind }: XmlNode) => kind === 'text' || kind === 'cdata';

function decodeMembers(
  decoder: Decoder,
  form: Shape,
  element: XmlElement,
  attributes: readonly XmlAttribute[],
): Record<string, unknown> {
  const members = new Map<string, unknown>();
  const taken = new Set<XmlElement | XmlAttribute>();
  const children = elementsIn(element);
  const take = <T extends XmlElement | XmlAttribute>(from: readonly T[], node: XmlNode) => {
    const matches = from.filter((one) => !taken.has(one) && isOf(one, node));
    for (const match of matches) taken.add(match);
    return matches;
  };
  for (const [name, shape] of form.properties) {
    const node = xmlNode(shape, name);
    if (isTextual(node)) {
      const text = textOfKind(element, node);
      if (text !== '' || form.required.has(name)) members.set(name, decodeScalar(text, shape));
    } else if (node.kind === 'attribute') {
      const [attribute] = take(attributes, node);
      if (attribute) members.set(name, decodeScalar(attribute.value, shape));
      // A missing attribute is the only way to represent null.
      else if (shape.nullable) members.set(name, null);
    } else if (node.kind === 'none' && shape.mainType === 'array') {
      const items = shape.items;
      const item = items ? xmlNode(items, name) : { ...node, name };
      const elements = take(children, item);
      // Without any element, a required array is empty.
      if (elements.length > 0 || form.required.has(name))
        members.set(
          name,
          elements.map((child) => (items ? decoder.content(items, child, item.name) : generic(child))),
        );
    } else if (node.kind === 'none') {
      members.set(name, decoder.content(shape, element, name));
    } else {
      const elements = take(children, node);
      // Unnamed items are called like the element around them, or like the property.
      const itemName = node.isNamed ? node.name : name;
      const values = elements.map((child) => decoder.content(shape, child, itemName));
      if (values.length > 0) members.set(name, values.length === 1 ? values[0] : values);
    }
  }
  // A described member is only read from its own place.
  const isOther = (one: XmlElement | XmlAttribute) => !taken.has(one) && !form.properties.has(one.name);
  for (const { name, value } of attributes.filter(isOther)) members.set(name, value);
  const { additional } = form;
  const others = Map.groupBy(children.filter(isOther), ({ name }) => name);
  for (const [name, group] of others) {
    const values = group.map((child) =>
      additional ? decoder.content(additional, child, name) : generic(child),
    );
    members.set(name, values.length === 1 ? values[0] : values);
  }
  return Object.fromEntries(members);
}

function textOfKind(element: XmlElement, { kind }: XmlNode): string {
  const sections = element.children.filter((child) => 'text' in child && child.isCdata);
  if (kind === 'cdata' && sections.length > 0)
    return sections.map((section) => (section as XmlText).text).join('');
  return textIn(element);
}

/** A name without a namespace in the document matches any namespace. */
function isOf(
  one: XmlElement | XmlAttribute,
  { name, namespace }: Pick<XmlNode, 'name' | 'namespace'>,
): boolean {
  return one.name === name && (namespace === undefined || one.namespace === namespace);
}

/** The value of an element without a schema. */
function generic(element: XmlElement): unknown {
  if (isNil(element)) return null;
  const children = elementsIn(element);
  if (children.length === 0) return textIn(element);
  const groups = Map.groupBy(children, ({ name }) => name);
  return Object.fromEntries(
    [...groups].map(([name, [first, ...more]]) => [
      name,
      first && more.length === 0
        ? generic(first)
        : [first, ...more].flatMap((xmlElement) => (xmlElement ? [generic(xmlElement)] : [])),
    ]),
  );
}

// Writing

/** Thrown for a value that XML cannot represent. */
class Unwritable extends Error {}

type Content = { readonly attributes: XmlAttribute[]; readonly children: (XmlElement | XmlText)[] };

const named = ({ name, namespace, prefix }: XmlNode) => {
  if (!isXmlName(name)) throw new Unwritable();
  return { name, namespace, prefix };
};

const NIL: XmlAttribute = { name: 'nil', namespace: XSI, value: 'true' };

function elementOf(node: XmlNode, shape: Shape | undefined, value: unknown, itemName: string): XmlElement {
  if (value === null) return { ...named(node), attributes: [NIL], children: [] };
  return { ...named(node), ...contentOf(shape, value, itemName) };
}

function contentOf(shape: Shape | undefined, value: unknown, itemName: string): Content {
  const forms = shape ? formsOf(shape) : [];
  const form = forms.find((one) => roughlyFits(one, value)) ?? forms[0];
  if (Array.isArray(value)) return joined(value.map((item, index) => itemOf(form, item, index, itemName)));
  if (isRecord(value))
    return joined(
      Object.entries(value).map(([name, member]) => {
        const inner = form && (form.properties.get(name) ?? form.additional);
        return nodeContent(inner, inner ? xmlNode(inner, name) : plainNode(name), member, name);
      }),
    );
  return { attributes: [], children: writtenText(value, false) };
}

function itemOf(form: Shape | undefined, item: unknown, index: number, itemName: string): Content {
  const shape = form?.prefixItems[index] ?? form?.items;
  return nodeContent(shape, shape ? xmlNode(shape, itemName) : plainNode(itemName), item, itemName, true);
}

/** Adds a member or an item to the enclosing element. */
function nodeContent(
  shape: Shape | undefined,
  node: XmlNode,
  value: unknown,
  inferred: string,
  isItem = false,
): Content {
  const nothing: Content = { attributes: [], children: [] };
  if (value === undefined) return nothing;
  if (node.kind === 'attribute') {
    if (value === null) return nothing;
    return { attributes: [{ ...named(node), value: scalarText(value) }], children: [] };
  }
  if (isTextual(node))
    return { attributes: [], children: value === null ? [] : writtenText(value, node.kind === 'cdata') };
  if (node.kind === 'none' && !isItem) return value === null ? nothing : contentOf(shape, value, inferred);
  const isSpread = Array.isArray(value) && shape === undefined && !isItem;
  if (isSpread) return joined(value.map((item) => nodeContent(undefined, node, item, inferred, true)));
  const itemName = node.isNamed ? node.name : inferred;
  return { attributes: [], children: [elementOf(node, shape, value, itemName)] };
}

function plainNode(name: string): XmlNode {
  return { kind: 'element', name, isNamed: false, namespace: undefined, prefix: undefined };
}

function joined(parts: readonly Content[]): Content {
  return {
    attributes: parts.flatMap(({ attributes }) => attributes),
    children: parts.flatMap(({ children }) => children),
  };
}

function writtenText(value: unknown, isCdata: boolean): XmlText[] {
  const text = scalarText(value);
  return text === '' ? [] : [{ text, isCdata }];
}

function scalarText(value: unknown): string {
  if (typeof value === 'object' && value !== null) throw new Unwritable();
  const text = textOf(value);
  if (!isXmlText(text)) throw new Unwritable();
  return text;
}
