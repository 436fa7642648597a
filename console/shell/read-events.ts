/** Reads server-sent events (WHATWG HTML §9.2) from a response, until it ends; EventSource can send no token. */
export async function readEvents(
  body: ReadableStream<BufferSource>,
  receive: (event: string, data: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream(), signal && { signal }).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = fieldOf(block, 'event');
      const data = fieldOf(block, 'data');
      if (event !== undefined && data !== undefined) receive(event, data);
    }
  }
}

function fieldOf(block: string, name: string): string | undefined {
  const start = block.startsWith(`${name}: `) ? 0 : block.indexOf(`\n${name}: `) + 1;
  if (start === 0 && !block.startsWith(`${name}: `)) return undefined;
  const end = block.indexOf('\n', start);
  return block.slice(start + name.length + 2, end < 0 ? undefined : end);
}
