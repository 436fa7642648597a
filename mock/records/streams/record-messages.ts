import {
  fullyFits,
  happeningsIn,
  isRecord,
  type MediaType,
  memberShape,
  parseJson,
  type Shape,
  type StreamMessage,
  saysEvent,
  sharesMembers,
  stringifyJson,
} from '#spec';
import { type MessageForm, messageForms } from '#stream-messages';
import type { RecordEvent } from '../../store/record-events.ts';
import type { OperationContext } from '../actions/action.ts';
import type { RecordCollection } from '../collection.ts';

/** The event of a message; `listed`: the record existed before the stream began. */
export type Happening = RecordEvent['kind'] | 'listed';

/** How the messages of a stream show a collection's records. */
export interface RecordMessages {
  readonly collection: RecordCollection;
  /** Undefined: the stream has no message for such an event. */
  messageOf(happening: Happening, text: string, at: number): StreamMessage | undefined;
}

interface ShowingForm extends MessageForm {
  readonly shape: Shape;
  /** The path of the record in the message; empty: the message is the record. */
  readonly place: readonly string[];
}

/** Undefined: the stream shows no records of the document. */
export function compileRecordMessages(
  context: OperationContext,
  media: MediaType,
): RecordMessages | undefined {
  const forms = messageForms(media);
  const segments = context.operation.path.split('/');
  const isNamed = (collection: RecordCollection) =>
    segments.includes(collection.resource.path.split('/').at(-1) ?? '');
  const all = [...new Set(context.collections.values())];
  const ordered = [...all.filter(isNamed), ...all.filter((collection) => !isNamed(collection))];
  for (const collection of ordered) {
    const showing = forms.flatMap((form) => showingForm(form, collection.resource.shape) ?? []);
    if (showing.length > 0) return { collection, messageOf: compileMessageOf(context, forms, showing) };
  }
  return undefined;
}

function showingForm(form: MessageForm, record: Shape): ShowingForm | undefined {
  const { shape, isJson } = form;
  if (!shape || !isJson) return undefined;
  const place = placeIn(shape, record);
  return place && { ...form, shape, place };
}

/** The path of the record: the message itself, or an object in it such as `data`. */
function placeIn(shape: Shape, record: Shape): readonly string[] | undefined {
  if (sharesMembers(shape, record)) return [];
  for (const [name, member] of shape.properties) {
    if (sharesMembers(member, record)) return [name];
    for (const [inner, deeper] of member.properties) if (sharesMembers(deeper, record)) return [name, inner];
  }
  return undefined;
}

/** Existing records may be announced as created ones. */
const kindsOf = (happening: Happening): readonly Happening[] =>
  happening === 'listed' ? ['listed', 'created'] : [happening];

function compileMessageOf(
  { seeds, operation }: OperationContext,
  all: readonly MessageForm[],
  showing: readonly ShowingForm[],
): RecordMessages['messageOf'] {
  const isSaid = (texts: readonly string[]) => texts.some((text) => happeningsIn(text).size > 0);
  const tellsKinds = all.some((form) =>
    isSaid([form.events, ...sayingMembers(form).map(([, one]) => one)].flat()),
  );

  /** The event's name, and the members that tell it. Undefined: the form is for other events. */
  function saysIn(form: MessageForm, happening: Happening) {
    const pick = (texts: readonly string[]) =>
      kindsOf(happening)
        .map((kind) => texts.find((text) => happeningsIn(text).has(kind)))
        .find((text) => text !== undefined);
    const members = sayingMembers(form).map(([name, texts]) => ({ name, texts, text: pick(texts) }));
    const event = pick(form.events);
    const told = [{ texts: form.events, text: event }, ...members];
    if (told.some(({ texts, text }) => text === undefined && isSaid(texts))) return undefined;
    const isTold = told.some(({ text }) => text !== undefined);
    if (!isTold && (happening === 'removed' || (tellsKinds && happening !== 'listed'))) return undefined;
    return {
      event: event ?? form.events[0],
      members: members.map(
        ({ name, texts, text }) => [name, text ?? (texts[0] as string)] as [string, string],
      ),
    };
  }

  function contentOf(
    form: ShowingForm,
    record: unknown,
    members: readonly [string, string][],
    at: number,
  ): unknown {
    if (form.place.length === 0) return record;
    const around = seeds.sampled(form.shape, { extent: 'least' }, operation.id, 'stream');
    const content = isRecord(around) ? { ...around, ...Object.fromEntries(members) } : {};
    for (const [name, member] of form.shape.properties)
      if (name in content && member.find('format')?.value === 'date-time')
        content[name] = new Date(at).toISOString();
    const [outer = '', inner] = form.place;
    const old = content[outer];
    content[outer] = inner === undefined ? record : { ...(isRecord(old) && old), [inner]: record };
    return content;
  }

  return (happening, text, at) => {
    for (const form of showing) {
      const told = saysIn(form, happening);
      if (!told) continue;
      const record = parseJson(text);
      const content = contentOf(form, record, told.members, at);
      if (showing.length > 1 && !fullyFits(form.shape, content)) continue;
      return { data: stringifyJson(content), ...(told.event !== undefined && { event: told.event }) };
    }
    return undefined;
  };
}

/** The members of a message, beside the record, that can tell the event, with their allowed texts. */
function sayingMembers({
  shape,
}: MessageForm): readonly (readonly [name: string, texts: readonly string[]])[] {
  if (!shape) return [];
  return [...shape.properties.keys()].flatMap((name) => {
    if (!saysEvent(name)) return [];
    const values = (memberShape(shape, name)?.values ?? []).filter((value) => typeof value === 'string');
    return values.length > 0 ? [[name, values] as const] : [];
  });
}
