/** Tells the parent at the end how much memory the process ever had. The program under test knows nothing of it. */
process.channel?.unref();
process.on('exit', () => process.send?.(process.resourceUsage().maxRSS * 1024));
