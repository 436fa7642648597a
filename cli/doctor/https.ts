import { keptAuthority } from '#certificates';
import { about, type Remark } from './remark.ts';

const { good, warning } = about('https');

/** What `paddock mock --https` has made, and clients have to trust; nothing where that was never used. */
export function examineHttps(now = new Date()): Remark[] {
  const kept = keptAuthority();
  if (!kept) return [];
  const day = kept.end.toISOString().slice(0, 10);
  return kept.end <= now
    ? [warning(`the authority in ${kept.file} has ended on ${day}`, 'paddock mock --https makes another one')]
    : [good(`certificates for localhost are signed by ${kept.file}, valid until ${day}`)];
}
