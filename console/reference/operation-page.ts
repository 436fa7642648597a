import { type ComponentChild, Fragment, h } from 'preact';
import { useState } from 'preact/hooks';
import { CodeView } from '../shell/code-view.ts';
import { choice } from '../shell/controls.ts';
import { pillOf } from '../shell/labels.ts';
import { linkTo } from '../shell/place.ts';
import type { OperationSample, SampleBody } from '../wire.ts';
import { isObject, type Json, resolve } from './document.ts';
import { examplesOf } from './examples.ts';
import { shortMethodTag } from './labels.ts';
import { Markdown } from './markdown.ts';
import { type Operation, type ReferenceModel, requestsOf, textOf } from './model.ts';
import { type Parameter, parametersOf } from './request.ts';
import { readSchema } from './schema.ts';
import { SchemaTree } from './schema-tree.ts';
import { TryIt, useSample } from './try-it.ts';

interface OperationPageProps {
  readonly model: ReferenceModel;
  readonly operation: Operation;
}

/** Everything that the document says of one operation, and a form that sends it. */
export function OperationPage({ model, operation }: OperationPageProps) {
  const { method, path, id, summary, deprecated } = operation;
  const sample = useSample(model, operation);
  const parameters = parametersOf(model, operation);
  return h(
    'article',
    { class: 'operation', 'aria-labelledby': 'operation-title' },
    h(
      'header',
      { class: 'operation-head' },
      h('h2', { id: 'operation-title' }, summary || id),
      h(
        'p',
        { class: 'operation-line' },
        shortMethodTag(method),
        h('code', { class: 'operation-path' }, model.view.basePath, path),
        h('span', { class: 'chip' }, id),
        deprecated && h('span', { class: 'chip warn' }, 'deprecated'),
        h(Stability, { operation }),
      ),
      deprecated && h(Deprecation, { model, operation }),
    ),
    h(
      'div',
      { class: 'operation-body' },
      h(
        'div',
        { class: 'operation-text' },
        h(Description, { written: operation.written, item: operation.item }),
        h(Security, { operation }),
        h(Parameters, { model, parameters }),
        h(RequestBody, { model, written: operation.written, sample }),
        h(Responses, { model, written: operation.written, sample }),
        h(Callbacks, { model, written: operation.written }),
        h(Servers, { operation }),
      ),
      h(TryIt, { key: id, model, operation, parameters, sample }),
    ),
  );
}

function Stability({ operation }: { readonly operation: Operation }) {
  const stability = textOf(operation.written['x-stability']);
  return stability === '' ? null : h('span', { class: 'chip' }, stability);
}

