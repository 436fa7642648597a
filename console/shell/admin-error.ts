/** What the control API refused, in its own words. */
export class AdminError extends Error {
  readonly status: number;
  /** Each problem, where there is a list of them. */
  readonly details: readonly { readonly where: string; readonly message: string }[];

  constructor(status: number, message: string, details: AdminError['details'] = []) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** @param server what it came from, for a response without an explanation */
export function readError(status: number, text: string, server: string): AdminError {
  try {
    const { message, details } = JSON.parse(text);
    return new AdminError(status, String(message), details);
  } catch {
    return new AdminError(status, `The ${server} responded with ${status}`);
  }
}
