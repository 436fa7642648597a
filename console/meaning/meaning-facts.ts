import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AdminError, admin, explainFailure } from '../shell/admin.ts';
import { onEvent } from '../shell/connection.ts';
import { DocumentLines } from '../shell/contract.ts';
import { button, choice } from '../shell/controls.ts';
import { copyText } from '../shell/messages.ts';
import { useLoaded } from '../shell/value.ts';
import type { FactView, MeaningPart, MeaningView } from '../wire.ts';
import { choicesFor, chosenOf, factsFor, textOfChoice } from './fact-choices.ts';

interface MeaningFactsProps {
  /** An operationId. */
  readonly operation: string;
  /** The name of one of several documents. */
  readonly document?: string;
}

/** The inferred meaning of an operation and its records, with the reasons and a choice to change it. */
export function MeaningFacts({ operation, document }: MeaningFactsProps) {
  const [view, load] = useLoaded<MeaningView | undefined>(undefined);
  const named = document ? { document } : {};
  const ask = () => load(admin<MeaningView>('meaning', { query: { ...named, operation } })).catch(() => {});
  useEffect(() => {
    ask();
    return onEvent('document', ask);
  }, [operation]);
  if (!view) return null;
  const say: Say = async (part, path, value) => {
    const place = part.kind === 'operation' ? { operation } : { collection: part.name };
    const body = { ...place, facts: factsFor(part, path, value) };
    await admin('meaning', { method: 'PATCH', query: named, body });
    await ask();
  };
  return h('section', { class: 'meaning', 'aria-label': 'What it means' }, [
    view.parts.map((part) =>
      h('div', { key: `${part.kind} ${part.name}`, class: 'meaning-part' }, [
        h('h4', {}, part.kind === 'operation' ? 'What it means' : `Records of ${part.name}`),
        h('ul', {}, [
          ...part.facts
            .filter(isShown)
            .map((fact) => h(FactRow, { key: fact.path.join(' '), part, fact, view, say })),
          ...part.unknown.map((path) =>
            h(FactRow, { key: path.join(' '), part, fact: { path, value: undefined }, view, say }),
          ),
          part.kind === 'collection' && h(NewReference, { key: '', part, view, say }),
        ]),
      ]),
    ),
    h('p', { class: 'soft' }, [
      view.file === null
        ? 'Without a local overlay (--overlay FILE) nothing is written: a choice shows the lines to copy.'
        : ['Choices take effect at once, and are written to ', h('code', {}, view.file), '.'],
    ]),
  ]);
}

/** The record's schema has its own page. */
const isShown = ({ path: [key] }: FactView) => key !== 'record';

type Say = (part: MeaningPart, path: readonly string[], value: unknown) => Promise<void>;

interface FactRowProps {
  readonly part: MeaningPart;
  readonly fact: Pick<FactView, 'path' | 'value'> & Partial<FactView>;
  readonly view: MeaningView;
  readonly say: Say;
}

const LABELS: Readonly<Record<string, string>> = { does: 'Operation', of: 'Records', first: 'first page' };

/** The first option: unknown, or remove the stated fact. */
const NONE = '';

function FactRow({ part, fact, view, say }: FactRowProps) {
  const { path, value, certainty, signs = [], because = [] } = fact;
  const [refused, setRefused] = useState<unknown>(undefined);
  /** The last choice, until the mock confirms it. */
  const [pending, setPending] = useState<string | undefined>(undefined);
  const label = LABELS[path[0] ?? ''] ?? (path.length > 1 ? path.slice(1).join(' ') : path.join());
  const chosen = chosenOf(path, value);
  const others = choicesFor(path, view.choices);
  const all = others.some((one) => one === chosen) || value === undefined ? others : [chosen, ...others];
  const none = value === undefined ? 'unknown' : signs.includes('said') ? 'as inferred' : undefined;
  const options = all.map((one) => [JSON.stringify(one), textOfChoice(path, one)] as const);
  const id = `meaning-${part.kind}-${path.join('-')}`.replace(/[^\w-]/g, '_');
  const choose = async (text: string) => {
    setRefused(undefined);
    setPending(text);
    await say(part, path, text === NONE ? null : JSON.parse(text)).catch(setRefused);
    setPending((last) => (last === text ? undefined : last));
  };
  return h('li', { class: 'meaning-fact' }, [
    h(others.length === 0 ? 'span' : 'label', { for: id, class: 'meaning-name' }, label),
    h('div', { class: 'meaning-what' }, [
      others.length === 0
        ? h('span', {}, textOfChoice(path, value))
        : choice(
            pending ?? (value === undefined ? NONE : JSON.stringify(chosen)),
            none === undefined ? options : [[NONE, none], ...options],
            choose,
            { id, 'aria-invalid': refused !== undefined, 'aria-describedby': `${id}-problem` },
          ),
      certainty &&
        h(
          'span',
          { class: certainty === 'promised' ? 'chip' : 'chip warn' },
          [certainty, signs.join(', ')].filter(Boolean).join(': '),
        ),
      because.length > 0 && h(DocumentLines, { places: because }),
      h(Refused, { id: `${id}-problem`, error: refused }),
    ]),
  ]);
}

/** Why a choice was not written, and the lines for it. */
function Refused({ id, error }: { readonly id: string; readonly error: unknown }) {
  const { status, details = [] } = error instanceof AdminError ? error : {};
  const lines = status === 409 ? details.map(({ message }) => message).join('\n') : '';
  return h('div', { id, class: 'meaning-refused' }, [
    h('p', { class: 'problem', role: 'alert' }, error === undefined ? '' : explainFailure(error)),
    lines !== '' && [
      h('pre', { class: 'code', tabIndex: 0, 'aria-label': 'Lines of an overlay' }, lines),
      button('Copy lines', () => copyText(lines, 'The overlay action'), {
        class: 'framed small',
        icon: 'copy',
      }),
    ],
  ]);
}

/** A member that is not recognized as a reference. */
function NewReference({ part, view, say }: Omit<FactRowProps, 'fact'>) {
  const [member, setMember] = useState(NONE);
  const names = new Set(part.facts.flatMap(({ path: [key, name] }) => (key === 'members' ? name : [])));
  const others = (view.choices?.members ?? [])
    .map(String)
    .filter((one) => !names.has(one) && !one.includes('.'));
  if (others.length === 0) return null;
  const fact = { path: ['members', member], value: undefined };
  return h('li', { class: 'meaning-new' }, [
    choice(others.includes(member) ? member : NONE, [[NONE, 'Another member…'], ...others], setMember, {
      'aria-label': 'Another member',
    }),
    others.includes(member) && h('ul', {}, h(FactRow, { key: member, part, fact, view, say })),
  ]);
}
