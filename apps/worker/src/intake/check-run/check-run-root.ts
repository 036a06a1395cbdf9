import { checkRunName } from '@nereid/github';

const PREFIX = checkRunName('');

/** The root whose check run has this name; undefined when it is another of our check runs. */
export function rootOfCheckRun(name: string): string | undefined {
  return name.startsWith(PREFIX) && name.length > PREFIX.length ? name.slice(PREFIX.length) : undefined;
}
