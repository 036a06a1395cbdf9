/** What the follower of a supervised command needs, whether it started the command or came later. */
import type { CommandFiles } from './command-files.ts';
import type { FollowOptions } from './follow.ts';
import type { EndFacts } from './result.ts';
import type { Stopper, StopTriggers } from './stopper.ts';

export interface FollowerOptions extends StopTriggers {
  /** Where the command leaves its output and exit code. The folder must exist, and must survive the worker. */
  readonly folder: string;
  /** Names the command's files in the folder. A name is used once. */
  readonly name: string;
  /** Gets stdout and stderr as they came, in chunks of at most 64 KiB; awaited before more is read. */
  readonly onOutput: FollowOptions['onOutput'];
  /** A command that writes more is stopped, and killed once it has written as much again. Default `OUTPUT_LIMIT_BYTES`. */
  readonly outputLimitBytes?: number;
}

/** Ten times the largest plans that people have shown us; a command that writes on would fill the host's disk. */
export const OUTPUT_LIMIT_BYTES = 1024 * 1024 * 1024;

/** How to follow a command, whether this process or an earlier one started it. */
export function followOptions(
  options: FollowerOptions,
  files: CommandFiles,
  stopper: Stopper,
): Pick<FollowOptions, 'file' | 'offset' | 'onOutput' | 'onProgress'> {
  const limit = options.outputLimitBytes ?? OUTPUT_LIMIT_BYTES;
  let askedAtBytes: number | undefined;
  return {
    file: files.output,
    offset: 0,
    onOutput: options.onOutput,
    onProgress: (outputBytes) => {
      if (outputBytes <= limit) return;
      stopper.request('output-limit');
      askedAtBytes ??= outputBytes;
      // It could fill the disk while it is given time to end.
      if (outputBytes > askedAtBytes + limit) stopper.kill();
    },
  };
}

export function stopFacts(stopper: Stopper): Pick<EndFacts, 'stopCauses' | 'stoppedBy'> {
  return { stopCauses: stopper.causes, stoppedBy: stopper.stoppedBy };
}
