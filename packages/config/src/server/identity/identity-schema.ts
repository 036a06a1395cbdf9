/** The shape of what roots are to clouds: variables of their jobs, secrets, and tokens that clouds trade. */
import { z } from 'zod';
import { mapping, object, text } from '../../yaml/schema.ts';

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

const Variables = variables(text('a text (a number in quotes)', /^[^\0]*$/));

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
    object({ preview: SecretFiles.optional(), plan: SecretFiles.optional(), apply: SecretFiles.optional() }),
    SecretFiles,
  ],
  'variables, each with the name of a file, for applies only or below preview, plan and apply',
);

const ServiceAccount = text(
  'the address of a service account, like nereid@my-project.iam.gserviceaccount.com',
  /^[\w-]{1,100}@[a-z0-9.-]{1,150}\.gserviceaccount\.com$/,
);

const Google = object({
  provider: text(
    'a provider, like projects/123/locations/global/workloadIdentityPools/nereid/providers/nereid',
    /^projects\/\d{1,20}\/locations\/global\/workloadIdentityPools\/[a-z0-9-]{4,32}\/providers\/[a-z0-9-]{4,32}$/,
  ),
  service_account: object({ plan: ServiceAccount.optional(), apply: ServiceAccount.optional() }).optional(),
});

export const IDENTITY = object({
  /** AWS takes the shortest ones. */
  audience: text('the audience that the cloud expects, at most 255 characters without a space', /^[!-~]{1,255}$/),
  google: Google.optional(),
});

export type WrittenEnvironment = z.infer<typeof ENVIRONMENT>;
export type WrittenEnvFrom = z.infer<typeof ENV_FROM>;
export type WrittenIdentity = z.infer<typeof IDENTITY>;
