import { Fragment, h } from 'preact';
import { objectsIn, textOf } from './document.ts';
import type { ReferenceModel } from './model.ts';
import type { Parameter } from './request.ts';
import { Part } from './schema-tree.ts';

const IN: readonly (readonly [place: string, title: string])[] = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['querystring', 'Query'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
];

/** Parameters by their place: path, query, headers and cookies. */
export function Parameters({
  model,
  parameters,
}: {
  readonly model: ReferenceModel;
  readonly parameters: readonly Parameter[];
}) {
  return h(Fragment, {}, [
    IN.map(([place, title]) => {
      const group = parameters.filter((parameter) => parameter.in === place);
      if (group.length === 0) return null;
      return h('section', { key: place }, [
        h('h3', {}, title),
        h('ul', { class: 'schema-children parameters' }, [
          group.map((parameter) => h(ParameterRow, { key: parameter.key, model, parameter })),
        ]),
      ]);
    }),
  ]);
}

/** Shows a parameter like a member of an object; its description takes precedence over its schema's. */
function ParameterRow({
  model,
  parameter: { name, required, deprecated, description, schema },
}: {
  readonly model: ReferenceModel;
  readonly parameter: Pick<Parameter, 'name' | 'required' | 'deprecated' | 'description' | 'schema'>;
}) {
  const overrides = { name: undefined, deprecated, ...(description !== '' && { description }) };
  return h(Part, { model, child: { kind: 'member', label: name, required, written: schema }, overrides });
}

/** Shows a response's headers like parameters. */
export function ResponseHeaders({
  model,
  written,
}: {
  readonly model: ReferenceModel;
  readonly written: unknown;
}) {
  const headers = objectsIn(model.root, written);
  if (headers.length === 0) return null;
  return h(Fragment, {}, [
    h('h4', {}, 'Headers'),
    h('ul', { class: 'schema-children' }, [
      headers.map(([name, { required, deprecated, description, schema }]) => {
        const parameter = {
          name,
          required: required === true,
          deprecated: deprecated === true,
          description: textOf(description),
          schema,
        };
        return h(ParameterRow, { key: name, model, parameter });
      }),
    ]),
  ]);
}
