import { type ComponentChild, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { explainFailure } from '../shell/admin.ts';
import type { PageProps } from '../shell/app.ts';
import { onEvent } from '../shell/connection.ts';
import { choice, skeleton } from '../shell/controls.ts';
import { shortMethodTag } from '../shell/labels.ts';
import { linkTo } from '../shell/place.ts';
import type { DocumentChange, ReferenceView } from '../wire.ts';
import { isObject, type Json, objectAt, objectsIn, textOf } from './document.ts';
import { firstIndex, loadDocument, loadIndex } from './load.ts';
import { Markdown } from './markdown.ts';
import { SentRequest } from './message-sections.ts';
import { type Listing, type ReferenceModel, readListing, readModel } from './model.ts';
import { OperationPage, serverList } from './operation-page.ts';
import { ReferenceList } from './reference-list.ts';
import { SchemaTree } from './schema-tree.ts';

/** The served document: a list of its contents, and one part at a time. */
export function ReferencePage({ steps: place }: PageProps) {
  const steps = place.filter(Boolean);
  const { listing, model, problem } = useReference();
  const [kind] = steps;
  useEffect(() => {
    document.querySelector('.reference-view')?.scrollTo(0, 0);
  }, [steps.join('/')]);
  if (problem !== '') return h('p', { class: 'problem', role: 'alert' }, problem);
  return h('div', { class: kind === undefined ? 'reference' : 'reference has-view' }, [
    listing ? h(ReferenceList, { listing, steps }) : h('div', { class: 'reference-side' }, skeleton(16)),
    h('div', { class: 'reference-view' }, [
      kind !== undefined && h('a', { class: 'reference-back', href: linkTo() }, '← All operations'),
      model ? viewOf(model, steps) : skeleton(8),
    ]),
  ]);
}

/** Loads first what the list shows, then the document; again when another document is served. */
function useReference() {
  const [listing, setListing] = useState<Listing | undefined>(undefined);
  const [model, setModel] = useState<ReferenceModel | undefined>(undefined);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isLast = {};
    const load = async (index: Promise<ReferenceView>) => {
      const mine = {};
      isLast = mine;
      try {
        const listed = readListing(await index);
        if (isLast !== mine) return;
        setListing(listed);
        // The list is painted before the large document is read.
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        const written = await loadDocument();
        if (isLast !== mine) return;
        setModel(readModel(listed, written));
        setProblem('');
      } catch (error) {
        setProblem(explainFailure(error));
      }
    };
    load(firstIndex());
    return onEvent('document', (data) => {
      if ((JSON.parse(data) as DocumentChange).kind === 'changed') load(loadIndex());
    });
  }, []);
  return { listing, model, problem };
}

function viewOf(model: ReferenceModel, [kind, name, method]: readonly string[]): ComponentChild {
  switch (kind) {
    case undefined:
      return h(Overview, { model });
    case 'operations': {
      const operation = model.byId.get(name ?? '');
      return operation
        ? h(OperationPage, { key: operation.id, model, operation })
        : h(Missing, { what: `operation ${name}` });
    }
    case 'schemas':
      if (name === undefined) return h(Schemas, { model });
      return model.schemas.has(name)
        ? h(SchemaPage, { key: name, model, name })
        : h(Missing, { what: `schema ${name}` });
    case 'webhooks':
      return h(Webhooks, { model, selected: [name, method].filter(Boolean).join(' ') });
    default:
      return h(Missing, { what: 'such page' });
  }
}

/** A changed document may no longer have what an address names. */
function Missing({ what }: { readonly what: string }) {
  return h('div', { class: 'empty' }, [
    h('strong', {}, `The document has no ${what}`),
    h('a', { href: linkTo() }, 'Show all that it has'),
  ]);
}

