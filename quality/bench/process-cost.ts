import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What a process has used so far. */
export interface Cost {
  /** Seconds of CPU time, user and system. */
  readonly cpu: number;
  /** Resident memory in MiB. */
  readonly memory: number;
}

/** From /proc where there is one (Linux), in steps of 10 ms; else from `ps`. */
export function costOf(pid: number): Cost {
  try {
    return fromProc(pid);
  } catch {
    return fromPs(pid);
  }
}

const TICKS_PER_SECOND = 100;

function fromProc(pid: number): Cost {
  // The name, in parentheses, may contain spaces: fields are counted after it (proc(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpu: ticks / TICKS_PER_SECOND, memory: Number(resident) / 1024 };
}

function fromPs(pid: number): Cost {
  const [time = '', rss = ''] = execFileSync('ps', ['-o', 'time=,rss=', '-p', `${pid}`])
    .toString()
    .trim()
    .split(/\s+/);
  const cpu = time.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0);
  return { cpu, memory: Number(rss) / 1024 };
}
