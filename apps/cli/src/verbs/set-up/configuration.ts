/** Verbs that ask no console. They are told by the package of the configuration, which reads their arguments. */
import type { Verb } from '../verb.ts';
import type { ExitCode } from '../../exit-code.ts';

export const config: Verb = {
  name: 'config',
  group: 'Set up',
  summary: 'check a configuration file, or print its schema for editors',
  isVerbatim: true,
  arguments: [{ name: 'WHAT', values: ['check', 'schema'] }],
  examples: [{ command: 'nereid config check nereid.yaml', does: 'every problem with its line' }],
  run: ({ rest }) => runOffline(['config', ...rest]),
};

export const keys: Verb = {
  name: 'keys',
  group: 'Set up',
  summary: 'make the keys of an installation, or of a pool of hosts',
  isVerbatim: true,
  examples: [{ command: 'nereid keys /etc/nereid', does: 'the keys that do not exist yet' }],
  run: ({ rest }) => runOffline(['keys', ...rest]),
};

export const windows: Verb = {
  name: 'windows',
  group: 'Set up',
  summary: 'list the next openings and closings of a root, by the windows of the server’s file',
  isVerbatim: true,
  examples: [
    {
      command: 'nereid windows acme/infra prod/network nereid.server.yaml',
      does: 'when its plans and applies go on, and which windows say so',
    },
  ],
  run: ({ rest }) => runOffline(['windows', ...rest]),
};

export const identity: Verb = {
  name: 'identity',
  group: 'Set up',
  summary: 'write the files by which clouds recognise the jobs of an installation, for a static site',
  isVerbatim: true,
  examples: [
    {
      command: 'nereid identity https://tokens.example.org identity-key.pub.pem site',
      does: 'the discovery document and the public keys, below site/.well-known',
    },
  ],
  run: ({ rest }) => runOffline(['identity', ...rest]),
};

export const token: Verb = {
  name: 'token',
  group: 'Set up',
  summary: 'make a token for a script, and its entry for the server’s file',
  isVerbatim: true,
  examples: [
    {
      command: 'nereid token ci --login octocat --scopes read,deploy',
      does: 'the first line is for the script, as NEREID_TOKEN; the file gets only its hash',
    },
  ],
  run: ({ rest }) => runOffline(['token', ...rest]),
};

async function runOffline(args: readonly string[]): Promise<ExitCode> {
  // It reads YAML and makes certificates, which takes longer to load than the rest.
  const { runCli } = await import('@nereid/config/check');
  return runCli(args);
}
