import { Fragment, h, type TargetedEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { admin, explainFailure } from '../shell/admin.ts';
import { SourceExcerpt } from '../shell/contract.ts';
import { button, choice } from '../shell/controls.ts';
import { parseJson, stringifyJson } from '../shell/exact-json.ts';
import { Dialog, notify } from '../shell/messages.ts';
import { useLoaded } from '../shell/value.ts';
import type { CollectionView, MemberView, RecordProblem } from '../wire.ts';
import { type Draft, draftOf, isText, OTHERS, othersProblem, recordOf } from './draft.ts';
import type { KeptRecord } from './records-query.ts';

type Members = Readonly<Record<string, unknown>>;

interface RecordFormProps {
  readonly collection: CollectionView;
  /** Undefined: a new one is added. */
  readonly kept: KeptRecord | undefined;
  /** What a new one begins with. */
  readonly first?: Members | undefined;
  /** The path of the collection, with the ids of parents where they are known. */
  readonly path: string;
  readonly onClose: () => void;
}

/** Milliseconds to wait for the next key before a draft is checked again. */
const PATIENCE = 250;

/** Adds or edits a record; the mock checks it against the schema before it is sent. */
export function RecordForm({ collection, kept, first, path: given, onClose }: RecordFormProps) {
  const [before, setBefore] = useState<Members>(kept?.record ?? first ?? {});
  const [draft, setDraft] = useState<Draft>(() => draftOf(collection, before));
  /** The text of the record while it is no JSON, or as a person has laid it out. */
  const [raw, setRaw] = useState<string | undefined>(undefined);
  const [samples, setSamples] = useState(0);
  const [parents, setParents] = useState<Readonly<Record<string, string>>>({});
  const [problems, loadProblems] = useLoaded<readonly RecordProblem[]>([]);
  const [failure, setFailure] = useState('');
  const [isChecked, setChecked] = useState(false);
  const isTemplate = given.includes('{');
  const path = kept || !isTemplate ? given : pathWith(collection, parents);
  const rawProblem = raw === undefined ? undefined : rawProblemOf(raw);

  /** What is typed as JSON says more than the form can: a number where the document wants a text. */
  function recordNow(): Members {
    return raw === undefined ? recordOf(collection, draft, before) : (parseJson(raw) as Members);
  }

  /** The form follows what is typed as JSON, as soon as it is an object. */
  function typeRaw(text: string): void {
    setRaw(text);
    if (rawProblemOf(text) !== undefined) return;
    const record = parseJson(text) as Members;
    setBefore(record);
    setDraft(draftOf(collection, record));
    setChecked(true);
  }

  async function fill(): Promise<void> {
    try {
      const number = samples + 1;
      setSamples(number);
      const query = { collection: path, number: String(number) };
      const { record } = await admin<{ readonly record: Members }>('records/sample', {
        method: 'POST',
        query,
      });
      const id = collection.id;
      const whole = kept && id !== undefined ? { [id]: kept.record[id], ...record } : record;
      setRaw(undefined);
      setBefore(whole);
      setDraft(draftOf(collection, whole));
      setChecked(true);
    } catch (error) {
      setFailure(explainFailure(error));
    }
  }

  async function check(): Promise<boolean> {
    if (rawProblem !== undefined) return false;
    const found = await loadProblems(problemsOf(collection, draft, recordNow()));
    return found.length === 0;
  }

  useEffect(() => {
    if (!isChecked) return undefined;
    const checking = setTimeout(() => check().catch(() => {}), PATIENCE);
    return () => clearTimeout(checking);
  }, [draft, raw]);

  async function save(event: TargetedEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    setFailure('');
    setChecked(true);
    try {
      if (!(await check())) return focusFirstInvalid(form);
      const record = recordNow();
      const query = { collection: path, ...(kept && { id: String(kept.id) }) };
      const answer = await admin<{ id: KeptRecord['id'] } | undefined>('records', {
        method: kept ? 'PUT' : 'POST',
        query,
        body: record,
      });
      notify(kept ? `Record ${kept.id} was changed.` : `Record ${answer?.id} was added.`);
      onClose();
    } catch (error) {
      setFailure(explainFailure(error));
    }
  }

  const ofMember = (name: string) =>
    problems.filter(
      ({ pointer }) => pointer === asPointer(name) || pointer.startsWith(`${asPointer(name)}/`),
    );
  const placed = new Set(collection.members.flatMap(({ name }) => ofMember(name)));
  const others = problems.filter((problem) => !placed.has(problem));
  const set = (name: string, text: string) => {
    setRaw(undefined);
    setDraft((old) => ({ ...old, [name]: text }));
  };

  return h(
    Dialog,
    { title: kept ? `Edit record ${kept.id}` : 'Add a record', onClose, class: 'record-dialog' },
    h('form', { onSubmit: save, noValidate: true }, [
      h('div', { class: 'record-sides' }, [
        h('div', { class: 'fields' }, [
          !kept &&
            isTemplate &&
            collection.parameters.map((name) =>
              h(ParentField, {
                key: name,
                name,
                value: parents[name] ?? '',
                onInput: (text) => setParents((old) => ({ ...old, [name]: text })),
              }),
            ),
          collection.members.map((member) =>
            h(MemberField, {
              key: member.name,
              member,
              text: draft[member.name] ?? '',
              problems: ofMember(member.name),
              isFixed: kept !== undefined && member.name === collection.id,
              placeholder:
                !kept && (member.name === collection.id || member.readOnly) ? 'set by the mock' : '',
              onInput: (text) => set(member.name, text),
            }),
          ),
          (collection.open || draft[OTHERS] !== '') &&
            h(OtherMembers, { text: draft[OTHERS] ?? '', onInput: (text) => set(OTHERS, text) }),
        ]),
        h('div', { class: 'raw field' }, [
          h('label', { for: 'raw-record' }, 'JSON'),
          h('textarea', {
            id: 'raw-record',
            value: raw ?? stringifyJson(recordOf(collection, draft, before), 2),
            spellcheck: false,
            'aria-invalid': rawProblem !== undefined,
            'aria-describedby': 'raw-problem',
            onInput: (event: TargetedEvent<HTMLTextAreaElement>) => typeRaw(event.currentTarget.value),
          }),
          h('p', { id: 'raw-problem', class: 'problem', role: 'alert' }, rawProblem),
        ]),
      ]),
      h('div', { class: 'form-end' }, [
        h('div', { role: 'alert' }, [
          problems.length > 0 &&
            h('p', { class: 'problem' }, [
              `Not saved: the record has ${problems.length} ${problems.length === 1 ? 'error' : 'errors'}.`,
            ]),
          h(Problems, { id: 'other-problems', name: '', problems: others }),
          failure !== '' && h('p', { class: 'problem' }, failure),
        ]),
        h('div', { class: 'dialog-actions' }, [
          button('Fill with a sample', fill, { icon: 'sample', class: 'push-left' }),
          button('Cancel', onClose),
          h('button', { class: 'button primary', type: 'submit' }, kept ? 'Save' : 'Add'),
        ]),
      ]),
    ]),
  );
}

/** Why a text is no record; undefined: it may be one. */
function rawProblemOf(text: string): string | undefined {
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? undefined
      : 'must be a JSON object';
  } catch (error) {
    return `is not JSON: ${(error as Error).message}`;
  }
}

