import { type Contract, formsOf, type Operation, type Shape } from '#spec';
import type { MockRequest } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';
import type { RecordCollection } from '../records/collection.ts';
import { keepsUnnamed, namedMembers } from '../records/forms.ts';
import type { Source } from '../sessions/preferences/rules.ts';
import { jsonResponse } from './control.ts';

/** What clients of the control API need to know of the document. */
export interface ContractView {
  readonly title: string;
  readonly version: string;
  /** The prefix of each path: `/v1`, or the empty string. */
  readonly basePath: string;
  /** A public key that the mock accepts, else where users keep theirs: `$PADDOCK_API_KEY`. */
  readonly key: string;
  /** The base URL of the real service behind the mock. Absent: there is none. */
  readonly upstream?: string;
  /** A request to begin with. Absent: no operation is a GET. */
  readonly first?: FirstRequestView;
  readonly operations: readonly OperationView[];
  readonly collections: readonly CollectionView[];
}

/** A valid request of the document. */
export interface FirstRequestView {
  readonly operation: { readonly id: string };
  /** Path and query, encoded, without the base path. */
  readonly target: string;
  /** The values of its required parameters by place and name. */
  readonly parameters: Readonly<Record<'path' | 'query' | 'header', Readonly<Record<string, unknown>>>>;
  /** Header parameters, encoded. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface OperationView {
  readonly id: string;
  readonly method: string;
  /** The path template, without the base path. */
  readonly path: string;
  /** Its base path, if it differs from the document's. */
  readonly basePath?: string;
  readonly summary: string | undefined;
  readonly deprecated: boolean;
  /** The first alternative; empty if no credential is needed. */
  readonly security: readonly CredentialView[];
  /** Who responds, unless a rule decides it. Absent: there is no real service. */
  readonly source?: Source;
}

/** The real service behind a mock, and who responds to an operation. */
export interface UpstreamView {
  readonly url: string;
  readonly sourceOf: (operation: Operation) => Source;
}

export interface CredentialView {
  readonly kind: 'bearer' | 'basic' | 'apiKey';
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
}

export interface CollectionView {
  /** Its path template, without the base path: its name in the control API. */
  readonly name: string;
  /** The member with the id. Undefined: there is none. */
  readonly id: string | undefined;
  /** Path parameters of the collection that no member holds. */
  readonly parameters: readonly string[];
  readonly members: readonly MemberView[];
  /** Whether records may have members that the document does not name. */
  readonly open: boolean;
  /** How its records refer to those of other collections. */
  readonly references: readonly RecordReference[];
}

/** A reference from a record to one of another collection. */
export interface RecordReference {
  /** The path of that collection. */
  readonly collection: string;
  /** The member with its id. Undefined: only the record's path has it. */
  readonly member: string | undefined;
  /** The id's member within that object. Undefined: the member is the id itself. */
  readonly inner: string | undefined;
  /** The parameter with its id in the record's path. Undefined: there is none. */
  readonly parameter: string | undefined;
}

export interface MemberView {
  readonly name: string;
  readonly type: string | undefined;
  readonly format: string | undefined;
  readonly nullable: boolean;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly description: string | undefined;
  /** The values of `enum`. Undefined: it has none. */
  readonly values: readonly unknown[] | undefined;
}

/** A member as a form shows it, with its inner members. */
export interface FieldView extends MemberView {
  /** Its label in a form. Absent: its name. */
  readonly title?: string;
  /** For an object. */
  readonly members?: readonly FieldView[];
  /** Whether an object may have members that the document does not name. */
  readonly open?: boolean;
  /** For a list. */
  readonly items?: FieldView;
}

/** The depth of objects and lists in forms; deeper values are JSON. */
const DEEPEST = 5;

/** The members of a collection's records, without `writeOnly` ones. */
export function describeFields(shape: Shape, level = 1): readonly FieldView[] {
  return [...namedMembers(shape)].flatMap(([name, member]) =>
    member.writeOnly ? [] : [describeField(describeMember(name, member, shape), member, level)],
  );
}

