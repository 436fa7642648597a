/** The verbs that a configuration file gives options to. */
export const CONFIGURED: ReadonlySet<string> = new Set(['mock', 'check', 'proxy', 'judge', 'compat']);

/** The verbs whose first argument is a base URL or the name of a target. */
export const WITH_TARGET: ReadonlySet<string> = new Set(['check', 'proxy']);
