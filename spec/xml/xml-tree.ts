import { saxesLibrary } from '#libraries';

/** An element with resolved names (Namespaces in XML 1.0). */
export interface XmlElement {
  /** Without prefix. */
  readonly name: string;
  /** Undefined: the name has no namespace, or any one is accepted. */
  readonly namespace: string | undefined;
  readonly prefix?: string | undefined;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly (XmlElement | XmlText)[];
}

export interface XmlAttribute {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly prefix?: string | undefined;
  readonly value: string;
}

export interface XmlText {
  readonly text: string;
  readonly isCdata: boolean;
}

export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const XMLNS = 'http://www.w3.org/2000/xmlns/';

/** Real documents are less deep, but a small body can contain millions of levels. */
const MAX_DEPTH = 100;
const MAX_ELEMENTS = 100_000;
const MAX_ATTRIBUTES = 1000;

type Building = XmlElement & { readonly children: (XmlElement | XmlText)[] };

/**
 * The root element of a document. Supports XML's predefined entities only: a DTD's declarations are not read, and no
 * file or URL is opened (OWASP: XXE).
 * @throws Error with line and column if it is not well-formed
 */
export function readXml(text: string): XmlElement {
  const parser = new (saxesLibrary().SaxesParser)({ xmlns: true });
  const open: Building[] = [];
  let root: Building | undefined;
  let [elements, attributes] = [0, 0];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) throw new Error(`an element has more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', ({ local, uri, attributes: attributesByName }) => {
    attributes = 0;
    elements += 1;
    if (elements > MAX_ELEMENTS) throw new Error(`it has more than ${MAX_ELEMENTS} elements`);
    if (open.length >= MAX_DEPTH) throw new Error(`its elements are nested more than ${MAX_DEPTH} deep`);
    const element: Building = {
      name: local,
      namespace: uri || undefined,
      attributes: Object.values(attributesByName)
        .filter((value) => value.uri !== XMLNS)
        .map((value) => ({ name: value.local, namespace: value.uri || undefined, value: value.value })),
      children: [],
    };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', (piece) => void open.at(-1)?.children.push({ text: piece, isCdata: false }));
  parser.on('cdata', (piece) => void open.at(-1)?.children.push({ text: piece, isCdata: true }));
  parser.write(text).close();
  return root as Building;
}

/** The text directly in an element. */
export function textIn({ children }: XmlElement): string {
  return children.map((child) => ('text' in child ? child.text : '')).join('');
}

export function elementsIn({ children }: XmlElement): XmlElement[] {
  return children.filter((child): child is XmlElement => 'name' in child);
}

/** The namespaces in scope by prefix; the empty prefix is the default namespace. */
type Scope = ReadonlyMap<string, string>;

/** The document of an element in UTF-8. */
export function writeXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${writeElement(root, new Map())}`;
}

function writeElement(element: XmlElement, outer: Scope): string {
  const scope = new Map(outer);
  const used = new Map<string, string>();
  const declared: string[] = [];
  /** The prefix or a similar one, since a prefix stands for a single namespace in an element. */
  const bind = (wanted: string, namespace: string): string => {
    let prefix = wanted;
    for (let number = 2; (used.get(prefix) ?? namespace) !== namespace; number++)
      prefix = `${wanted || 'ns'}${number}`;
    used.set(prefix, namespace);
    if (scope.get(prefix) !== namespace)
      declared.push(` xmlns${prefix && `:${prefix}`}="${escaped(namespace, ATTRIBUTE)}"`);
    scope.set(prefix, namespace);
    return prefix;
  };
  const nameOf = ({ name, namespace, prefix }: XmlElement | XmlAttribute, usual: string) => {
    if (namespace === undefined) return name;
    const boundPrefix = bind(prefix ?? usual, namespace);
    return boundPrefix ? `${boundPrefix}:${name}` : name;
  };
  const name = nameOf(element, '');
  const attributes = element.attributes.map(
    // The default namespace does not apply to attributes.
    (attribute) =>
      ` ${nameOf(attribute, attribute.namespace === XSI ? 'xsi' : 'ns')}="${escaped(attribute.value, ATTRIBUTE)}"`,
  );
  const head = name + declared.join('') + attributes.join('');
  if (element.children.length === 0) return `<${head}/>`;
  const content = element.children.map((child) =>
    'text' in child ? writeText(child) : writeElement(child, scope),
  );
  return `<${head}>${content.join('')}</${name}>`;
}

function writeText({ text, isCdata }: XmlText): string {
  return isCdata ? `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>` : escaped(text, TEXT);
}

const TEXT = /[&<>\r]/g;
/** Readers replace line breaks and tabs in attributes by spaces (XML 1.0 §3.3.3). */
const ATTRIBUTE = /[&<>"\r\n\t]/g;

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string, signs: RegExp): string {
  return text.replace(signs, (sign) => NAMED[sign] ?? `&#${sign.charCodeAt(0)};`);
}

/** Whether XML 1.0 allows all characters of a text (§2.2); most control characters cannot even be escaped. */
export function isXmlText(text: string): boolean {
  return /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u.test(text);
}

/** Whether a text is a name without a colon (Namespaces in XML 1.0 §3), of characters that all readers accept. */
export function isXmlName(text: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(text);
}
