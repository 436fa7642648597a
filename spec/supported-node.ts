/** The oldest supported Node version; a clone needs one that strips types from `.ts` files. */
export const OLDEST_NODE = '22.13';

const [[major = 0, minor = 0], [ownMajor = 0, ownMinor = 0]] = [OLDEST_NODE, process.versions.node].map(
  (version) => version.split('.').map(Number),
) as [number[], number[]];

// Entry points import this module first, since an older Node would fail later with an obscure message.
if (ownMajor < major || (ownMajor === major && ownMinor < minor))
  throw new Error(`Paddock needs Node ${OLDEST_NODE} or newer, and this is Node ${process.versions.node}`);
