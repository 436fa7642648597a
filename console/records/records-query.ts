import { useEffect, useRef, useState } from 'preact/hooks';
import { admin, explainFailure } from '../shell/admin.ts';
import { onRecordsChanged } from '../shell/session-state.ts';
import type { FoundRecords } from '../wire.ts';

/** Which records of a collection are shown. */
export interface RecordsQuery {
  readonly collection: string;
  readonly offset: number;
  readonly limit: number;
  readonly filter: string;
  /** The member to filter by; empty: all. */
  readonly member: string;
  /** The member that sorts them, with `-` in front descending; empty: in list order. */
  readonly sort: string;
}

interface RecordsPart extends FoundRecords {
  readonly query: RecordsQuery;
}

/** Milliseconds to wait for the next key, or for further changes. */
const PATIENCE = 150;

/** The selected records, reloaded whenever records change; undefined until they are loaded. */
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
          const part = await admin<FoundRecords>('records', { query: text });
          if (isWanted) setState({ part: { ...part, query } });
        } catch (error) {
          // Keeps showing the last records.
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
