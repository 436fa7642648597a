import { concat } from '#spec';
import { adler32, crc32 } from './checksums.ts';
import type { Raster } from './raster.ts';

/** Bytes of a pixel. */
const PIXEL = 4;

/** A PNG (ISO/IEC 15948) with 8 bits for each of red, green, blue and opacity. */
export function encodePng({ width, height, pixels }: Raster): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // Bit depth, colour type with opacity, the only compression and filter method, no interlace.
  header.set([8, 6, 0, 0, 0], 8);
  const lines = filtered(width * PIXEL, height, pixels);
  return concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', concat([Uint8Array.of(0x78, 0x01), deflated(lines), uint32(adler32(lines))])),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** Each line as the difference from the one above (filter 2): mostly the same few bytes again and again. */
function filtered(stride: number, height: number, pixels: Uint8Array): Uint8Array {
  const lines = new Uint8Array((stride + 1) * height);
  for (let y = 0; y < height; y++) {
    const [from, to] = [y * stride, y * (stride + 1)];
    lines[to] = 2;
    for (let x = 0; x < stride; x++)
      lines[to + 1 + x] = (pixels[from + x] ?? 0) - (y === 0 ? 0 : (pixels[from + x - stride] ?? 0));
  }
  return lines;
}

/**
 * One block of DEFLATE with the fixed codes (RFC 1951 §3.2.6) that refers to nothing but the pixel before: enough for what
 * is drawn here, and the same bytes in Node and in a browser.
 */
function deflated(bytes: Uint8Array): Uint8Array {
  // No literal has more than 9 bits.
  const out = new Uint8Array(Math.ceil((bytes.length * 9) / 8) + 8);
  let [length, held, count] = [0, 0, 0];

  /** The lowest bit first. */
  function put(value: number, bits: number): void {
    held |= value << count;
    count += bits;
    for (; count >= 8; count -= 8, held >>>= 8) out[length++] = held & 255;
  }

  function putSymbol(symbol: number): void {
    const [code = 0, bits = 0] = [CODES[symbol], symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8];
    put(code, bits);
  }

  // The last block, with fixed codes.
  put(0b011, 3);
  for (let at = 0; at < bytes.length; ) {
    const run = runAt(bytes, at);
    if (run < SHORTEST) putSymbol(bytes[at++] ?? 0);
    else {
      const beyond = run - SHORTEST;
      const extra = Math.max(0, 29 - Math.clz32(beyond));
      putSymbol(257 + 4 * extra + (beyond >> extra));
      put(beyond & ((1 << extra) - 1), extra);
      put(DISTANCE, 5);
      at += run;
    }
  }
  putSymbol(256);
  put(0, 7);
  return out.subarray(0, length);
}

const SHORTEST = 3;

/** 258 would have a code of its own. */
const LONGEST = 257;

/** The code of the distance 4, the highest bit first. */
const DISTANCE = 0b11000;

/** How many bytes from here are the same as four before. */
function runAt(bytes: Uint8Array, at: number): number {
  if (at < PIXEL) return 0;
  const most = Math.min(LONGEST, bytes.length - at);
  let run = 0;
  while (run < most && bytes[at + run] === bytes[at + run - PIXEL]) run++;
  return run;
}

/** The fixed codes of literals and lengths, their bits in the order in which they are written. */
const CODES = Uint16Array.from({ length: 288 }, (_, symbol) => {
  if (symbol < 144) return reversed(0x30 + symbol, 8);
  if (symbol < 256) return reversed(0x190 + symbol - 144, 9);
  return symbol < 280 ? reversed(symbol - 256, 7) : reversed(0xc0 + symbol - 280, 8);
});

function reversed(code: number, bits: number): number {
  let turned = 0;
  for (let bit = 0; bit < bits; bit++) turned |= ((code >> bit) & 1) << (bits - 1 - bit);
  return turned;
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const body = concat([Uint8Array.from(name, (letter) => letter.charCodeAt(0)), data]);
  return concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
