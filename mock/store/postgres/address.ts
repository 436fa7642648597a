import { StoreError } from '../store-error.ts';

/** The address of a database, and how to show it without its password. */
export interface Address {
  /** As it was given; for the driver alone. */
  readonly url: string;
  /** `host:5432/name` */
  readonly shown: string;
  /** Removes the password from a text. */
  readonly redact: (text: string) => string;
}

/** @throws StoreError, which repeats nothing of the text: anything in it may be the password */
export function readAddress(url: string): Address {
  if (!URL.canParse(url)) {
    throw new StoreError(
      'this postgres URL cannot be read; a password with characters such as # / ? @ : must be percent-encoded',
    );
  }
  const { host, port, pathname, password } = new URL(url);
  const secrets = [password, decode(password)].filter((secret) => secret !== '');
  return {
    url,
    shown: `${host}${port === '' ? ':5432' : ''}${pathname}`,
    redact: (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
