import { TIMEOUT } from '../../arguments/verb-description.ts';
import type { Verb } from '../verb.ts';

export const setup: Verb = {
  name: 'setup',
  group: 'Set up',
  summary: 'make the GitHub App, all keys and the environment of an installation',
  details: [
    'It makes all keys, and opens a page on this machine from which GitHub makes the App, with exactly the permissions and events that Nereid needs. Then it writes the environment of docker compose, or the Secrets and the values of the chart, and a server’s file, and lists the remaining steps.',
    'FOLDER holds all of that: /etc/nereid for root, otherwise nereid/production below XDG_CONFIG_HOME or ~/.config. Existing files are never changed, so an interrupted set-up continues where it stopped. On a terminal, it asks for missing answers.',
  ],
  arguments: [{ name: 'FOLDER', isOptional: true }],
  options: [
    { name: 'gateway-url', value: 'URL', summary: 'where GitHub reaches the gateway; webhooks go to URL/events' },
    { name: 'console-url', value: 'URL', summary: 'where people reach the console' },
    { name: 'organization', value: 'NAME', summary: 'the organisation that owns the App (you own it)' },
    {
      name: 'operator',
      value: 'LOGIN',
      summary: 'who may use nereid doctor, like olga; GitHub adds the id (the owner of the App, if that is a person)',
    },
    {
      name: 'repositories',
      value: 'GLOB',
      summary: 'what may be deployed (all repositories of the owner of the App, like acme/*)',
    },
    {
      name: 'for',
      value: 'WHAT',
      values: ['compose', 'kubernetes'],
      summary: 'what starts the processes (compose)',
    },
    {
      name: 'storage',
      value: 'URL',
      summary:
        'where records, plans and logs are kept, like s3://bucket/prefix, gs:// or az:// (with compose, a volume)',
    },
    { name: 'github-url', value: 'URL', summary: 'a GitHub Enterprise Server, or a ghe.com (https://github.com)' },
    { name: 'name', value: 'NAME', summary: 'what GitHub proposes to call the App (Nereid and the organisation)' },
    { name: 'teams', summary: 'let the App read the members of teams, which rules may name' },
    { name: 'merge-queues', summary: 'let the App read merge queues, to plan their merges' },
    { name: 'app-id', value: 'ID', summary: 'an existing App; with --private-key-file' },
    { name: 'private-key-file', value: 'FILE', summary: 'its private key' },
    { name: 'webhook-secret-file', value: 'FILE', summary: 'its webhook secret (a new one, to be given to it)' },
    { name: 'client-secret-file', value: 'FILE', summary: 'its client secret (people do not log in to the console)' },
    { name: 'port', value: 'PORT', summary: 'the port of the page on this machine (any free one)' },
    { name: 'dry-run', summary: 'only say what would be made' },
    TIMEOUT,
  ],
  examples: [
    { command: 'nereid setup', does: 'asks a few questions' },
    { command: 'nereid setup --organization acme --merge-queues', does: 'an App of acme, which may read merge queues' },
    { command: 'nereid setup --for kubernetes ~/nereid', does: 'writes ~/nereid/secrets.yaml and values.yaml' },
    { command: 'nereid setup --app-id 123456 --private-key-file app.pem', does: 'with an existing App' },
  ],
  async run(call) {
    // It reads YAML and makes certificates, which takes longer to load than the rest.
    const { setUp } = await import('../../setup/set-up.ts');
    return setUp(call);
  },
};
