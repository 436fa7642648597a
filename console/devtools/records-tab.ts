import { h, type TargetedEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { choice } from '../shell/controls.ts';
import { parseJson, stringifyJson } from '../shell/exact-json.ts';
import { useValue } from '../shell/value.ts';
import { explainFailure } from './control.ts';
import type { FoundRecord, FoundRecords, Model } from './model.ts';
import { detailHead, Split } from './split.ts';

const PAGE = 50;

/** The mock lists no more at once; a search finds the others. */
const MOST = 500;

/** The collections with their records, each of which can be changed as JSON. */
export function RecordsTab({ model }: { readonly model: Model }) {
  const collections = useValue(model.contract)?.collections ?? [];
  const counts = useValue(model.counts);
  const [given, setGiven] = useState<string | undefined>(undefined);
  const [edited, edit] = useState<Edited | undefined>(undefined);
  const collection = collections.find(({ name }) => name === given) ?? collections[0];
  if (!collection) return h('p', { class: 'empty' }, 'The document has no collection of records.');
  const close = () => edit(undefined);
  const list = [
    h('div', { class: 'bar', key: 'bar' }, [
      choice(
        collection.name,
        collections.map(({ name }): [string, string] => [
          name,
          counts[name] === undefined ? name : `${name} (${counts[name]})`,
        ]),
        (chosen) => {
          setGiven(chosen);
          close();
        },
        { 'aria-label': 'Collection' },
      ),
      h(
        'button',
        {
          type: 'button',
          onClick: () => edit({ collection: collection.name, id: undefined, text: '{\n  \n}' }),
        },
        'New',
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'quiet danger push',
          title: 'Back to the initial records; rules and log are removed, too',
          onClick: model.reset,
        },
        'Reset all',
      ),
    ]),
    h(RecordList, {
      model,
      collection: collection.name,
      key: collection.name,
      onEdit: ({ id, record, path }) =>
        edit({ collection: path, id: String(id), text: stringifyJson(record, 2) }),
    }),
  ];
  const detailKey = edited && `${edited.collection} ${edited.id}`;
  const detail = edited && h(RecordEditor, { model, edited, key: detailKey, onClose: close });
  return h(Split, { list, detail, detailKey, onClose: close });
}

interface Edited {
  readonly collection: string;
  /** Undefined: it is a new record. */
  readonly id: string | undefined;
  readonly text: string;
}

interface RecordListProps {
  readonly model: Model;
  readonly collection: string;
  readonly onEdit: (found: FoundRecord) => void;
}

function RecordList({ model, collection, onEdit }: RecordListProps) {
  const changes = useValue(model.changes);
  const [filter, setFilter] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const [found, setFound] = useState<FoundRecords | undefined>(undefined);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isShown = true;
    model.listRecords({ collection, limit, filter: filter.trim() }).then(
      (records) => {
        if (!isShown) return;
        setFound(records);
        setProblem('');
      },
      (error) => isShown && setProblem(explainFailure(error)),
    );
    return () => {
      isShown = false;
    };
  }, [model, collection, changes, filter, limit]);

  const { total = 0, records = [] } = found ?? {};
  return [
    h('input', {
      type: 'search',
      class: 'wide',
      'aria-label': 'Search records',
      placeholder: 'Search records',
      value: filter,
      onInput: (event) => setFilter(event.currentTarget.value),
    }),
    h('p', { class: 'problem', role: 'alert' }, problem),
    found &&
      total === 0 &&
      h('p', { class: 'empty' }, filter === '' ? 'No records.' : 'No record has this text.'),
    h('ul', { class: 'rows', 'aria-label': `Records of ${collection}` }, [
      records.map((one) =>
        h('li', { key: `${one.path} ${one.id}` }, [
          h('button', { type: 'button', class: 'row', onClick: () => onEdit(one) }, [
            h('code', { class: 'record-id' }, String(one.id)),
            h('span', { class: 'target' }, stringifyJson(one.record)),
          ]),
        ]),
      ),
    ]),
    records.length < total &&
      limit < MOST &&
      h('button', { type: 'button', class: 'quiet', onClick: () => setLimit(limit + PAGE) }, [
        `Show more (${records.length} of ${total})`,
      ]),
  ];
}

interface RecordEditorProps {
  readonly model: Model;
  readonly edited: Edited;
  readonly onClose: () => void;
}

function RecordEditor({ model, edited, onClose }: RecordEditorProps) {
  const { collection, id } = edited;
  const [text, setText] = useState(edited.text);
  const [problem, setProblem] = useState('');
  const title = id === undefined ? `New record of ${collection}` : `${collection} ${id}`;

  async function attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
      onClose();
    } catch (error) {
      setProblem(explainFailure(error));
    }
  }

  function save(event: Event): void {
    event.preventDefault();
    try {
      parseJson(text);
    } catch (error) {
      setProblem(`This is no JSON: ${(error as Error).message}`);
      return;
    }
    attempt(() => model.saveRecord(collection, id, text));
  }

  return h(
    'form',
    {
      class: 'detail',
      'aria-label': title,
      onSubmit: save,
      tabIndex: -1,
    },
    detailHead(onClose, h('code', {}, title)),
    h('textarea', {
      'aria-label': 'Record as JSON',
      class: 'code',
      spellcheck: false,
      value: text,
      onInput: (event: TargetedEvent<HTMLTextAreaElement>) => setText(event.currentTarget.value),
    }),
    h('p', { class: 'problem', role: 'alert' }, problem),
    h('div', { class: 'bar' }, [
      h('button', { type: 'submit', class: 'primary' }, 'Save'),
      id !== undefined &&
        h(
          'button',
          {
            type: 'button',
            class: 'quiet danger',
            onClick: () => attempt(() => model.removeRecord(collection, id)),
          },
          'Remove',
        ),
    ]),
  );
}
