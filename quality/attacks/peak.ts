/** Preloaded: sends the peak resident memory of the process to the parent when it exits. */
process.channel?.unref();
process.on('exit', () => process.send?.(process.resourceUsage().maxRSS * 1024));
