/** Verbs that ask no console: the package of the configuration does their work. */
import type { Option } from '../../arguments/verb-description.ts';
import type { Verb } from '../verb.ts';
import { wrongUsage, type ExitCode } from '../../exit-code.ts';

export const config: Verb = {
  name: 'config',
  group: 'Set up',
  summary: 'check a configuration file, explain the settings of a root, or print a schema for editors',
  details: [
    'check FILE prints every problem with its line. FILE is nereid.server.yaml (the default), nereid.yaml or atlantis.yaml, told apart by its name, or else by its keys. A repository’s file is checked without its server: which overrides it may use is not known here. Exit code 1: there are problems.',
    'explain OWNER/NAME/ROOT prints the settings that hold for a root, the file and line that each comes from, and everything else that matched. It reads the server’s file, and the repository in a check-out; it asks nobody. In a clone, the name of the root alone is enough. Of variables it prints the names alone.',
    'schema server and schema repository print a JSON Schema, for editors.',
  ],
  arguments: [
    { name: 'WHAT', values: ['check', 'explain', 'schema'] },
    { name: 'SUBJECT', isOptional: true },
  ],
  options: [
    { name: 'server', value: 'FILE', summary: 'explain: the server’s file (nereid.server.yaml)' },
    { name: 'checkout', value: 'FOLDER', summary: 'explain: where the files of the repository are (this folder)' },
    { name: 'json', summary: 'explain: print one line of JSON' },
  ],
  examples: [
    { command: 'nereid config check nereid.yaml', does: 'every problem with its line' },
    {
      command: 'nereid config explain acme/infra/network --server ~/nereid.server.yaml',
      does: 'in a check-out of infra',
    },
    { command: 'nereid config schema server > nereid.server.schema.json', does: 'for an editor' },
  ],
  async run(call) {
    const { given } = call;
    const what = given.argument('WHAT');
    if (what === 'explain') return (await import('./config-explain.ts')).explainConfig(call);
    const odd = ['server', 'checkout', 'json'].find((name) => given.has(name) || given.option(name) !== undefined);
    if (odd !== undefined) throw wrongUsage(`--${odd} is for config explain, found it with config ${what}`);
    return runOffline(['config', what, ...given.all('SUBJECT')]);
  },
};

export const keys: Verb = {
  name: 'keys',
  group: 'Set up',
  summary: 'make the keys of an installation, or of a pool of hosts',
  details: [
    'Without POOL, it makes the keys of an installation that do not exist in FOLDER yet. With POOL, it makes those of that pool, and prints its entry for the server’s file.',
  ],
  arguments: [{ name: 'FOLDER' }, { name: 'POOL', isOptional: true }],
  examples: [
    { command: 'nereid keys /etc/nereid', does: 'the keys that do not exist yet' },
    { command: 'nereid keys /etc/nereid prod', does: 'the keys of the pool prod' },
  ],
  run: ({ given }) => runOffline(['keys', given.argument('FOLDER'), ...given.all('POOL')]),
};

export const identity: Verb = {
  name: 'identity',
  group: 'Set up',
  summary: 'write the files by which clouds recognise the jobs of an installation, for a static site',
  details: [
    'URL is the address of the issuer. KEY_FILE is its public key; a key that it replaces may stand before it.',
  ],
  arguments: [{ name: 'URL' }, { name: 'KEY_FILE' }, { name: 'FOLDER' }],
  examples: [
    {
      command: 'nereid identity https://tokens.example.org identity-key.pub.pem site',
      does: 'the discovery document and the public keys, below site/.well-known',
    },
  ],
  run: ({ given }) => runOffline(['identity', ...['URL', 'KEY_FILE', 'FOLDER'].map((name) => given.argument(name))]),
};

const TOKEN_OPTIONS: readonly Option[] = [
  { name: 'login', value: 'LOGIN', summary: 'the GitHub login for which the script acts; required' },
  { name: 'scopes', value: 'SCOPES', summary: 'what it may do, like read,deploy (read)' },
  { name: 'repositories', value: 'GLOBS', summary: 'where it may do that, like acme/* (all)' },
  { name: 'expires', value: 'DATE', summary: 'its last day, like 2027-01-31 (in a year)' },
];

export const token: Verb = {
  name: 'token',
  group: 'Set up',
  summary: 'make a token for a script, and its entry for the server’s file',
  arguments: [{ name: 'NAME' }],
  options: TOKEN_OPTIONS,
  examples: [
    {
      command: 'nereid token ci --login octocat --scopes read,deploy',
      does: 'the first line is for the script, as NEREID_TOKEN; the file gets only its hash',
    },
  ],
  run({ given }) {
    const options = TOKEN_OPTIONS.flatMap(({ name }) => {
      const value = given.option(name);
      return value === undefined ? [] : [`--${name}=${value}`];
    });
    return runOffline(['token', given.argument('NAME'), ...options]);
  },
};

async function runOffline(args: readonly string[]): Promise<ExitCode> {
  // It reads YAML and makes certificates, which takes longer to load than the rest.
  const { runCli } = await import('@nereid/config/check');
  return runCli(args);
}
