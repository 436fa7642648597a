import { type Contract, DocumentError, isRecord, keyOf, meaningOf, type Operation } from '#spec';
import { type Facts, overlayLines, sayInOverlay, writtenMeaning } from '#whole-document';
import type { MockRequest } from '../http/exchange.ts';
import type { Outcome, Refusal } from '../http/refusal.ts';
import { bodyJson, type Handler, jsonResponse, need, refuseWith } from './control.ts';
import {
  allParts,
  choicesOf,
  collectionPart,
  type MeaningPart,
  type NamedContract,
  operationPart,
} from './describe-meaning.ts';

/** The overlay with which a mock was started. */
export interface ChangedOverlay {
  readonly file: string;
  /**
   * Changes its text, and serves the changed document. If that fails, nothing is written.
   * @throws DocumentError; Error of the file system
   */
  change(edit: (text: string) => string): Promise<Contract>;
}

interface Documents {
  readonly documents: readonly NamedContract[];
  readonly overlay: ChangedOverlay | undefined;
}

interface Place {
  readonly target: string | undefined;
  /** Undefined: the target is a JSONPath. */
  readonly part: MeaningPart | undefined;
}

/**
 * `GET meaning`: all facts; with `?operation=ID` those of one operation and of its records. `PATCH meaning`: `{ operation |
 * collection | target, facts }` sets facts in the overlay; null removes one.
 */
export function meaningEndpoint({ documents, overlay }: Documents): Readonly<Record<string, Handler>> {
  const file = overlay?.file ?? null;
  return {
    GET: (request) => {
      const asked = new URLSearchParams(request.query).get('operation');
      if (asked === null) return jsonResponse({ file, parts: documents.flatMap(allParts) });
      const { document, operation } = findOperation(documents, request, asked);
      const { meaning } = meaningOf(document.contract);
      const { of } = meaning.operations[keyOf(operation)] ?? {};
      const parts = [operationPart(document, operation)];
      if (of !== undefined && meaning.collections[of]) parts.push(collectionPart(document, of));
      return jsonResponse({ file, parts, choices: choicesOf(document.contract, of) });
    },
    PATCH: async (request) => {
      const body = bodyJson(request);
      const { facts, ...named } = isRecord(body) ? body : {};
      const [[kind, name] = [], ...others] = Object.entries(named);
      if (
        !isRecord(facts) ||
        Object.keys(facts).length === 0 ||
        typeof name !== 'string' ||
        others.length > 0
      )
        return refuseForm;
      const { target, part } = need(placeOf(documents, request, kind ?? '', name));
      if (target === undefined) {
        const message = `${name} is described in another file, where no overlay reaches: write "x-paddock" there`;
        return { refuse: 'conflict', message };
      }
      if (!overlay) return notWritten(target, facts);
      return writeFacts(overlay, target, facts, part);
    },
  };
}

const refuseForm: Refusal = {
  refuse: 'malformed',
  message:
    'the body must be {"operation": ID, "facts": {…}}, or have "collection", a path, or "target", a JSONPath, in place of "operation"',
};

interface Found {
  readonly document: NamedContract;
  readonly operation: Operation;
}

function findOperation(documents: Documents['documents'], { query }: MockRequest, name: string): Found {
  const only = new URLSearchParams(query).get('document');
  for (const document of documents) {
    if (only !== null && document.name !== only) continue;
    const operation = document.contract.operations.find((one) => one.id === name || keyOf(one) === name);
    if (operation) return { document, operation };
  }
  return refuseWith({ refuse: 'not found', message: `There is no operation ${JSON.stringify(name)}` });
}

function placeOf(
  documents: Documents['documents'],
  request: MockRequest,
  kind: string,
  name: string,
): Place | Refusal {
  const targetIn = ({ contract }: NamedContract, partName: string) =>
    writtenMeaning(contract).find((meaning) => meaning.name === partName)?.target;
  if (kind === 'target') return { target: name, part: undefined };
  if (kind === 'operation') {
    const { document, operation } = findOperation(documents, request, name);
    const part = operationPart(document, operation);
    return { target: targetIn(document, part.name), part };
  }
  if (kind !== 'collection') return refuseForm;
  const document = documents.find(({ contract }) => name in meaningOf(contract).meaning.collections);
  if (!document) return { refuse: 'not found', message: `There is no collection ${JSON.stringify(name)}` };
  return { target: targetIn(document, name), part: collectionPart(document, name) };
}

/** Includes the lines for the user to copy. */
function notWritten(target: string, facts: Facts): Refusal {
  const message =
    'Nothing is written: the mock was started without a local overlay (--overlay FILE), or shares its records with other mocks. These lines are for the actions of an overlay.';
  const details = [{ where: 'actions', message: overlayLines(target, facts) }];
  return { refuse: 'conflict', message, details };
}

async function writeFacts(
  { file, change }: ChangedOverlay,
  target: string,
  facts: Facts,
  part: MeaningPart | undefined,
): Promise<Outcome> {
  try {
    const contract = await change((text) => sayInOverlay(text, target, facts));
    const document = { name: '', contract };
    const operation = contract.operations.find((one) => keyOf(one) === part?.name);
    const changed =
      part && (operation ? operationPart(document, operation) : collectionPart(document, part.name));
    return jsonResponse({ file, parts: [changed ?? []].flat() });
  } catch (error) {
    if (!(error instanceof DocumentError)) {
      const { code, message } = error as NodeJS.ErrnoException;
      return { refuse: 'conflict', message: `Nothing is written to ${file}: ${code ?? message}` };
    }
    const details = error.problems.map(({ uri, line, column, message }) => ({
      where: `${uri}:${line}:${column}`,
      message,
    }));
    const problems = error.problems.map(({ message }) => message).join('; ');
    return { refuse: 'malformed', message: `Nothing is written: ${problems}`, details };
  }
}
