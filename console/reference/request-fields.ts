import { h, type TargetedEvent } from 'preact';
import { type OfferedRecord, offeredRecords } from '../form/offered-records.ts';
import { layOutJson } from '../shell/code-view.ts';
import { button, choice, iconButton, textInput } from '../shell/controls.ts';
import { parseJson } from '../shell/exact-json.ts';
import type { OperationSample } from '../wire.ts';
import { objectAt } from './document.ts';
import { examplesOf } from './examples.ts';
import { contentOf, type Operation, type ReferenceModel } from './model.ts';
import type { Draft, Parameter } from './request.ts';
import { readSchema } from './schema.ts';

interface ParameterFieldProps {
  readonly model: ReferenceModel;
  readonly parameter: Parameter;
  readonly value: string;
  /** A valid value. */
  readonly hint: string | undefined;
  readonly records: readonly OfferedRecord[];
  readonly onInput: (text: string) => void;
}

const NOT_SENT: [string, string] = ['', 'not sent'];

/** A parameter as text, with the possible values and ids. */
export function ParameterField({ model, parameter, value, hint, records, onInput }: ParameterFieldProps) {
  const { key, name, in: place, required, schema } = parameter;
  const id = `try-${key}`;
  const { values, type } = readSchema(model.root, schema);
  const choices =
    values.length > 0
      ? values.map((one) => String(parseJson(one)))
      : type === 'boolean'
        ? ['true', 'false']
        : [];
  const label = h('label', { for: id }, [
    name,
    h('span', { class: 'soft' }, ` ${place}`),
    required && h('span', { class: 'required' }, 'required'),
  ]);
  if (choices.length > 0 && type !== 'array')
    return h('div', { class: 'field' }, [
      label,
      choice(
        value,
        [
          ...(required && value !== '' ? [] : [NOT_SENT]),
          ...new Set([...choices, ...(value === '' ? [] : [value])]),
        ],
        onInput,
        { id },
      ),
    ]);
  return h('div', { class: 'field' }, [
    label,
    textInput(value, onInput, {
      id,
      autocomplete: 'off',
      spellcheck: false,
      list: records.length > 0 ? `${id}-records` : undefined,
      placeholder: required || hint === undefined || hint.length > 40 ? '' : `for example ${hint}`,
    }),
    records.length > 0 &&
      h('datalist', { id: `${id}-records` }, [
        records.map(({ id: recordId, label: text }) =>
          h('option', { key: recordId, value: recordId, label: text || undefined }),
        ),
      ]),
  ]);
}

interface BodyFieldProps {
  readonly model: ReferenceModel;
  readonly draft: Draft;
  readonly types: readonly string[];
  readonly operation: Operation;
  readonly sample: OperationSample | undefined;
  readonly problem: string;
  readonly onInput: (body: string, type: string) => void;
}

const SAMPLE = 'sample';

/** The body in the chosen media type, which an example may fill in. */
export function BodyField({ model, draft, types, operation, sample, problem, onInput }: BodyFieldProps) {
  const { body, type } = draft;
  const essence = type.split(';')[0] ?? '';
  const examples = examplesOf(model, objectAt(model.root, contentOf(model, operation)[essence]));
  const fill = (name: string) => {
    const example = examples.find((one) => one.name === name);
    if (example) onInput(example.text, type);
    else if (sample?.body) onInput(laidOut(sample.body.text), sample.body.type);
  };
  return h('div', { class: 'field' }, [
    h('label', { for: 'try-body' }, 'Body ', h('span', { class: 'soft mono' }, essence)),
    h('div', { class: 'toolbar' }, [
      types.length > 1 &&
        choice(
          essence,
          types,
          (next) =>
            onInput(next === sample?.body?.type.split(';')[0] ? laidOut(sample.body.text) : body, next),
          {
            'aria-label': 'Media type',
          },
        ),
      examples.length > 0 &&
        choice(
          examples.find(({ text }) => text === body)?.name ?? SAMPLE,
          [[SAMPLE, 'Fill with: sample'], ...examples.map(({ name }) => name)],
          fill,
          {
            'aria-label': 'Example',
          },
        ),
    ]),
    essence === 'application/x-www-form-urlencoded'
      ? h(FormRows, { body, onInput: (text) => onInput(text, type) })
      : h('textarea', {
          id: 'try-body',
          value: body,
          rows: Math.min(16, Math.max(4, body.split('\n').length)),
          spellcheck: false,
          'aria-invalid': problem !== '',
          'aria-describedby': 'try-body-problem',
          onInput: (event: TargetedEvent<HTMLTextAreaElement>) => onInput(event.currentTarget.value, type),
        }),
    h('p', { id: 'try-body-problem', class: 'problem' }, problem),
  ]);
}

