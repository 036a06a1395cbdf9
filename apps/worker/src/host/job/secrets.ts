/** What must not be read in the log of a job, nor in the failure that is told from it. */
import type { Root } from '@nereid/contracts';
import type { HostContext } from './tools.ts';

/** Shorter values, such as `true` or `prod`, would hide innocent words. They stay readable. */
const SHORTEST_SECRET = 8;

/** Secrets by the names that they usually have. */
const SECRET_NAME = /secret|token|password|credential|key/i;

type Environment = Readonly<Record<string, string | undefined>>;

/** What this worker knows for itself. */
export function secretsOfWorker({ github, links, planKeys = [] }: HostContext['config']): readonly string[] {
  return [github.privateKey, ...(links.key ? [links.key] : []), ...planKeys].map((secret) => secret.reveal());
}

/** Credentials that the server lets through to Terraform. Values of fewer than 8 characters are not among them. */
export function secretsOfEnvironment(environment: Environment): readonly string[] {
  return Object.entries(environment).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) && isLongEnough(value) ? [value] : [],
  );
}

/**
 * Whether the value of an `env` step is hidden: always when a command printed it, and when its name is one of a secret.
 * What stands in the server's file in the clear under any other name, and values of fewer than 8 characters, are not.
 */
export function isSecretOfStep({ steps }: Pick<Root, 'steps'>, name: string, value: string): boolean {
  const isInTheClear = [...steps.plan, ...steps.apply].some(
    (step) => step.kind === 'env' && step.name === name && 'value' in step && step.value === value,
  );
  return isLongEnough(value) && (SECRET_NAME.test(name) || !isInTheClear);
}

function isLongEnough(value: string): boolean {
  return value.trim().length >= SHORTEST_SECRET;
}
