import { explainWireError } from '#target';
import { about, type Remark } from './remark.ts';

const { good, warning, wrong } = about('certificate');

/** The certificate that a target has shown. */
export interface Shown {
  /** Why it cannot be verified, as OpenSSL and Node name it; undefined: it is verified. */
  readonly code: string | undefined;
  /** The end of its validity. */
  readonly end: Date;
  readonly now: Date;
  /** The user accepts any. */
  readonly insecure: boolean;
}

const DAY_MS = 86_400_000;
/** From when on its end is told beforehand. */
const SOON_DAYS = 14;

export function examineCertificate({ code, end, now, insecure }: Shown): Remark {
  const day = Number.isNaN(end.getTime()) ? 'an unknown day' : end.toISOString().slice(0, 10);
  const days = Math.floor((end.getTime() - now.getTime()) / DAY_MS);
  if (code !== undefined) {
    const reason =
      code === 'CERT_HAS_EXPIRED' ? `it has expired on ${day}` : explainWireError({ code, message: code });
    if (insecure) return warning(`${reason}; --insecure accepts it`);
    return wrong(reason, code === 'CERT_HAS_EXPIRED' ? 'have it renewed' : undefined);
  }
  const left = `valid until ${day}, ${days === 1 ? '1 more day' : `${days} more days`}`;
  return days < SOON_DAYS ? warning(left, 'have it renewed') : good(left);
}
