import { h, type TargetedEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Errors, Field, type Form, MemberFields } from '../form/field.ts';
import { fieldOf, type Members, pointerTo } from '../form/member-value.ts';
import { isObject } from '../reference/document.ts';
import { JsonEditor } from '../scenarios/json-editor.ts';
import { admin, explainFailure } from '../shell/admin.ts';
import { button, tabId, tabList } from '../shell/controls.ts';
import { cancelButton, Dialog, notify } from '../shell/messages.ts';
import { useAsked, useLoaded } from '../shell/value.ts';
import type { CollectionView, FieldView, FoundRecord, RecordProblem } from '../wire.ts';

interface RecordFormProps {
  readonly collection: CollectionView;
  /** Undefined: a new record is added. */
  readonly kept: FoundRecord | undefined;
  /** The initial values of a new record. */
  readonly first?: Members | undefined;
  /** The path of the collection, with the ids of parents if they are known. */
  readonly path: string;
  readonly onClose: () => void;
  /** Called when there are unsaved values, and when they are saved. */
  readonly onEntered: (isEntered: boolean) => void;
}

/** Milliseconds to wait for the next key before a draft is validated again. */
const PATIENCE = 250;

const TABS = [
  { id: 'form', title: 'Form' },
  { id: 'json', title: 'JSON' },
] as const;

type Tab = (typeof TABS)[number]['id'];

/** A record beside the table, as a form or JSON; the mock validates it before it is saved. */
export function RecordForm({ collection, kept, first, path: place, onClose, onEntered }: RecordFormProps) {
  const [begun, setBegun] = useState<Members>(kept?.record ?? first ?? {});
  const [record, setRecord] = useState(begun);
  const [tab, setTab] = useState<Tab>('form');
  const [isBroken, setBroken] = useState(false);
  const [samples, setSamples] = useState(0);
  const [parents, setParents] = useState<Members>({});
  const [problems, loadProblems] = useLoaded<readonly RecordProblem[]>([]);
  const [failure, setFailure] = useState('');
  const [attempt, setAttempt] = useState(0);
  const { name, id, references } = collection;
  const isTemplate = !kept && place.includes('{');
  const path = isTemplate ? pathWith(collection, parents) : place;
  const members = useFields(collection);
  const form: Form = {
    name: 'field',
    problems,
    isFixed: (pointer) => kept !== undefined && id !== undefined && pointer === pointerTo('', id),
    placeholderOf: (field) => (!kept && (field.name === id || field.readOnly) ? 'set by the mock' : ''),
    referenceAt: (pointer) =>
      references.find(
        ({ member = '', inner }) =>
          pointer === (inner === undefined ? pointerTo('', member) : pointerTo(pointerTo('', member), inner)),
      )?.collection,
  };

  const check = () =>
    loadProblems(
      admin<{ readonly problems: readonly RecordProblem[] }>('records/check', {
        method: 'POST',
        query: { collection: name },
        body: record,
      }).then((result) => result.problems),
    );

  useEffect(() => {
    if (attempt === 0) return undefined;
    const checking = setTimeout(() => check().catch(() => {}), PATIENCE);
    return () => clearTimeout(checking);
  }, [record]);

  async function fill(): Promise<void> {
    try {
      const query = { collection: path, number: String(samples + 1) };
      const sample = await admin<{ readonly record: Members }>('records/sample', { method: 'POST', query });
      setSamples(samples + 1);
      const identity = kept && id !== undefined ? { [id]: kept.record[id] } : {};
      // Keeps what is typed while the sample loads.
      const typed = (now: Members) =>
        Object.entries(now).filter(([member, value]) => value !== record[member]);
      setRecord((now) => ({ ...identity, ...sample.record, ...Object.fromEntries(typed(now)) }));
    } catch (error) {
      setFailure(explainFailure(error));
    }
  }

  async function save(event: TargetedEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    setFailure('');
    try {
      if (isBroken) throw new Error('Not saved: the JSON is invalid.');
      if ((await check()).length > 0) return;
      const query = { collection: path, ...(kept && { id: String(kept.id) }) };
      const method = kept ? 'PUT' : 'POST';
      const made = await admin<{ id: FoundRecord['id'] } | undefined>('records', {
        method,
        query,
        body: record,
      });
      notify(kept ? `Record ${kept.id} was changed.` : `Record ${made?.id} was added.`);
      setBegun(record);
      onClose();
    } catch (error) {
      setFailure(explainFailure(error));
    } finally {
      setAttempt((count) => count + 1);
    }
  }

  const title = kept ? `Edit record ${kept.id}` : 'Add a record';
  const isChanged = record !== begun || isBroken;
  useEffect(() => {
    onEntered(isChanged);
    return () => onEntered(false);
  }, [isChanged]);
  return h(Dialog, { title, onClose, isChanged, isBeside: true, class: 'record-dialog' }, [
    h('form', { onSubmit: save, noValidate: true }, [
      h(
        'div',
        { class: 'tabs-row' },
        tabList(TABS, tab, setTab, { label: 'Edit as', panel: 'record-panel' }),
      ),
      h(
        'div',
        {
          class: 'fields',
          role: 'tabpanel',
          id: 'record-panel',
          'aria-labelledby': tabId('record-panel', tab),
        },
        [
          isTemplate &&
            collection.parameters.map((parameter) =>
              h(Field, {
                key: parameter,
                form: { name: 'parent', problems: [] },
                at: pointerTo('', parameter),
                field: fieldOf(parameter, PARENT),
                value: parents[parameter],
                onChange: (value) => setParents({ ...parents, [parameter]: value }),
              }),
            ),
          tab === 'form'
            ? h(MemberFields, {
                form,
                members,
                isOpen: collection.open,
                at: '',
                value: isObject(record) ? record : {},
                onChange: setRecord as (value: unknown) => void,
              })
            : h(JsonEditor, {
                id: 'record-json',
                label: 'JSON',
                value: record,
                rows: 24,
                problem: '',
                warnings: problems,
                onChange: (value) => setRecord((value ?? {}) as Members),
                onBroken: setBroken,
              }),
        ],
      ),
      h('div', { class: 'form-end' }, [
        h(Errors, { form, title: 'Not saved', failure, attempt }),
        h('div', { class: 'dialog-actions' }, [
          button('Fill with a sample', fill, { icon: 'sample', class: 'push-left' }),
          cancelButton(),
          h('button', { class: 'button primary', type: 'submit' }, kept ? 'Save' : 'Add'),
        ]),
      ]),
    ]),
  ]);
}

const PARENT = {
  type: 'string',
  required: true,
  description: 'the id of the parent, in the path of the collection',
};

/** The fields of a record with inner ones; until they are loaded, those of the table. */
function useFields(collection: CollectionView): readonly FieldView[] {
  const { name, members } = collection;
  const ask = () =>
    admin<{ readonly members: readonly FieldView[] }>('records/form', { query: { collection: name } }).then(
      (result) => result.members,
    );
  return useAsked<readonly FieldView[]>(members, ask, [collection]);
}

/** The path of a nested collection, with the known parents. */
function pathWith({ name }: CollectionView, parents: Members): string {
  return name.replace(/\{([^}]+)\}/g, (whole, parameter: string) => {
    const value = parents[parameter];
    return value ? encodeURIComponent(String(value)) : whole;
  });
}
