import { isReference, isVersion, type Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import type { Shape } from '../schema/shape.ts';
import { isXmlName } from './xml-tree.ts';

/** How a schema is represented in XML (OpenAPI 3.2 §4.27, and `attribute` and `wrapped` of older versions). */
export interface XmlNode {
  /** `none`: no node; its content goes to the enclosing node. */
  readonly kind: 'element' | 'attribute' | 'text' | 'cdata' | 'none';
  readonly name: string;
  /** The name is in the document, or a version of OpenAPI defines how it is derived. */
  readonly isNamed: boolean;
  readonly namespace: string | undefined;
  readonly prefix: string | undefined;
}

const KINDS: ReadonlySet<unknown> = new Set<XmlNode['kind']>([
  'element',
  'attribute',
  'text',
  'cdata',
  'none',
]);

const nodesOf = oncePer((_: Shape) => new Map<string, XmlNode>());

/** The XML node of a schema. @param inferred the name of the property or component */
export function xmlNode(shape: Shape, inferred: string): XmlNode {
  const nodes = nodesOf(shape);
  const node = nodes.get(inferred) ?? readNode(shape, inferred);
  nodes.set(inferred, node);
  return node;
}

function readNode(shape: Shape, inferred: string): XmlNode {
  // The `xml` beside a reference takes precedence over that of its target.
  const objects = shape.all('xml').flatMap(({ value }) => (isRecord(value) ? [value] : []));
  const of = (field: string) => objects.find((object) => object[field] !== undefined)?.[field];
  const text = (field: string) => (typeof of(field) === 'string' ? (of(field) as string) : undefined);
  const [ownName, prefix] = [text('name'), text('prefix')];
  const isNameValid = ownName !== undefined && isXmlName(ownName);
  // Before 3.2, a property with a reference has the property's name.
  const component = isVersion(shape.spot, '3.2') ? componentOf(shape.spot) : undefined;
  return {
    kind: kindOf(shape, of('nodeType'), of('attribute') === true, of('wrapped') === true),
    name: isNameValid ? ownName : (component ?? inferred),
    isNamed: isNameValid || component !== undefined,
    namespace: text('namespace'),
    prefix: prefix !== undefined && isXmlName(prefix) ? prefix : undefined,
  };
}

function kindOf(shape: Shape, nodeType: unknown, isAttribute: boolean, isWrapped: boolean): XmlNode['kind'] {
  if (KINDS.has(nodeType)) return nodeType as XmlNode['kind'];
  if (shape.mainType === 'array') return isWrapped ? 'element' : 'none';
  return isAttribute ? 'attribute' : 'element';
}

/** The component that a reference names, by the reference's text or by the `$id` of the component. */
export function componentOf(spot: Spot): string | undefined {
  if (!isReference(spot.value)) return undefined;
  const name = spot.document.resolve(spot)?.path.at(-1) ?? spot.value.$ref.split('/').at(-1);
  return name !== undefined && isXmlName(name) ? name : undefined;
}