function Overview({ model }: { readonly model: ReferenceModel }) {
  const { root, view, operations, schemas, groups } = model;
  const { title, version } = view;
  const described = new Map(
    (Array.isArray(root.tags) ? root.tags : [])
      .filter(isObject)
      .map((tag) => [textOf(tag.name), textOf(tag.description)]),
  );
  const info = objectAt(root, root.info);
  const servers = Array.isArray(root.servers) ? root.servers : [];
  return h('article', { class: 'overview' }, [
    h('h2', {}, title || 'API reference', ' ', h('span', { class: 'chip' }, version)),
    view.documents.length > 1 &&
      choice(view.name, view.documents, showDocument, { 'aria-label': 'Document' }),
    h('p', { class: 'soft' }, [
      `OpenAPI ${textOf(root.openapi)}: ${operations.length} operations, ${schemas.size} schemas. Requests go to this mock, below ${view.basePath || '/'}`,
    ]),
    textOf(info.summary) !== '' && h('p', {}, textOf(info.summary)),
    textOf(info.description) !== '' && h(Markdown, { text: textOf(info.description) }),
    servers.length > 0 && h('section', {}, h('h3', {}, 'Servers'), serverList(servers)),
    h(Schemes, { root }),
    h('section', {}, [
      h('h3', {}, 'Operations'),
      h('ul', { class: 'groups' }, [
        groups.map(({ tag, title: name, operations: list }) =>
          h('li', { key: tag }, [
            h('a', { href: linkTo('operations', list[0]?.id ?? '') }, name),
            h('span', { class: 'count' }, String(list.length)),
            described.get(tag) && h(Markdown, { text: described.get(tag) as string }),
          ]),
        ),
      ]),
    ]),
  ]);
}

function showDocument(name: string): void {
  const query = new URLSearchParams(location.search);
  query.set('document', name);
  location.assign(`?${query}`);
}

function Schemes({ root }: { readonly root: Json }) {
  const schemes = objectsIn(root, objectAt(root, root.components).securitySchemes);
  if (schemes.length === 0) return null;
  return h('section', {}, [
    h('h3', {}, 'Credentials'),
    h('ul', { class: 'groups' }, [
      schemes.map(([name, scheme]) => {
        const type = [scheme.type, scheme.scheme, scheme.in, scheme.name]
          .map(textOf)
          .filter(Boolean)
          .join(' ');
        const isToken = ['oauth2', 'openIdConnect'].includes(textOf(scheme.type));
        return h('li', { key: name }, [
          h('code', {}, name),
          ' ',
          h('span', { class: 'soft' }, type, isToken && '; the mock accepts its key as the bearer token'),
          textOf(scheme.description) !== '' && h(Markdown, { text: textOf(scheme.description) }),
        ]);
      }),
    ]),
  ]);
}

function Schemas({ model }: { readonly model: ReferenceModel }) {
  return h('article', { class: 'overview' }, [
    h('h2', {}, 'Schemas'),
    h('ul', { class: 'schema-names' }, [
      [...model.schemas.keys()].map((name) =>
        h('li', { key: name }, h('a', { href: linkTo('schemas', name) }, h('code', {}, name))),
      ),
    ]),
  ]);
}

function SchemaPage({ model, name }: { readonly model: ReferenceModel; readonly name: string }) {
  return h('article', { class: 'overview' }, [
    h('h2', { class: 'mono' }, name),
    h(SchemaTree, { model, written: model.schemas.get(name) }),
  ]);
}

function Webhooks({ model, selected }: { readonly model: ReferenceModel; readonly selected: string }) {
  return h('article', { class: 'overview' }, [
    h('h2', {}, 'Webhooks'),
    h('p', { class: 'soft' }, 'Requests that the service sends to its clients.'),
    model.webhooks.map(({ name, method, summary, written }) =>
      h(
        'details',
        { key: `${name} ${method}`, class: 'card callback', open: selected === `${name} ${method}` },
        [
          h('summary', {}, shortMethodTag(method), h('strong', {}, name), summary),
          h(SentRequest, { model, written }),
        ],
      ),
    ),
  ]);
}
