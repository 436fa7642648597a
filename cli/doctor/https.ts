import { keptAuthority, keptForwardAuthorities } from '#certificates';
import { about, type Remark } from './remark.ts';

const { good, warning } = about('https');

/** What `--https` and `paddock proxy --forward` have made, and clients have to trust; nothing where these were never used. */
export function examineHttps(now = new Date()): Remark[] {
  const own = keptAuthority();
  return [
    ...(own ? [remarkOn(own, 'certificates for localhost', 'paddock mock --https', now)] : []),
    ...keptForwardAuthorities().map((one) =>
      remarkOn(one, 'certificates for what a proxy decrypts', 'paddock proxy --forward', now),
    ),
  ];
}

type Kept = NonNullable<ReturnType<typeof keptAuthority>>;

function remarkOn({ file, end }: Kept, what: string, maker: string, now: Date): Remark {
  const day = end.toISOString().slice(0, 10);
  return end <= now
    ? warning(`the authority in ${file} has ended on ${day}`, `${maker} makes another one`)
    : good(`${what} are signed by ${file}, valid until ${day}`);
}