/** What the mock's own validator says of a draft. */
async function problemsOf(
  collection: CollectionView,
  draft: Draft,
  record: Members,
): Promise<readonly RecordProblem[]> {
  const unreadable = othersProblem(draft);
  if (unreadable) return [{ pointer: '', message: `Other fields ${unreadable}`, at: undefined }];
  const { problems } = await admin<{ readonly problems: readonly RecordProblem[] }>('records/check', {
    method: 'POST',
    query: { collection: collection.name },
    body: record,
  });
  return problems;
}

function asPointer(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The path of a nested collection, with what is known of its parents. */
function pathWith({ name }: CollectionView, parents: Readonly<Record<string, string>>): string {
  return name.replace(/\{([^}]+)\}/g, (whole, parameter: string) => {
    const value = parents[parameter];
    return value ? encodeURIComponent(value) : whole;
  });
}

/** After the problems are shown. */
function focusFirstInvalid(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

interface TextFieldProps {
  readonly name: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

function ParentField({ name, value, onInput }: TextFieldProps) {
  const id = `parent-${name}`;
  return h('div', { class: 'field' }, [
    h('label', { for: id }, [
      h('span', { class: 'field-name' }, name),
      h('span', { class: 'field-required' }, 'required'),
    ]),
    h('input', {
      id,
      value,
      autocomplete: 'off',
      'aria-describedby': `${id}-hint`,
      onInput: (event: TargetedEvent<HTMLInputElement>) => onInput(event.currentTarget.value),
    }),
    h('p', { id: `${id}-hint`, class: 'hint' }, 'The id of the parent, in the path of the collection'),
  ]);
}

function OtherMembers({
  text,
  onInput,
}: {
  readonly text: string;
  readonly onInput: (text: string) => void;
}) {
  return h('div', { class: 'field' }, [
    h('label', { for: 'field-others' }, h('span', { class: 'field-name' }, 'Other fields')),
    h('textarea', {
      id: 'field-others',
      value: text,
      rows: 4,
      placeholder: '{"name": "value"}',
      spellcheck: false,
      onInput: (event: TargetedEvent<HTMLTextAreaElement>) => onInput(event.currentTarget.value),
    }),
  ]);
}

interface MemberFieldProps {
  readonly member: MemberView;
  readonly text: string;
  /** Of this member, or of something inside. */
  readonly problems: readonly RecordProblem[];
  readonly isFixed: boolean;
  /** Shown while the field is empty. */
  readonly placeholder: string;
  readonly onInput: (text: string) => void;
}

/** The field of one member, with what is wrong with it and the line that says so. */
function MemberField({ member, text, problems, isFixed, placeholder, onInput }: MemberFieldProps) {
  const { name, required, readOnly, description } = member;
  const id = `field-${name}`;
  const shared = {
    id,
    value: text,
    readOnly: isFixed,
    'aria-invalid': problems.length > 0,
    'aria-describedby': `${id}-hint ${id}-problems`,
  };
  const type = typeText(member);
  return h('div', { class: 'field' }, [
    h('label', { for: id }, [
      h('span', { class: 'field-name' }, name),
      required && !readOnly && h('span', { class: 'field-required' }, 'required'),
      readOnly && h('span', { class: 'chip' }, 'read-only'),
    ]),
    h(Control, { member, shared, placeholder, onInput }),
    h('p', { id: `${id}-hint`, class: 'hint' }, description ? `${type} – ${description}` : type),
    h(Problems, { id: `${id}-problems`, name, problems }),
  ]);
}

interface ControlProps {
  readonly member: MemberView;
  readonly shared: { readonly id: string; readonly value: string; readonly readOnly: boolean };
  readonly placeholder: string;
  readonly onInput: (text: string) => void;
}

function Control({ member, shared, placeholder, onInput }: ControlProps) {
  const { type, values, nullable } = member;
  const choices = values ?? (type === 'boolean' ? [true, false, ...(nullable ? [null] : [])] : undefined);
  if (choices) {
    const texts = choices.map((one) =>
      isText(member) && typeof one === 'string' ? one : stringifyJson(one),
    );
    // What is there may be none of them.
    const all = [...new Set(['', ...texts, shared.value])];
    const options = all.map((one) => [one, one === '' ? '(not set)' : one] as const);
    return choice(shared.value, options, onInput, shared);
  }
  if (type === 'object' || type === 'array' || shared.value.includes('\n'))
    return h('textarea', {
      ...shared,
      placeholder: placeholder || 'JSON',
      spellcheck: false,
      rows: Math.min(12, Math.max(3, shared.value.split('\n').length)),
      onInput: (event: TargetedEvent<HTMLTextAreaElement>) => onInput(event.currentTarget.value),
    });
  return h('input', {
    ...shared,
    placeholder,
    autocomplete: 'off',
    inputMode: type === 'integer' ? 'numeric' : type === 'number' ? 'decimal' : 'text',
    onInput: (event: TargetedEvent<HTMLInputElement>) => onInput(event.currentTarget.value),
  });
}

function typeText({ type, format, nullable }: MemberView): string {
  const base = type ?? 'any type';
  return [format ? `${base} (${format})` : base, nullable ? 'or null' : ''].filter(Boolean).join(' ');
}

interface ProblemsProps {
  readonly id: string;
  /** The member that the reader sees already. */
  readonly name: string;
  readonly problems: readonly RecordProblem[];
}

function Problems({ id, name, problems }: ProblemsProps) {
  return h('ul', { id, class: 'problems' }, [
    problems.map(({ pointer, message, at }) => {
      const inner = pointer.slice(1).replaceAll('/', '.');
      return h('li', { key: `${pointer} ${message}`, class: 'problem' }, [
        inner !== name && inner !== '' && h(Fragment, {}, h('code', {}, inner), ' '),
        message,
        at !== undefined && h('details', {}, h('summary', {}, at), h(SourceExcerpt, { at, isNamed: false })),
      ]);
    }),
  ]);
}
