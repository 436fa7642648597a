import { type ComponentChild, h } from 'preact';
import { MeaningFacts } from '../meaning/meaning-facts.ts';
import { shortMethodTag } from '../shell/labels.ts';
import { linkTo } from '../shell/place.ts';
import { isObject, type Json, objectsIn, textOf } from './document.ts';
import { Markdown } from './markdown.ts';
import { RequestBody, Responses, SentRequest } from './message-sections.ts';
import { type Operation, type ReferenceModel, requestsOf } from './model.ts';
import { Parameters } from './parameter-list.ts';
import { parametersOf } from './request.ts';
import { TryIt, useSample } from './try-it.ts';

interface OperationPageProps {
  readonly model: ReferenceModel;
  readonly operation: Operation;
}

/** The documentation of one operation, with a form to send it. */
export function OperationPage({ model, operation }: OperationPageProps) {
  const { method, path, basePath, id, summary, deprecated } = operation;
  const sample = useSample(model, operation);
  const parameters = parametersOf(model, operation);
  return h('article', { class: 'operation', 'aria-labelledby': 'operation-title' }, [
    h('header', { class: 'operation-head' }, [
      h('h2', { id: 'operation-title' }, summary || id),
      h('p', { class: 'operation-line' }, [
        shortMethodTag(method),
        h('code', { class: 'operation-path' }, basePath ?? model.view.basePath, path),
        h('span', { class: 'chip' }, id),
        deprecated && h('span', { class: 'chip warn' }, 'deprecated'),
        h(Stability, { operation }),
      ]),
      deprecated && h(Deprecation, { model, operation }),
    ]),
    h('div', { class: 'operation-body' }, [
      h('div', { class: 'operation-text' }, [
        h(Description, { written: operation.written, item: operation.item }),
        h(Security, { operation }),
        h(Parameters, { model, parameters }),
        h(RequestBody, { model, written: operation.written, sample }),
        h(Responses, { model, written: operation.written, sample }),
        h(Callbacks, { model, written: operation.written }),
        h(Servers, { operation }),
        h(MeaningFacts, { operation: id, document: model.view.name }),
      ]),
      h(TryIt, { key: id, model, operation, parameters, sample }),
    ]),
  ]);
}

function Stability({ operation }: { readonly operation: Operation }) {
  const stability = textOf(operation.written['x-stability']);
  return stability === '' ? null : h('span', { class: 'chip' }, stability);
}

function Deprecation({ model, operation }: OperationPageProps) {
  const sunset = textOf(operation.written['x-sunset']);
  const next = operation.successor === undefined ? undefined : model.byId.get(operation.successor);
  return h('p', { class: 'deprecation' }, [
    sunset === ''
      ? 'This operation is deprecated.'
      : `This operation is deprecated, and removed on ${sunset.slice(0, 10)}.`,
    next && [
      ' Use ',
      h('a', { href: linkTo('operations', next.id) }, `${next.method} ${next.path}`),
      ' instead.',
    ],
  ]);
}

function Description({ written, item }: { readonly written: Json; readonly item: Json }) {
  const text = textOf(written.description) || textOf(item.description);
  return text === '' ? null : h(Markdown, { text });
}

const PLACES: Readonly<Record<string, string>> = {
  header: 'header',
  query: 'query parameter',
  cookie: 'cookie',
};

function Security({ operation: { security } }: { readonly operation: Operation }) {
  if (security.length === 0) return null;
  const texts = security.map((all) =>
    all.length === 0
      ? 'none'
      : all
          .map(({ scheme, kind, in: place, name }) =>
            kind === 'apiKey'
              ? `${scheme} (${PLACES[place]} ${name})`
              : `${scheme} (${kind === 'basic' ? 'HTTP Basic' : 'bearer token'})`,
          )
          .join(' and '),
  );
  return h('p', { class: 'security soft' }, 'Credential: ', texts.join(', or '));
}

/** Requests that the service sends for one of its operations. */
function Callbacks({ model, written }: { readonly model: ReferenceModel; readonly written: Json }) {
  const callbacks = objectsIn(model.root, written.callbacks);
  if (callbacks.length === 0) return null;
  return h('section', {}, [
    h('h3', {}, 'Callbacks'),
    callbacks.flatMap(([name, callback]) =>
      objectsIn(model.root, callback).flatMap(([url, item]) =>
        requestsOf(model.root, item).map(([method, request]) =>
          h('details', { key: `${name} ${url} ${method}`, class: 'card callback' }, [
            h('summary', {}, shortMethodTag(method), h('strong', {}, name), h('code', {}, url)),
            h(SentRequest, { model, written: request }),
          ]),
        ),
      ),
    ),
  ]);
}

/** Requests go to the mock instead of any of them. */
function Servers({ operation }: Pick<OperationPageProps, 'operation'>) {
  const servers = [operation.written.servers, operation.item.servers].find(Array.isArray);
  return servers ? h('section', {}, h('h3', {}, 'Servers'), serverList(servers)) : null;
}

export function serverList(servers: readonly unknown[]): ComponentChild {
  return h('ul', { class: 'servers' }, [
    servers
      .filter(isObject)
      .map(({ url, description }) =>
        h('li', { key: textOf(url) }, [
          h('code', {}, textOf(url)),
          textOf(description) !== '' && h(Markdown, { text: textOf(description) }),
        ]),
      ),
  ]);
}
