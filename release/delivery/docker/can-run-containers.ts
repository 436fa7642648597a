import { spawnSync } from 'node:child_process';

const hasBuildah = spawnSync('buildah', ['--version']).status === 0;
/** What the containers are made of: many a machine that has namespaces allows nothing in them. */
const TRIAL = 'mount -t tmpfs none /mnt && ip link add first type veth peer name second';
const hasNamespaces =
  spawnSync('unshare', ['--mount', '--pid', '--net', '--fork', 'sh', '-c', TRIAL]).status === 0;

/** Whether images can be built and run without a daemon: Buildah, and namespaces, which need root and iproute2. */
export const canRunContainers = hasBuildah && hasNamespaces;

/** For the title of tests that are skipped. */
export const WHY_NOT = canRunContainers
  ? ''
  : `: skipped, ${hasBuildah ? 'there are no namespaces' : 'Buildah is not installed (apt-get install buildah)'}`;
