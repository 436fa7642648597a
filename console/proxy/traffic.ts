import { admin } from '../shell/admin.ts';
import { onEvent, onOpen } from '../shell/connection.ts';
import { createValue } from '../shell/value.ts';
import type { FindingsView, SeenExchange } from '../wire.ts';

/** What the proxy has found; undefined until it is known. */
export const found = createValue<FindingsView | undefined>(undefined);

/** The latest exchanges, the newest first. */
export const exchanges = createValue<readonly SeenExchange[]>([]);

/** Milliseconds between two looks: exchanges come by the thousand. */
const PAUSE = 500;

let isWaiting = false;

function loadSoon(): void {
  if (isWaiting) return;
  isWaiting = true;
  setTimeout(() => {
    isWaiting = false;
    load();
  }, PAUSE);
}

async function load(): Promise<void> {
  try {
    const [view, seen] = await Promise.all([
      admin<FindingsView>('findings'),
      admin<readonly SeenExchange[]>('requests'),
    ]);
    found.set(view);
    exchanges.set(seen.toReversed());
  } catch {
    // The connection says what is wrong, and loads again.
  }
}

onOpen(load);
for (const event of ['exchange', 'finding', 'clear']) onEvent(event, loadSoon);
