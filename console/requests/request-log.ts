import { admin } from '../shell/admin.ts';
import { onEvent, onOpen, refresh } from '../shell/connection.ts';
import { createValue } from '../shell/value.ts';
import type { LoggedRequest } from '../wire.ts';

/** The most requests in the page, twice the mock's. */
const MOST = 2000;

/** The log, the oldest first. */
export const requestLog = createValue<readonly LoggedRequest[]>([]);

/** Whether new requests are held back until the user resumes. */
export const isPaused = createValue(false);

export const waiting = createValue(0);

/** As JSON text: with a thousand per second, nothing is parsed before the next frame. */
let arrived: string[] = [];
let isScheduled = false;
let isLoading = false;

onEvent('request', (data) => {
  arrived.push(data);
  // Hidden tabs are not painted, so the list is cut here.
  if (arrived.length > 2 * MOST) arrived = arrived.slice(-MOST);
  schedule();
});
// Clearing may have been undone.
onEvent(['reset', 'clear'], () => {
  forget();
  void load();
});
onOpen(load);
isPaused.subscribe(schedule);

function schedule(): void {
  if (isScheduled || isLoading) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    if (isPaused.get()) waiting.set(Math.min(arrived.length, MOST));
    else takeArrived();
  });
}

function takeArrived(): void {
  waiting.set(0);
  if (arrived.length === 0) return;
  const requests = requestLog.get();
  const last = requests.at(-1)?.number ?? 0;
  const added = arrived.slice(-MOST).map((data) => JSON.parse(data) as LoggedRequest);
  arrived = [];
  requestLog.set([...requests, ...added.filter(({ number }) => number > last)].slice(-MOST));
}

/** Loads the requests that were logged while the page did not listen. */
async function load(): Promise<void> {
  isLoading = true;
  await refresh(requestLog, admin<readonly LoggedRequest[]>('requests').then(withKnown));
  isLoading = false;
  schedule();
}

/** An event shows more of a long body than the log. */
function withKnown(logged: readonly LoggedRequest[]): readonly LoggedRequest[] {
  const byKey = new Map(requestLog.get().map((request) => [`${request.number} ${request.at}`, request]));
  return logged.map((request) => byKey.get(`${request.number} ${request.at}`) ?? request);
}

/** Undoes clearing the log. */
export const restoreLog = () => admin('requests', { method: 'PUT' });

function forget(): void {
  arrived = [];
  waiting.set(0);
  requestLog.set([]);
}

/** Which requests are shown; an empty text shows all. */
export interface RequestFilter {
  /** An operationId, or {@link NO_OPERATION}. */
  readonly operation: string;
  /** The first digit of a status, `refused`, `dropped`, `ruled` or `ignored`. */
  readonly status: string;
  /** In target, body, response or violations, case-insensitive. */
  readonly text: string;
}

export const EVERY_REQUEST: RequestFilter = { operation: '', status: '', text: '' };

/** For requests without an operation of the document. */
export const NO_OPERATION = '-';

export function matchesFilter(request: LoggedRequest, { operation, status, text }: RequestFilter): boolean {
  if (operation !== '' && (request.operation ?? NO_OPERATION) !== operation) return false;
  if (status !== '' && !matchesStatus(request, status)) return false;
  const wanted = text.trim().toLowerCase();
  return wanted === '' || textsOf(request).some((one) => one.toLowerCase().includes(wanted));
}

function matchesStatus({ status, code, trace }: LoggedRequest, wanted: string): boolean {
  if (wanted === 'ruled') return trace.answered.rule !== undefined || trace.answered.by === 'Prefer';
  if (wanted === 'ignored') return trace.ignored.length > 0;
  if (wanted === 'refused') return code !== undefined;
  if (wanted === 'dropped') return status === 0;
  return String(status).startsWith(wanted) && status !== 0;
}

function* textsOf({ method, target, operation, code, message, body, response }: LoggedRequest) {
  yield `${method} ${target} ${operation ?? ''} ${code ?? ''} ${message ?? ''}`;
  if (body !== undefined) yield body;
  if (response.body !== undefined) yield response.body;
}
