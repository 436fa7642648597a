import type { Feed } from '../../http/exchange.ts';

/** Where a rule breaks a stream off. */
export interface BreakOff {
  /** Whole messages before. */
  readonly after: number;
  /** In the middle of the next one. */
  readonly within: boolean;
}

/** The same body, whose connection breaks. One that ends before is whole. */
export function breakOff(body: Feed, { after, within }: BreakOff): Feed {
  return (reader) => {
    let sent = 0;
    let isBroken = false;
    const breakWith = (text: string) => {
      isBroken = true;
      reader.breakOff(text);
    };
    return body({
      taken: () => reader.taken(),
      end() {
        if (!isBroken) reader.end();
      },
      breakOff: breakWith,
      write(text) {
        if (isBroken) return;
        // A heartbeat, or what another service sends.
        if (typeof text !== 'string' || text.startsWith(':')) reader.write(text);
        else if (within && sent === after) breakWith(text.slice(0, text.length / 2));
        else {
          sent += 1;
          if (!within && sent === after) breakWith(text);
          else reader.write(text);
        }
      },
    });
  };
}
