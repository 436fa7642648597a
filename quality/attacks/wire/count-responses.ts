const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: [^\r\n]*)?\r\n/;

/**
 * How many final responses a client would see in the bytes of a connection that has ended, by RFC 9112 §6.3 alone.
 * @throws Error for what no client can read, and for what is left when the last one is whole
 */
export function countResponses(bytes: string): number {
  let count = 0;
  for (let rest = bytes; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [, minor, code] = STATUS_LINE.exec(rest) ?? [];
    // It broke off: so does the connection.
    if (end < 0) return 'HTTP/1.1 '.startsWith(rest.slice(0, 9)) || code !== undefined ? count : fail(rest);
    if (code === undefined) return fail(rest);
    const lines = rest.slice(0, end).split('\r\n').slice(1);
    rest = rest.slice(end + 4);
    if (code === '101') return count + 1;
    if (code.startsWith('1')) continue;
    count += 1;
    if (code === '204' || code === '304') continue;
    const valuesOf = (name: string) =>
      lines.flatMap((line) =>
        line.toLowerCase().startsWith(`${name}:`) ? [line.slice(name.length + 1).trim()] : [],
      );
    const [codings, lengths] = [valuesOf('transfer-encoding'), valuesOf('content-length')];
    if (codings.length > 0 && (lengths.length > 0 || minor === '0')) return fail(lines.join(' | '));
    if (lengths.length > 1) return fail(lines.join(' | '));
    if (codings.length > 0) rest = /(?:^|,)\s*chunked$/i.test(codings.join(',')) ? afterChunks(rest) : '';
    else if (lengths[0] !== undefined)
      rest = rest.slice(/^\d+$/.test(lengths[0]) ? Number(lengths[0]) : fail(lengths[0]));
    else rest = '';
  }
  return count;
}

function afterChunks(text: string): string {
  for (let rest = text; ; ) {
    const end = rest.indexOf('\r\n');
    if (end < 0) return '';
    const size = Number.parseInt(/^[0-9a-f]+/i.exec(rest)?.[0] ?? fail(rest), 16);
    if (size === 0)
      return rest.slice(rest.indexOf('\r\n\r\n', end) < 0 ? rest.length : rest.indexOf('\r\n\r\n', end) + 4);
    rest = rest.slice(end + 2 + size + 2);
  }
}

function fail(text: string): never {
  throw new Error(`no client can read ${JSON.stringify(text.slice(0, 200))}`);
}
