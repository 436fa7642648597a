import { type Contract, formsOf, type Operation, type Shape } from '#spec';
import type { MockRequest } from '../http/exchange.ts';
import type { Outcome } from '../http/refusal.ts';
import type { RecordCollection } from '../records/collection.ts';
import { keepsUnnamed, namedMembers } from '../records/forms.ts';
import type { Source } from '../sessions/preferences/rules.ts';
import { jsonResponse } from './control.ts';

/** What a client of the control API has to know of the document. */
export interface ContractView {
  readonly title: string;
  readonly version: string;
  /** What precedes each path: `/v1`, or the empty string. */
  readonly basePath: string;
  /** A key that the mock accepts, if everyone may know it; else where users keep theirs: `$PADDOCK_API_KEY`. */
  readonly key: string;
  /** The base URL of the real service behind the mock; absent: there is none. */
  readonly upstream?: string;
  /** A request to begin with; absent: no operation is a GET. */
  readonly first?: FirstRequestView;
  readonly operations: readonly OperationView[];
  readonly collections: readonly CollectionView[];
}

/** A request of the document that succeeds. */
export interface FirstRequestView {
  readonly operation: { readonly id: string };
  /** Path and query, encoded, without the base path. */
  readonly target: string;
  /** The values of its required parameters by place and name. */
  readonly parameters: Readonly<Record<'path' | 'query' | 'header', Readonly<Record<string, unknown>>>>;
  /** Those of headers as they are sent. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface OperationView {
  readonly id: string;
  readonly method: string;
  /** The path template, without the base path. */
  readonly path: string;
  /** What precedes it, where that is not the base path of the document. */
  readonly basePath?: string;
  readonly summary: string | undefined;
  readonly deprecated: boolean;
  /** The first alternative; empty if no credential is needed. */
  readonly security: readonly CredentialView[];
  /** Who responds, as long as no rule says it; absent: there is no real service. */
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
  /** Its path template, without the base path, which names it in the control API. */
  readonly name: string;
  /** The member with the id; undefined: there is none. */
  readonly id: string | undefined;
  /** Path parameters of the collection itself that no member of a record holds. */
  readonly parameters: readonly string[];
  readonly members: readonly MemberView[];
  /** Whether records may have members that the document does not name. */
  readonly open: boolean;
  /** What its records name: those of other collections. */
  readonly references: readonly RecordReference[];
}

/** How a record names one of another collection. */
export interface RecordReference {
  /** The path of that collection. */
  readonly collection: string;
  /** The member with its id; undefined: the path of the record alone has it. */
  readonly member: string | undefined;
  /** The member of that object which is the id; undefined: the member itself is. */
  readonly inner: string | undefined;
  /** The parameter of the record's path with its id; undefined: the path has none. */
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
  /** The values of `enum`; undefined: it has none. */
  readonly values: readonly unknown[] | undefined;
}

/** A member as a form shows it, with what is inside. */
export interface FieldView extends MemberView {
  /** What it is called in a form; absent: as it is named. */
  readonly title?: string;
  /** Of an object. */
  readonly members?: readonly FieldView[];
  /** Whether an object may have members that the document does not name. */
  readonly open?: boolean;
  /** Of a list. */
  readonly items?: FieldView;
}

/** Levels of objects and lists; what is below is JSON. */
const DEEPEST = 5;

/** The members of the records of a collection, those that only clients send left out. */
export function describeFields(shape: Shape, level = 1): readonly FieldView[] {
  return [...namedMembers(shape)].flatMap(([name, member]) =>
    member.writeOnly ? [] : [describeField(describeMember(name, member, shape), member, level)],
  );
}

function describeField(member: MemberView, shape: Shape, level: number): FieldView {
  // One form, or null, is that form.
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

function describeOperation({ id, method, path, summary, deprecated, security }: Operation): OperationView {
  const credentials = (security[0] ?? []).map(({ kind, in: place, name }) => ({ kind, in: place, name }));
  return { id, method, path, summary, deprecated, security: credentials };
}

/** Of an operation with servers of its own. */
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

/** Of all forms of the record; undefined: one of them lists none. */
function listedValues(name: string, whole: Shape): readonly unknown[] | undefined {
  const lists = formsOf(whole).flatMap(({ properties }) => properties.get(name) ?? []);
  const listed = lists.flatMap(({ values }) => values ?? []);
  return lists.every(({ values }) => values) ? [...new Set(listed)] : undefined;
}

/** The lines around one line of the document. */
export interface SourceLines {
  /** As places name the file: `spec/openapi.yaml`. */
  readonly uri: string;
  readonly line: number;
  /** The number of the first one below. */
  readonly first: number;
  readonly lines: readonly string[];
}

const AROUND = 3;

/** In characters: the line of a document without line breaks would be the whole of it. */
const LONGEST_LINE = 400;

/** `GET /__admin/source?at=spec/openapi.yaml:41`: of the document's own files only. */
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
