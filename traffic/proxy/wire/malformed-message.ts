/** Bytes that are no HTTP/1.1 message, or one that two readers may understand in two ways. */
export class MalformedMessage extends Error {
  override name = 'MalformedMessage';
  /** What a client is answered whose request it was. */
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
