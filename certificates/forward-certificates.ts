import { type Issued, issueServer } from './issue.ts';
import { ownAuthority } from './own-authority.ts';

/** Certificates for the hosts that a proxy decrypts. */
export interface ForwardCertificates {
  /** The file (PEM) of the authority that clients have to trust. */
  readonly authority: string;
  /** Made when it is first asked for, and kept as long as the program runs. */
  certificateFor(host: string): Promise<Issued>;
}

/** @param hosts names and addresses; where all are of this machine, the authority is that for localhost */
export async function forwardCertificates(hosts: readonly string[]): Promise<ForwardCertificates> {
  const others = hosts.filter((host) => !isLocal(host));
  const named = others.length > 0 ? [...others, ...hosts.filter(isLocal)] : [];
  const authority = await ownAuthority(named, Date.now());
  const made = new Map<string, Promise<Issued>>();
  return {
    authority: authority.file,
    certificateFor(host) {
      const certificate = made.get(host) ?? issueServer(authority, [host]);
      made.set(host, certificate);
      return certificate;
    },
  };
}

/** What the authority for localhost may vouch for. */
function isLocal(host: string): boolean {
  return host === '::1' || /^(?:.+\.)?localhost$/.test(host) || /^127(?:\.\d+){3}$/.test(host);
}
