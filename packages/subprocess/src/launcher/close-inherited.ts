import { closeSync, readdirSync, readFileSync } from 'node:fs';

/** Standard input, output and error. */
const STANDARD = 2;

/** `O_CLOEXEC` on Linux, in the octal `flags:` of `/proc/self/fdinfo`. */
const CLOSED_ON_EXEC = 0o2000000;

/**
 * Closes what this process inherited and its children would inherit: whatever a service manager left open, a log or a socket,
 * would be open to code of a root, in a sandbox or not. Node itself protects only the first descriptors. Those that this process
 * uses, and the channel to its parent, are closed on exec already, and stay.
 */
export function closeInherited(): void {
  for (const descriptor of descriptors()) {
    if (descriptor <= STANDARD || isClosedOnExec(descriptor)) continue;
    closeSync(descriptor);
  }
}

/** Empty where the system does not list them. */
function descriptors(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

/** One that is closed by now, such as that of the listing, leaks nothing. */
function isClosedOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+(?<octal>[0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'));
    return (Number.parseInt(flags?.groups?.['octal'] ?? '0', 8) & CLOSED_ON_EXEC) !== 0;
  } catch {
    return true;
  }
}
