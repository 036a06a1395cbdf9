/** Finds the secrets that must not appear in the log of a job, nor in a failure that quotes the log. */
import type { Root } from '@nereid/contracts';
import type { HostContext } from './tools.ts';

/** Shorter values, such as `true` or `prod`, would hide innocent words. They stay readable. */
const SHORTEST_SECRET = 8;

/** Variables with such names usually hold secrets. */
const SECRET_NAME = /secret|token|password|credential|key/i;

type Environment = Readonly<Record<string, string | undefined>>;

/** The worker's own secrets. */
export function secretsOfWorker(config: HostContext['config']): readonly string[] {
  const { github, links, planKeys = [], signingKeys } = config;
  const texts = [github.privateKey, ...(links.key ? [links.key] : []), ...planKeys].map((secret) => secret.reveal());
  const keys = [signingKeys.orders, signingKeys.pool].flatMap(({ privateKey }) => privateKey ?? []);
  return [...texts, ...keys.map((key) => key.export({ type: 'pkcs8', format: 'der' }).toString('base64'))];
}

/** Credentials that the server's file lets through to Terraform, except values of fewer than 8 characters. */
export function secretsOfEnvironment(environment: Environment): readonly string[] {
  return Object.entries(environment).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) && isLongEnough(value) ? [value] : [],
  );
}

/**
 * Whether the value of an `env` step is hidden: always when a command printed it, and when its name is that of a secret.
 * Values in clear text in the server's file under any other name, and values of fewer than 8 characters, are not hidden.
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
