/** The section `console` of the server's file, as it is written. */
import { TOKEN_SCOPES } from '@nereid/domain/actions';
import { LOGIN, OPERATOR } from '@nereid/domain/person';
import { z } from 'zod';
import { HTTP_URL } from '../../settings/settings-schema.ts';
import { advised, flag, list, mapping, object, oneOf, text } from '../../yaml/schema.ts';

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
    object({ local: object({ as: Person.optional() }) }),
    object({ github: object({ client_id: text('the client id of the GitHub App, like Iv23li…', /^[\w.]{8,64}$/) }) }),
    object({
      oidc: object({
        issuer: TRUSTED_URL,
        client_id: text('the client id that the provider gave'),
        claim: CLAIM.optional(),
        vouches_for_email: flag().optional(),
      }),
    }),
    object({
      proxy: object({
        header: text('the name of a header', /^[A-Za-z][A-Za-z0-9-]{0,99}$/),
        issuer: text('the issuer that stands in the assertion'),
        audience: text('the audience that stands in the assertion'),
        keys: TRUSTED_URL,
        claim: CLAIM.optional(),
        vouches_for_email: flag().optional(),
      }),
    }),
  ],
  'local, { local: { as } }, { github: { client_id } }, { oidc: { issuer, client_id } } or { proxy: { header, issuer, audience, keys } }',
);

/** An entry of `tokens`. */
export const Token = object({
  name: text('a name of letters, digits, ".", "_" and "-"', /^[A-Za-z0-9][\w.-]{0,99}$/),
  sha256: text('64 hex digits, as "nereid token" prints them', /^[0-9a-f]{64}$/),
  login: Person,
  scopes: list(oneOf(TOKEN_SCOPES), TOKEN_SCOPES.length).min(1, 'at least one scope'),
  repositories: list(
    text('a repository as "owner/name"; "*" stands for any part of either', /^[\w.*?{},[\]-]+\/[\w.*?{},[\]-]+$/),
    TOKEN_LIMIT,
  ).optional(),
  expires: text('a date like 2027-01-31', /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
});

export const Console = object({
  login: Login.optional(),
  people: mapping('what the provider calls a person', /^[^\s]{1,254}$/, Person).optional(),
  tokens: list(Token, TOKEN_LIMIT).optional(),
  operators: list(Operator, OPERATOR_LIMIT).optional(),
  log_links: oneOf(['key', 'login']).optional(),
  temporal_ui: object({ url: HTTP_URL, decodes: flag().optional() }).optional(),
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
