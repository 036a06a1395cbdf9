/** The shape of what roots are to clouds: variables of their jobs, secrets, and tokens that clouds trade. */
import { z } from 'zod';
import { described, mapping, object, text } from '../../yaml/schema.ts';

/** More than any provider reads. */
const VARIABLES_LIMIT = 100;

const NAME_EXPECTED =
  'the name of an environment variable, at most 100 characters, but none of the loader or the shell';

/** The loader and the shell obey some variables before a sandbox is made. */
const NAME = /^(?!(?:LD_\w*|GLIBC_TUNABLES|BASH_ENV|ENV|IFS)$)[A-Za-z_]\w{0,99}$/;

function variables<Value extends z.ZodType>(value: Value) {
  return mapping(NAME_EXPECTED, NAME, value).refine(
    (named) => Object.keys(named).length <= VARIABLES_LIMIT,
    `at most ${VARIABLES_LIMIT} variables`,
  );
}

const Variables = described(
  variables(text('a text (a number in quotes)', /^[^\0]*$/)),
  "variables of the plan (for pull requests, too) and of the apply, no secrets, merged name by name: [the identity of a root](guides/identities.md); in the server's file only, like `env_from` and `identity`",
  'texts by name (none)',
);

export const ENVIRONMENT = object({ plan: Variables.optional(), apply: Variables.optional() });

/** No path, and nothing hidden: Kubernetes keeps the files of a volume in folders whose names begin with a dot. */
const SecretFiles = variables(
  text(
    'the name of a file in terraform.secrets_folder: letters, digits, ".", "_" and "-", at most 200',
    /^[A-Za-z0-9_][\w.-]{0,199}$/,
  ),
);

export const ENV_FROM = z.union(
  [
    object({
      preview: described(
        SecretFiles.optional(),
        '[secrets of the root](guides/secrets.md) for plans of pull requests, from files of `terraform.secrets_folder`; not in a rule that matches names',
        'names of files by variable (none)',
      ),
      plan: described(
        SecretFiles.optional(),
        '[secrets of the root](guides/secrets.md) for plans of deployments, from files of `terraform.secrets_folder`; not in a rule that matches names',
        'names of files by variable (none)',
      ),
      apply: described(
        SecretFiles.optional(),
        '[secrets of the root](guides/secrets.md) for applies, from files of `terraform.secrets_folder`; not in a rule that matches names',
        'names of files by variable (none)',
      ),
    }),
    SecretFiles,
  ],
  'variables, each with the name of a file, for applies only or below preview, plan and apply',
);

const ServiceAccount = described(
  text(
    'the address of a service account, like nereid@my-project.iam.gserviceaccount.com',
    /^[\w-]{1,100}@[a-z0-9.-]{1,150}\.gserviceaccount\.com$/,
  ),
  'the service account that the job impersonates',
  'an address (none)',
);

const Google = object({
  provider: described(
    text(
      'a provider, like projects/123/locations/global/workloadIdentityPools/nereid/providers/nereid',
      /^projects\/\d{1,20}\/locations\/global\/workloadIdentityPools\/[a-z0-9-]{4,32}\/providers\/[a-z0-9-]{4,32}$/,
    ),
    'the workload identity provider that exchanges the token, for roots on Google Cloud',
    '`projects/…/providers/…`',
  ),
  service_account: described(
    object({ plan: ServiceAccount.optional(), apply: ServiceAccount.optional() }).optional(),
    'whom the jobs impersonate',
  ),
});

export const IDENTITY = object({
  /** AWS takes the shortest ones. */
  audience: described(
    text('the audience that the cloud expects, at most 255 characters without a space', /^[!-~]{1,255}$/),
    'gives each job a [token](guides/identities.md) for this audience, which clouds exchange for credentials; not in a rule that matches names',
    'text',
  ),
  google: described(Google.optional(), 'how Google Cloud takes the token'),
});

export type WrittenEnvironment = z.infer<typeof ENVIRONMENT>;
export type WrittenEnvFrom = z.infer<typeof ENV_FROM>;
export type WrittenIdentity = z.infer<typeof IDENTITY>;