interface FormRowsProps {
  readonly body: string;
  readonly onInput: (body: string) => void;
}

/** The fields of a form, each a name and a value. */
function FormRows({ body, onInput }: FormRowsProps) {
  const rows = [...new URLSearchParams(body)];
  const set = (next: readonly (readonly [string, string])[]) =>
    onInput(String(new URLSearchParams(next.map(([...pair]) => pair))));
  const input = (index: number, part: 0 | 1, label: string) =>
    textInput(
      rows[index]?.[part] ?? '',
      (text) => set(rows.map((row, at) => (at === index ? (row.with(part, text) as typeof row) : row))),
      { 'aria-label': label, autocomplete: 'off', spellcheck: false },
    );
  return h('div', { class: 'body-rows', role: 'group', 'aria-label': 'Fields of the form' }, [
    rows.map(([name], index) =>
      h('div', { key: index, class: 'body-row' }, [
        input(index, 0, `Name ${index + 1}`),
        input(index, 1, name || `Value ${index + 1}`),
        iconButton('remove', `Remove ${name}`, () => set(rows.filter((_, at) => at !== index)), {
          class: 'small',
        }),
      ]),
    ),
    button('Add field', () => set([...rows, ['', '']]), { class: 'small', icon: 'add' }),
  ]);
}

interface CredentialFieldProps {
  readonly operation: Operation;
  readonly draft: Draft;
  readonly onChoose: (credential: number) => void;
}

/** The mock's key is sent as each of them. */
export function CredentialField({ operation: { security }, draft, onChoose }: CredentialFieldProps) {
  const options = security.map((all, index): [string, string] => [
    String(index),
    all.length === 0 ? 'none' : `${all.map(({ scheme }) => scheme).join(' + ')}: mock key`,
  ]);
  if (!security.some((all) => all.length === 0)) options.push(['-1', 'none']);
  return h('div', { class: 'field' }, [
    h('label', { for: 'try-credential' }, 'Credential'),
    choice(String(draft.credential), options, (one) => onChoose(Number(one)), { id: 'try-credential' }),
  ]);
}

/** JSON is formatted with a line for each member. */
export const laidOut = (text: string) => layOutJson(text) ?? text;

/** The records for each path parameter: those of a nested collection below the chosen parent, else below the first. */
export async function idsFor(
  { parents = {}, path }: Operation,
  texts: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, readonly OfferedRecord[]>>> {
  const records: Record<string, readonly OfferedRecord[]> = {};
  const chosen: Record<string, string> = {};
  for (const [, parameter = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    const collection = Object.hasOwn(parents, parameter) ? parents[parameter] : undefined;
    const within = collection?.replace(/\{([^{}]+)\}/g, (whole, name: string) =>
      chosen[name] === undefined ? whole : encodeURIComponent(chosen[name]),
    );
    if (within !== undefined) records[parameter] = await offeredRecords(within);
    const text = texts[`path.${parameter}`] || records[parameter]?.[0]?.id;
    if (text !== undefined) chosen[parameter] = text;
  }
  return records;
}
