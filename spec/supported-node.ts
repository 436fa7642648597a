/** The oldest Node that the package runs on; a clone needs one that takes the types out of `.ts` files. */
export const OLDEST_NODE = '22.13';

const [[major = 0, minor = 0], [ownMajor = 0, ownMinor = 0]] = [OLDEST_NODE, process.versions.node].map(
  (version) => version.split('.').map(Number),
) as [number[], number[]];

// An entry point imports this before all else: an older Node would fail later, in words that help nobody.
if (ownMajor < major || (ownMajor === major && ownMinor < minor))
  throw new Error(`Paddock needs Node ${OLDEST_NODE} or newer, and this is Node ${process.versions.node}`);
