import { useEffect, useRef, useState } from 'preact/hooks';
import { admin, explainFailure } from '../shell/admin.ts';
import { onEvent, onOpen } from '../shell/connection.ts';

/** What of a collection is shown. */
export interface RecordsQuery {
  readonly collection: string;
  readonly offset: number;
  readonly limit: number;
  readonly filter: string;
  /** The member that the filter looks at; empty: all. */
  readonly member: string;
  /** The member that orders them, after `-` from the greatest on; empty: as they are listed. */
  readonly sort: string;
}

export interface KeptRecord {
  readonly id: string | number | bigint;
  readonly record: Readonly<Record<string, unknown>>;
  /** The path of its collection. */
  readonly path: string;
}

interface RecordsPart {
  /** Of the query that it answers. */
  readonly query: RecordsQuery;
  /** On all pages. */
  readonly total: number;
  readonly records: readonly KeptRecord[];
}

/** Milliseconds to wait for the next key, or for further changes. */
const PATIENCE = 150;

/** What the mock has of it, asked again whenever records change; undefined until it is known. */
export function useRecords(query: RecordsQuery): { readonly part?: RecordsPart; readonly problem?: string } {
  const [state, setState] = useState<{ part?: RecordsPart; problem?: string }>({});
  const [change, setChange] = useState(0);
  const isFirst = useRef(true);
  useEffect(() => onRecordsChanged(() => setChange((count) => count + 1)), []);

  const { collection, offset, limit, filter, member, sort } = query;
  useEffect(() => {
    let isWanted = true;
    const asking = setTimeout(
      async () => {
        const text = { collection, filter, member, sort, offset: String(offset), limit: String(limit) };
        try {
          const part = await admin<Omit<RecordsPart, 'query'>>('records', { query: text });
          if (isWanted) setState({ part: { ...part, query } });
        } catch (error) {
          // What was shown stays.
          if (isWanted) setState(({ part }) => ({ ...(part && { part }), problem: explainFailure(error) }));
        }
      },
      isFirst.current ? 0 : PATIENCE,
    );
    isFirst.current = false;
    return () => {
      isWanted = false;
      clearTimeout(asking);
    };
  }, [collection, offset, limit, filter, member, sort, change]);
  return state;
}

/** Milliseconds between two looks while clients write all the time. */
const PAUSE = 700;

/** Calls some time after records may have changed. */
function onRecordsChanged(listener: () => void): () => void {
  let planned: ReturnType<typeof setTimeout> | undefined;
  const plan = () => {
    planned ??= setTimeout(() => {
      planned = undefined;
      listener();
    }, PAUSE);
  };
  const stops = [
    onOpen(listener),
    onEvent('records', listener),
    onEvent('state', listener),
    onEvent('reset', listener),
    // A reload removes what does not fit, and seeds anew.
    onEvent('document', listener),
    onEvent('request', (data) => {
      // Most requests read: their JSON need not be parsed to see it.
      if (!/"method":"(?:GET|HEAD|OPTIONS)"/.test(data)) plan();
    }),
  ];
  return () => {
    clearTimeout(planned);
    for (const stop of stops) stop();
  };
}