function Deprecation({ model, operation }: OperationPageProps) {
  const sunset = textOf(operation.written['x-sunset']);
  const next = operation.successor === undefined ? undefined : model.byId.get(operation.successor);
  return h(
    'p',
    { class: 'deprecation' },
    sunset === ''
      ? 'This operation is deprecated.'
      : `This operation is deprecated, and removed on ${sunset.slice(0, 10)}.`,
    next && [
      ' Use ',
      h('a', { href: linkTo('operations', next.id) }, `${next.method} ${next.path}`),
      ' instead.',
    ],
  );
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

const IN: readonly (readonly [place: string, title: string])[] = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['querystring', 'Query'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
];

function Parameters({
  model,
  parameters,
}: {
  readonly model: ReferenceModel;
  readonly parameters: readonly Parameter[];
}) {
  return h(
    Fragment,
    {},
    IN.map(([place, title]) => {
      const own = parameters.filter((one) => one.in === place);
      if (own.length === 0) return null;
      return h(
        'section',
        { key: place },
        h('h3', {}, title),
        h(
          'ul',
          { class: 'schema-children parameters' },
          own.map((parameter) => h(ParameterRow, { key: parameter.key, model, parameter })),
        ),
      );
    }),
  );
}

/** A parameter looks like a member of an object: its own description counts before that of its schema. */
function ParameterRow({
  model,
  parameter,
}: {
  readonly model: ReferenceModel;
  readonly parameter: Parameter;
}) {
  const { name, required, deprecated, description, schema } = parameter;
  const read = readSchema(model.root, schema);
  const [isOpen, setOpen] = useState(false);
  const label = h('span', { class: 'schema-name schema-member' }, name);
  return h(
    'li',
    { class: deprecated ? 'schema-part deprecated' : 'schema-part' },
    h(
      'div',
      { class: 'schema-row' },
      read.children.length > 0
        ? h(
            'button',
            {
              class: 'schema-toggle',
              type: 'button',
              'aria-expanded': isOpen,
              onClick: () => setOpen(!isOpen),
            },
            label,
          )
        : h('span', { class: 'schema-leaf' }, label),
      h('span', { class: 'schema-type' }, read.type, read.nullable && ' or null'),
      required && h('span', { class: 'required' }, 'required'),
      deprecated && h('span', { class: 'chip' }, 'deprecated'),
    ),
    [...read.constraints, ...read.values].length > 0 &&
      h(
        'p',
        { class: 'schema-values' },
        [...read.constraints, ...read.values].map((text) => h('code', { key: text }, text)),
      ),
    (description || read.description) !== '' &&
      h(Markdown, { text: description || read.description, class: 'schema-about' }),
    isOpen && h(SchemaTree, { model, written: schema }),
  );
}

interface BodyProps {
  readonly model: ReferenceModel;
  readonly written: Json;
  readonly sample: OperationSample | undefined;
}

function RequestBody({ model, written, sample }: BodyProps) {
  const { value: body } = resolve(model.root, written.requestBody);
  if (!isObject(body)) return null;
  return h(
    'section',
    {},
    h('h3', {}, 'Request body', body.required === true && h('span', { class: 'required' }, 'required')),
    textOf(body.description) !== '' && h(Markdown, { text: textOf(body.description) }),
    h(Content, {
      model,
      content: body.content,
      sample: sample?.body,
      without: 'readOnly',
      label: 'request body',
    }),
  );
}

interface ContentProps {
  readonly model: ReferenceModel;
  readonly content: unknown;
  readonly sample: SampleBody | undefined;
  readonly without: 'readOnly' | 'writeOnly';
  readonly label: string;
}

/** The media types of a body, one at a time, with schema and examples. */
function Content({ model, content, sample, without, label }: ContentProps) {
  const all = isObject(content) ? content : {};
  const types = Object.keys(all);
  const [type = '', setType] = useState(types[0]);
  const { value: media } = resolve(model.root, all[type]);
  if (!isObject(media)) return null;
  const { schema, itemSchema } = media;
  return h(
    'div',
    { class: 'content' },
    types.length > 1
      ? choice(type, types, setType, { 'aria-label': `Media type of the ${label}` })
      : h('p', { class: 'soft mono' }, type),
    schema !== undefined && h(SchemaTree, { key: type, model, written: schema, without }),
    itemSchema !== undefined && [
      h('h4', {}, 'Each message'),
      h(SchemaTree, { key: `${type} message`, model, written: itemSchema, without }),
    ],
    h(Examples, {
      key: `examples ${type}`,
      model,
      media,
      sample: sample?.type.startsWith(type.split(';')[0] ?? '') ? sample : undefined,
      label,
    }),
  );
}

interface ExamplesProps {
  readonly model: ReferenceModel;
  readonly media: Json;
  readonly sample: SampleBody | undefined;
  readonly label: string;
}

/** Those of the document, else a sample that the mock has made. */
function Examples({ model, media, sample, label }: ExamplesProps) {
  const examples = examplesOf(model, media);
  const [chosen, setChosen] = useState('');
  const [first] = examples;
  if (!first)
    return sample
      ? h(
          'details',
          { class: 'example' },
          h('summary', {}, 'Sample by the mock'),
          h(CodeView, { text: sample.text, label: `Sample of the ${label}` }),
        )
      : null;
  const shown = examples.find(({ name }) => name === chosen) ?? first;
  return h(
    'details',
    { class: 'example' },
    h('summary', {}, examples.length === 1 ? 'Example' : `${examples.length} examples`),
    examples.length > 1 &&
      choice(
        shown.name,
        examples.map(({ name }) => name),
        setChosen,
        { 'aria-label': `Example of the ${label}` },
      ),
    shown.summary !== '' && h(Markdown, { text: shown.summary }),
    h(CodeView, { text: shown.text, label: `Example of the ${label}` }),
  );
}

function Responses({ model, written, sample }: BodyProps) {
  const all = isObject(written.responses) ? written.responses : {};
  const statuses = Object.keys(all);
  const [open, setOpen] = useState<string | undefined>(statuses[0]);
  if (statuses.length === 0) return null;
  return h(
    'section',
    {},
    h('h3', {}, 'Responses'),
    h(
      'div',
      { class: 'responses' },
      statuses.map((status) => {
        const { value } = resolve(model.root, all[status]);
        const response = isObject(value) ? value : {};
        const isOpen = open === status;
        return h(
          'div',
          { key: status, class: 'response' },
          h(
            'button',
            {
              type: 'button',
              class: 'response-head',
              'aria-expanded': isOpen,
              onClick: () => setOpen(isOpen ? undefined : status),
            },
            h('span', { class: pillOf(status) }, status),
            h(
              'span',
              { class: 'response-about' },
              firstLine(textOf(response.description) || textOf(response.summary)),
            ),
          ),
          isOpen &&
            h(
              'div',
              { class: 'response-body' },
              /[\n*`[<]/.test(textOf(response.description)) &&
                h(Markdown, { text: textOf(response.description) }),
              h(ResponseHeaders, { model, written: response.headers }),
              h(Content, {
                model,
                content: response.content,
                sample: sample?.responses[status],
                without: 'writeOnly',
                label: `response ${status}`,
              }),
              h(Links, { model, written: response.links }),
            ),
        );
      }),
    ),
  );
}

const firstLine = (text: string) => text.split('\n', 1)[0]?.replace(/<[^>]*>|[`*]/g, '') ?? '';

function ResponseHeaders({ model, written }: { readonly model: ReferenceModel; readonly written: unknown }) {
  const headers = isObject(written) ? Object.entries(written) : [];
  if (headers.length === 0) return null;
  return h(
    Fragment,
    {},
    h('h4', {}, 'Headers'),
    h(
      'ul',
      { class: 'schema-children' },
      headers.map(([name, one]) => {
        const { value } = resolve(model.root, one);
        const header = isObject(value) ? value : {};
        const parameter: Parameter = {
          ...{ key: `header.${name}`, name, in: 'header', written: header, media: undefined },
          required: header.required === true,
          deprecated: header.deprecated === true,
          description: textOf(header.description),
          schema: header.schema,
        };
        return h(ParameterRow, { key: name, model, parameter });
      }),
    ),
  );
}

/** Link Objects (OpenAPI 3.1 §4.8.20): what may be called next. */
function Links({ model, written }: { readonly model: ReferenceModel; readonly written: unknown }) {
  const links = isObject(written) ? Object.entries(written) : [];
  if (links.length === 0) return null;
  return h(
    'p',
    { class: 'soft' },
    'Next: ',
    links.map(([name, one], index) => {
      const { value } = resolve(model.root, one);
      const id = isObject(value) ? textOf(value.operationId) : '';
      const next = model.byId.get(id);
      return [index > 0 && ', ', next ? h('a', { href: linkTo('operations', next.id) }, name) : name];
    }),
  );
}

/** Requests that the service sends for one of its operations. */
function Callbacks({ model, written }: { readonly model: ReferenceModel; readonly written: Json }) {
  const callbacks = isObject(written.callbacks) ? Object.entries(written.callbacks) : [];
  if (callbacks.length === 0) return null;
  return h(
    'section',
    {},
    h('h3', {}, 'Callbacks'),
    callbacks.flatMap(([name, one]) => {
      const { value } = resolve(model.root, one);
      return Object.entries(isObject(value) ? value : {}).flatMap(([url, item]) => {
        const { value: path } = resolve(model.root, item);
        return requestsOf(model.root, isObject(path) ? path : {}).map(([method, request]) =>
          h(
            'details',
            { key: `${name} ${url} ${method}`, class: 'callback' },
            h('summary', {}, shortMethodTag(method), h('strong', {}, name), h('code', {}, url)),
            h(SentRequest, { model, written: request }),
          ),
        );
      });
    }),
  );
}

/** What is sent by the service itself: a callback, or a webhook. */
export function SentRequest({ model, written }: { readonly model: ReferenceModel; readonly written: Json }) {
  const text = textOf(written.description) || textOf(written.summary);
  return h(
    'div',
    { class: 'sent' },
    text !== '' && h(Markdown, { text }),
    h(RequestBody, { model, written, sample: undefined }),
    h(Responses, { model, written, sample: undefined }),
  );
}

/** The mock is asked in the place of each of them. */
function Servers({ operation }: Pick<OperationPageProps, 'operation'>) {
  const own = [operation.written.servers, operation.item.servers].find(Array.isArray);
  return own ? h('section', {}, h('h3', {}, 'Servers'), serverList(own)) : null;
}

export function serverList(servers: readonly unknown[]): ComponentChild {
  return h(
    'ul',
    { class: 'servers' },
    servers
      .filter(isObject)
      .map(({ url, description }) =>
        h(
          'li',
          { key: textOf(url) },
          h('code', {}, textOf(url)),
          textOf(description) !== '' && h(Markdown, { text: textOf(description) }),
        ),
      ),
  );
}
