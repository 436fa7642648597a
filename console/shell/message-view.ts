import { Fragment, h } from 'preact';
import { CodeView } from './code-view.ts';

interface MessageViewProps {
  /** `request` or `response`. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The length of the whole body, of which only the beginning is there. */
  readonly cutFrom: number | undefined;
}

/** What was sent, or came back: its headers, folded, and its body. */
export function MessageView({ name, headers, body, cutFrom }: MessageViewProps) {
  const rows = Object.entries(headers);
  return h(Fragment, {}, [
    h('details', { class: 'headers' }, [
      h('summary', {}, `${rows.length} ${rows.length === 1 ? 'header' : 'headers'}`),
      h('dl', {}, [
        rows.map(([header, value]) => h(Fragment, { key: header }, h('dt', {}, header), h('dd', {}, value))),
      ]),
    ]),
    body === undefined
      ? h('p', { class: 'soft' }, 'No body')
      : h(CodeView, { text: body, label: `Body of the ${name}` }),
    cutFrom !== undefined &&
      h('p', { class: 'soft' }, `Truncated: the first ${body?.length ?? 0} of ${cutFrom} characters.`),
  ]);
}