function describeField(member: MemberView, shape: Shape, level: number): FieldView {
  // A nullable single form is shown as that form.
  const [only = shape, ...others] = formsOf(shape).filter((one) => one.mainType !== 'null');
  const form = others.length === 0 ? only : shape;
  const { mainType, items } = form;
  const view = { ...member, type: mainType };
  if (level === DEEPEST) return view;
  if (mainType === 'object')
    return { ...view, members: describeFields(form, level + 1), open: keepsUnnamed(form) };
  if (mainType !== 'array' || !items) return view;
  const item = { ...describeMember('', items, form), values: items.values };
  return { ...view, items: describeField(item, items, level + 1) };
}

export function describeContract(
  contract: Contract,
  basePath: string,
  key: string,
  collections: readonly RecordCollection[],
  upstream?: UpstreamView,
  first?: FirstRequestView,
): ContractView {
  const { title, version, operations } = contract;
  return {
    title,
    version,
    basePath,
    key,
    ...(upstream && { upstream: upstream.url }),
    ...(first && { first: { ...first, operation: { id: first.operation.id } } }),
    operations: operations.map((operation) => ({
      ...describeOperation(operation),
      ...ownBasePath(operation, contract),
      ...(upstream && { source: upstream.sourceOf(operation) }),
    })),
    collections: collections.map(describeCollection),
  };
}

export function describeOperation(operation: Operation): OperationView {
  const { id, method, path, summary, deprecated, security } = operation;
  const credentials = (security[0] ?? []).map(({ kind, in: place, name }) => ({ kind, in: place, name }));
  return { id, method, path, summary, deprecated, security: credentials };
}

/** For an operation with its own servers. */
export function ownBasePath(
  { basePaths: [basePath = ''] }: Operation,
  contract: Contract,
): { basePath?: string } {
  return basePath === contract.basePath ? {} : { basePath };
}

function describeCollection({ resource, keys, name, prefix, family }: RecordCollection): CollectionView {
  const { shape, id } = resource;
  return {
    name,
    id: id?.property,
    parameters: keys.filter((key) => key.startsWith('{')).map((key) => key.slice(1, -1)),
    members: [...namedMembers(shape)]
      .filter(([, { writeOnly }]) => !writeOnly)
      .map(([member, inner]) => describeMember(member, inner, shape)),
    open: keepsUnnamed(shape),
    references: family.kin.map(({ parent, property: member, inner, parameter }) => ({
      collection: prefix + parent.path,
      member,
      inner,
      parameter,
    })),
  };
}

function describeMember(name: string, member: Shape, whole: Shape): MemberView {
  const text = (keyword: string) => {
    const value = member.find(keyword)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  return {
    name,
    type: member.mainType,
    format: text('format'),
    nullable: member.nullable,
    required: whole.required.has(name),
    readOnly: member.readOnly,
    description: text('description'),
    values: listedValues(name, whole),
  };
}

/** From all forms of the record. Undefined: a form has no enumeration. */
function listedValues(name: string, whole: Shape): readonly unknown[] | undefined {
  const lists = formsOf(whole).flatMap(({ properties }) => properties.get(name) ?? []);
  const listed = lists.flatMap(({ values }) => values ?? []);
  return lists.every(({ values }) => values) ? [...new Set(listed)] : undefined;
}

/** The lines around a line of the document. */
export interface SourceLines {
  /** The file's name, as in places: `spec/openapi.yaml`. */
  readonly uri: string;
  readonly line: number;
  /** The number of the first of these lines. */
  readonly first: number;
  readonly lines: readonly string[];
}

const AROUND = 3;

/** In characters: a document without line breaks would be one long line. */
const LONGEST_LINE = 400;

/** `GET /__admin/source?at=spec/openapi.yaml:41`, only for files of the document. */
export function showSource({ document }: Contract, { query }: MockRequest): Outcome {
  const at = new URLSearchParams(query).get('at') ?? '';
  const [, uri = '', digits = ''] = /^(.*):(\d+)$/s.exec(at) ?? [];
  const files = [...document.files.values()].flatMap((file) => [file, ...(file.overlays ?? [])]);
  const lines = files.find((file) => file.uri === uri)?.text.split(/\r?\n/);
  const line = Number(digits);
  if (lines?.[line - 1] === undefined)
    return { refuse: 'not found', message: `The document has no line ${JSON.stringify(at)}` };
  const first = Math.max(1, line - AROUND);
  const excerpt = lines.slice(first - 1, line + AROUND).map((text) => text.slice(0, LONGEST_LINE));
  return jsonResponse({ uri, line, first, lines: excerpt } satisfies SourceLines);
}
