import { h } from 'preact';
import { useState } from 'preact/hooks';
import { linkTo } from '../shell/place.ts';
import { Markdown } from './markdown.ts';
import type { ReferenceModel } from './model.ts';
import { type Child, type ReadSchema, readSchema } from './schema.ts';

interface SchemaTreeProps {
  readonly model: ReferenceModel;
  readonly written: unknown;
  /** Members to omit: `readOnly` in requests, `writeOnly` in responses. */
  readonly without?: 'readOnly' | 'writeOnly';
}

/** A schema, whose parts are rendered when they are opened, so that recursion ends. */
export function SchemaTree({ model, written, without }: SchemaTreeProps) {
  const read = readSchema(model.root, written);
  return h('div', { class: 'schema' }, [
    h('p', { class: 'schema-head' }, h(TypeText, { read }), h(Flags, { read, isRequired: false })),
    h(About, { read }),
    h(Children, { model, read, without }),
  ]);
}

interface ChildrenProps extends Pick<SchemaTreeProps, 'model'> {
  readonly read: ReadSchema;
  readonly without?: SchemaTreeProps['without'] | undefined;
}

/** A larger schema shows its first members, with a button for all. */
const MOST_AT_FIRST = 60;

function Children({ model, read, without }: ChildrenProps) {
  const [isWhole, setWhole] = useState(false);
  const { children } = read;
  if (children.length === 0) return null;
  const rows = isWhole ? children : children.slice(0, MOST_AT_FIRST);
  return h('ul', { class: 'schema-children' }, [
    rows.map((child) => h(Part, { key: `${child.kind} ${child.label}`, model, child, without })),
    rows.length < children.length &&
      h('li', {}, [
        h('button', { class: 'schema-more', type: 'button', onClick: () => setWhole(true) }, [
          `Show ${children.length - rows.length} more`,
        ]),
      ]),
  ]);
}

interface PartProps extends Omit<ChildrenProps, 'read'> {
  readonly child: Child;
  /** Takes precedence over the schema. */
  readonly overrides?: Partial<ReadSchema>;
}

/** A member of an object, or a parameter. */
export function Part({ model, child, without, overrides }: PartProps) {
  const [isOpen, setOpen] = useState(false);
  const read = { ...readSchema(model.root, child.written), ...overrides };
  if (without && child.kind === 'member' && read[without]) return null;
  return h('li', { class: read.deprecated ? 'schema-part deprecated' : 'schema-part' }, [
    h('div', { class: 'schema-row' }, [
      h(PartName, { child, canOpen: read.children.length > 0, isOpen, onToggle: setOpen }),
      h(TypeText, { read }),
      h(Flags, { read, isRequired: child.required }),
    ]),
    h(About, { read }),
    isOpen && h(Children, { model, read, without }),
  ]);
}

interface PartNameProps {
  readonly child: Child;
  /** Whether it has parts. */
  readonly canOpen: boolean;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

/** The name of a part, which opens and closes it. */
function PartName({ child: { label, kind }, canOpen, isOpen, onToggle }: PartNameProps) {
  const name = h('span', { class: `schema-name schema-${kind}` }, label);
  if (!canOpen) return h('span', { class: 'schema-leaf' }, name);
  return h(
    'button',
    { class: 'schema-toggle', type: 'button', 'aria-expanded': isOpen, onClick: () => onToggle(!isOpen) },
    name,
  );
}

function TypeText({ read: { name, type, nullable } }: { readonly read: ReadSchema }) {
  return h('span', { class: 'schema-type' }, [
    name === undefined ? type : h('a', { href: linkTo('schemas', name), title: type }, name),
    nullable && ' or null',
  ]);
}

function Flags({ read, isRequired }: { readonly read: ReadSchema; readonly isRequired: boolean }) {
  const flags: readonly (readonly [boolean, string])[] = [
    [read.readOnly, 'read-only'],
    [read.writeOnly, 'write-only'],
    [read.deprecated, 'deprecated'],
  ];
  return [
    isRequired && h('span', { class: 'required' }, 'required'),
    ...flags.map(([isSet, text]) => isSet && h('span', { class: 'chip', key: text }, text)),
  ];
}

/** The most values to list. */
const MOST_VALUES = 24;

function About({ read: { description, constraints, values } }: { readonly read: ReadSchema }) {
  const [isWhole, setWhole] = useState(false);
  const items = isWhole ? values : values.slice(0, MOST_VALUES);
  return [
    constraints.length > 0 &&
      h(
        'p',
        { class: 'schema-constraints' },
        constraints.map((text) => h('code', { key: text }, text)),
      ),
    values.length > 0 &&
      h('p', { class: 'schema-values' }, [
        items.map((text) => h('code', { key: text }, text)),
        items.length < values.length &&
          h('button', { class: 'schema-more', type: 'button', onClick: () => setWhole(true) }, [
            `${values.length - items.length} more`,
          ]),
      ]),
    description !== '' && h(Markdown, { text: description, class: 'schema-about' }),
  ];
}
