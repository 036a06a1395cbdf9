/** The section `console` of the server's file, as it is written. */
import { TOKEN_SCOPES } from '@nereid/domain/actions';
import { LOGIN, OPERATOR } from '@nereid/domain/person';
import { z } from 'zod';
import { HTTP_URL } from '../../settings/settings-schema.ts';
import { advised, described, flag, list, mapping, object, oneOf, text } from '../../yaml/schema.ts';

/** One for each script of a company. */
const TOKEN_LIMIT = 200;

/** A team that looks after hosts. */
const OPERATOR_LIMIT = 100;

/** Providers that know people by addresses only have one entry for each. */
const Person = text('a GitHub login', LOGIN);

const Operator = text('a GitHub login, with the id of its account like olga#1234567 or without', OPERATOR);

/** What is read from there decides who somebody is. */
const TRUSTED_URL = text(
  'an https URL, or an http URL of this machine',
  /^(https:\/\/[^\s/?#@]+|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?)(\/[^\s?#]*)?$/,
);

const CLAIM = text('the name of a claim', /^[\w:./-]{1,200}$/);

const Login = z.union(
  [
    z.enum(['local']),
    object({
      local: described(
        object({
          as: described(
            Person.optional(),
            "the login for which people on the console's own machine act",
            'GitHub login (nobody: people only read)',
          ),
        }),
        'without a login, on a machine of its own',
      ),
    }),
    object({
      github: described(
        object({
          client_id: described(
            text('the client id of the GitHub App, like Iv23li…', /^[\w.]{8,64}$/),
            'the client id of the GitHub App',
            'text',
          ),
        }),
        'with GitHub, through the App',
      ),
    }),
    object({
      oidc: described(
        object({
          issuer: described(TRUSTED_URL, "the provider's own address, exactly as in its tokens", 'URL'),
          client_id: described(
            text('the client id that the provider gave'),
            'the client id that the provider gave',
            'text',
          ),
          claim: described(CLAIM.optional(), 'the claim that names the person', 'text (`preferred_username`)'),
          vouches_for_email: described(
            flag().optional(),
            'whether an `email` without `email_verified` counts: only where the provider verifies every address',
            '`true`, `false` (`false`)',
          ),
        }),
        'with OpenID Connect',
      ),
    }),
    object({
      proxy: described(
        object({
          header: described(
            text('the name of a header', /^[A-Za-z][A-Za-z0-9-]{0,99}$/),
            "the header in which the proxy asserts a person's identity",
            'text',
          ),
          issuer: described(
            text('the issuer that stands in the assertion'),
            'the required issuer of the assertion',
            'text',
          ),
          audience: described(
            text('the audience that stands in the assertion'),
            'the required audience of the assertion',
            'text',
          ),
          keys: described(TRUSTED_URL, 'where the proxy publishes its keys (JWKS)', 'URL'),
          claim: described(CLAIM.optional(), 'the claim that names the person', 'text (`email`)'),
          vouches_for_email: described(flag().optional(), 'the same for the proxy', '`true`, `false` (`false`)'),
        }),
        'by a login proxy that signs identities',
      ),
    }),
  ],
  'local, { local: { as } }, { github: { client_id } }, { oidc: { issuer, client_id } } or { proxy: { header, issuer, audience, keys } }',
);

/** An entry of `tokens`. */
export const Token = object({
  name: described(
    text('a name of letters, digits, ".", "_" and "-"', /^[A-Za-z0-9][\w.-]{0,99}$/),
    "the name of a script's token, shown where it acts",
    'text',
  ),
  sha256: described(
    text('64 hex digits, as "nereid token" prints them', /^[0-9a-f]{64}$/),
    'the hash that `nereid token` prints',
    '64 hex digits',
  ),
  login: described(Person, 'whose permissions the token has', 'GitHub login'),
  scopes: described(
    list(oneOf(TOKEN_SCOPES), TOKEN_SCOPES.length).min(1, 'at least one scope'),
    'the requests that the script may make; `hosts` and `notifications` require a token for all repositories',
    'list of `read`, `review`, `deploy`, `unlock`, `cancel`, `plan`, `override`, `stop`, `hosts`, `notifications`',
  ),
  repositories: described(
    list(
      text('a repository as "owner/name"; "*" stands for any part of either', /^[\w.*?{},[\]-]+\/[\w.*?{},[\]-]+$/),
      TOKEN_LIMIT,
    ).optional(),
    'the repositories in which it may make them',
    "list of `owner/name`, globs (`['*/*']`)",
  ),
  expires: described(
    text('a date like 2027-01-31', /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
    'its last day, in UTC',
    'date like `2027-01-31`',
  ),
});

export const Console = object({
  login: described(Login.optional(), 'how people log in', '`local`, or one of the next four (nobody logs in)'),
  people: described(
    mapping('what the provider calls a person', /^[^\s]{1,254}$/, Person).optional(),
    'maps names of the provider or the proxy to GitHub logins; other names are GitHub logins themselves',
    'GitHub logins by name (none)',
  ),
  tokens: described(list(Token, TOKEN_LIMIT).optional(), 'tokens of scripts'),
  operators: described(
    list(Operator, OPERATOR_LIMIT).optional(),
    'the people who may [drain](operate/slots.md) any host, [stop](guides/windows.md#all-repositories-or-a-pool) all repositories or a pool, and read [sealed messages](guides/temporal.md#codec) that name no repository: [operators](reference/console.md#operators)',
    'list of GitHub logins (nobody)',
  ),
  log_links: described(
    oneOf(['key', 'login']).optional(),
    '`key`: links in check runs and comments open the page and its logs for 90 days; `login`: these links hold no key, which requires `console.login`; read at the start',
    '`key`, `login` (a key for private repositories only)',
  ),
  temporal_ui: described(
    object({
      url: described(HTTP_URL, "where people open Temporal's UI, for links; read at the start", 'URL (no links)'),
      decodes: described(
        flag().optional(),
        'whether its pages may [ask the console](guides/temporal.md#codec) to decode sealed or compressed content, which requires `console.login`',
        'flag (`false`)',
      ),
    }).optional(),
    'where the Temporal UI is',
  ),
})
  .refine(({ log_links: links, login }) => links !== 'login' || login !== undefined, {
    path: ['log_links'],
    error: advised('"key" or nothing, while nobody logs in who could read', 'set console.login, or leave it out'),
  })
  .refine(({ temporal_ui: ui, login }) => !ui?.decodes || login !== undefined, {
    path: ['temporal_ui', 'decodes'],
    error: advised('a login that says who may read what', 'set console.login, or leave it out'),
  });
export type Console = z.infer<typeof Console>;
