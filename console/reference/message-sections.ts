import { h } from 'preact';
import { useState } from 'preact/hooks';
import { CodeView } from '../shell/code-view.ts';
import { choice } from '../shell/controls.ts';
import { pillOf } from '../shell/labels.ts';
import { linkTo } from '../shell/place.ts';
import type { OperationSample, SampleBody } from '../wire.ts';
import { type Json, objectAt, objectsIn, textOf } from './document.ts';
import { examplesOf } from './examples.ts';
import { Markdown } from './markdown.ts';
import type { ReferenceModel } from './model.ts';
import { ResponseHeaders } from './parameter-list.ts';
import { SchemaTree } from './schema-tree.ts';

interface BodyProps {
  readonly model: ReferenceModel;
  readonly written: Json;
  readonly sample: OperationSample | undefined;
}

export function RequestBody({ model, written, sample }: BodyProps) {
  const body = objectAt(model.root, written.requestBody);
  if (body.content === undefined) return null;
  return h('section', {}, [
    h('h3', {}, 'Request body', body.required === true && h('span', { class: 'required' }, 'required')),
    textOf(body.description) !== '' && h(Markdown, { text: textOf(body.description) }),
    h(Content, {
      model,
      content: body.content,
      sample: sample?.body,
      without: 'readOnly',
      label: 'request body',
    }),
  ]);
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
  const all = new Map(objectsIn(model.root, content));
  const types = [...all.keys()];
  const [type = '', setType] = useState(types[0]);
  const media = all.get(type);
  if (!media) return null;
  const { schema, itemSchema } = media;
  return h('div', { class: 'content' }, [
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
  ]);
}

interface ExamplesProps {
  readonly model: ReferenceModel;
  readonly media: Json;
  readonly sample: SampleBody | undefined;
  readonly label: string;
}

/** The documented examples, else a sample from the mock. */
function Examples({ model, media, sample, label }: ExamplesProps) {
  const examples = examplesOf(model, media);
  const [chosen, setChosen] = useState('');
  const [first] = examples;
  if (!first)
    return sample
      ? h('details', { class: 'example' }, [
          h('summary', {}, 'Sample by the mock'),
          h(CodeView, { text: sample.text, label: `Sample of the ${label}` }),
        ])
      : null;
  const example = examples.find(({ name }) => name === chosen) ?? first;
  return h('details', { class: 'example' }, [
    h('summary', {}, examples.length === 1 ? 'Example' : `${examples.length} examples`),
    examples.length > 1 &&
      choice(
        example.name,
        examples.map(({ name }) => name),
        setChosen,
        { 'aria-label': `Example of the ${label}` },
      ),
    example.summary !== '' && h(Markdown, { text: example.summary }),
    h(CodeView, { text: example.text, label: `Example of the ${label}` }),
  ]);
}

export function Responses({ model, written, sample }: BodyProps) {
  const all = objectsIn(model.root, written.responses);
  const [open, setOpen] = useState<string | undefined>(all[0]?.[0]);
  if (all.length === 0) return null;
  return h('section', {}, [
    h('h3', {}, 'Responses'),
    h('div', { class: 'card' }, [
      all.map(([status, response]) => {
        const isOpen = open === status;
        return h('div', { key: status, class: 'response' }, [
          h(
            'button',
            {
              type: 'button',
              class: 'response-head',
              'aria-expanded': isOpen,
              onClick: () => setOpen(isOpen ? undefined : status),
            },
            h('span', { class: pillOf(status) }, status),
            h('span', { class: 'response-about' }, [
              firstLine(textOf(response.description) || textOf(response.summary)),
            ]),
          ),
          isOpen &&
            h('div', { class: 'response-body' }, [
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
            ]),
        ]);
      }),
    ]),
  ]);
}

const firstLine = (text: string) => text.split('\n', 1)[0]?.replace(/<[^>]*>|[`*]/g, '') ?? '';

/** Link Objects (OpenAPI 3.1 §4.8.20): possible next calls. */
function Links({ model, written }: { readonly model: ReferenceModel; readonly written: unknown }) {
  const links = objectsIn(model.root, written);
  if (links.length === 0) return null;
  return h('p', { class: 'soft' }, [
    'Next: ',
    links.map(([name, { operationId }], index) => {
      const next = model.byId.get(textOf(operationId));
      return [index > 0 && ', ', next ? h('a', { href: linkTo('operations', next.id) }, name) : name];
    }),
  ]);
}

/** A request that the service sends: a callback or webhook. */
export function SentRequest({ model, written }: { readonly model: ReferenceModel; readonly written: Json }) {
  const text = textOf(written.description) || textOf(written.summary);
  return h('div', { class: 'sent' }, [
    text !== '' && h(Markdown, { text }),
    h(RequestBody, { model, written, sample: undefined }),
    h(Responses, { model, written, sample: undefined }),
  ]);
}
