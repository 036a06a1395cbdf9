/** Adds to a JSON Schema what each of its keys means, as the pages of the documentation say it, and examples. */
import { defined } from '@nereid/domain/defined';
import { KEY_DESCRIPTIONS } from './key-descriptions.ts';
import { KEY_EXAMPLES } from './key-examples.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** A key has the description of the longest end of its path that a table lists. */
export function describeKeys(schema: unknown, path: readonly string[] = []): unknown {
  if (Array.isArray(schema)) return schema.map((each: unknown) => describeKeys(each, path));
  if (!isMapping(schema)) return schema;
  const { properties, ...others } = schema;
  // What stands in a list, or under a name that people choose, is found by the key above it.
  const inside = Object.entries(others).map(([name, value]) => [name, describeKeys(value, path)] as const);
  if (!isMapping(properties)) return Object.fromEntries(inside);
  const described = Object.entries(properties).map(
    ([key, value]) => [key, withDescription(value, [...path, key])] as const,
  );
  return { ...Object.fromEntries(inside), properties: Object.fromEntries(described) };
}

function withDescription(schema: unknown, path: readonly string[]): unknown {
  const described = describeKeys(schema, path);
  const description = longestEnd(path, (end) => KEY_DESCRIPTIONS[end] ?? SECTIONS[end]);
  const examples = longestEnd(path, (end) => KEY_EXAMPLES[end]);
  return isMapping(described) ? { ...described, ...defined({ description, examples }) } : described;
}

/** Keys that only hold others, which the tables do not list. */
const SECTIONS: Readonly<Record<string, string>> = {
  repositories: 'what may be deployed: the first entry that sets something wins, later ones fill in the rest',
  roots: 'the roots of the repository',
  autodiscover: 'how roots are found that are not declared',
  timeout: 'how long plans and applies may take',
  environment: 'variables of the jobs, no secrets',
  env_from: 'secrets of the jobs, from files of the hosts: by phase, or for applies only',
  identity: 'the token by which clouds recognise each job',
  google: 'how Google Cloud takes the token',
  service_account: 'whom the jobs impersonate',
  'workflows.plan': 'the steps of the plan',
  'workflows.apply': 'the steps of the apply',
  'env.run': 'a command whose output is the value',
  terraform: 'how Terraform and OpenTofu run',
  storage: 'where records, plans and logs are',
  s3: 'Amazon S3, or a server that speaks its protocol',
  gs: 'Google Cloud Storage',
  az: 'Azure Blob Storage',
  audit: 'where the audit trail goes',
  notifications: 'who is told when something fails or waits for a person',
  deployments: 'GitHub shows which commit each root was deployed at',
  'review.escalate': 'the team that a review goes to when it takes too long',
  'review.hours': 'the working hours of the people who review',
  'notifications.quiet': 'the hours in which the destination is left alone',
  'notifications.match': 'the repositories and the roots that a destination is told of',
  retention: 'for how long what nobody works with any more is kept',
  sns: 'the topic of Amazon SNS',
  pubsub: 'the topic of Google Pub/Sub',
  console: 'who may use the console, and how',
  'login.local': 'without a login, on a machine of its own',
  'login.github': 'with GitHub, through the App',
  'login.oidc': 'with OpenID Connect',
  'login.proxy': 'by a login proxy that signs identities',
  tokens: 'tokens of scripts',
  temporal_ui: 'where the Temporal UI is',
};

function longestEnd<T>(path: readonly string[], find: (end: string) => T | undefined): T | undefined {
  const ends = path.map((_key, index) => path.slice(index).join('.'));
  return ends.map(find).find((found) => found !== undefined);
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
