import { bodyMedia, isRecord, type Resource } from '#spec';
import type { Evidence } from './evidence.ts';
import { isMarked, markMember } from './mark.ts';
import type { KnownRecords, Maker } from './own-record.ts';

interface Creates {
  readonly maker: Maker;
  sent: number;
  refused: number;
  readonly ids: Set<string>;
}

/** The create requests of a run, by the mark that their bodies bear. */
export interface MarkedCreates extends Pick<KnownRecords, 'wasRefused'> {
  readonly of: (resource: Resource, text: unknown) => Readonly<Creates> | undefined;
  /** To be called when the request is sent: a list may show the record before its response has come. */
  sent(resource: Resource, body: unknown, maker: Maker): void;
  /** @param id of the record that was created; undefined: there is none, or none that is known */
  answered(resource: Resource, evidence: Evidence, id: unknown): void;
}

export function countCreates(): MarkedCreates {
  const creates = new Map<string, Creates>();
  const of = (resource: Resource, text: unknown) => creates.get(`${resource.path}\n${text}`);

  function sent(resource: Resource, body: unknown, maker: Maker): Creates | undefined {
    const text = markedText(resource, body);
    if (text === undefined) return undefined;
    const known = of(resource, text) ?? { maker, sent: 0, refused: 0, ids: new Set() };
    known.sent += 1;
    creates.set(`${resource.path}\n${text}`, known);
    return known;
  }

  return {
    of,
    sent: (resource, body, maker) => void sent(resource, body, maker),
    answered(resource, { exchange, request, response, model }, id) {
      const text = markedText(resource, exchange.input.body);
      const known = text === undefined ? sent(resource, request.body, model.viewer) : of(resource, text);
      if (!known) return;
      if (response.status >= 400 && response.status < 500) known.refused += 1;
      if (id !== undefined) known.ids.add(String(id));
    },
    wasRefused(resource, text) {
      const known = of(resource, text);
      return known !== undefined && known.refused > 0 && known.refused === known.sent;
    },
  };
}

/** The text of a body that has a mark of this run: no other client can have sent the same. */
function markedText({ actions }: Resource, body: unknown): string | undefined {
  const shape = bodyMedia(actions.create?.body)?.shape;
  const member = shape && markMember(shape);
  const text = member === undefined || !isRecord(body) ? undefined : body[member];
  return isMarked(text) ? text : undefined;
}
