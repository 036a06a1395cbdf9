/**
 * The whole environment of our git commands. It keeps git from prompting, from reading configuration that is not ours, and
 * from talking to anything but the one server.
 */
import { InvalidNameError } from '../errors.ts';

export type Environment = Readonly<Record<string, string>>;
export type GivenEnvironment = Readonly<Record<string, string | undefined>>;

/** The path of programs, and the settings of the network and its certificates. Git inherits nothing else. */
const PASSED_ON = [
  'PATH',
  'TMPDIR',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'https_proxy',
  'http_proxy',
  'no_proxy',
];

/** Settings in the order in which git reads them: the last of a name counts. */
export type Settings = readonly (readonly [name: string, value: string])[];

/**
 * Programs that git would run because a repository's own settings name them. Code that ran in a working tree can have put
 * another repository in its place. An empty helper forgets those before it.
 */
export const NO_PROGRAMS: Environment = {
  ...settingsEnvironment([
    ['core.fsmonitor', 'false'],
    ['core.hooksPath', '/dev/null'],
    ['credential.helper', ''],
  ]),
  GIT_ASKPASS: '',
};

export function gitEnvironment(given: GivenEnvironment, gitUrl: URL): Environment {
  return {
    ...passedOn(given),
    ...NO_PROGRAMS,
    // We parse messages, so they must not be translated.
    LC_ALL: 'C',
    // Without a home, curl finds no ~/.netrc.
    HOME: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: gitUrl.protocol.slice(0, -1),
  };
}

/** Overrides for local commands: a blobless mirror would ask its server for missing blobs, one by one, and without a token. */
export const OFFLINE: Environment = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' };

/**
 * Environment that lets one git command, or Terraform's own git, fetch from `gitUrl`: the header goes to that server
 * only, and is in no argument, URL or file. `authorization` is the header's value, for example `Basic …`.
 */
export function gitCredentialsEnvironment(gitUrl: string, authorization: string | undefined): Environment {
  if (authorization === undefined) return {};
  return settingsEnvironment([[`http.${serverUrl(gitUrl).href}.extraHeader`, `Authorization: ${authorization}`]]);
}

/** The environment with more settings, which come after those that it has. */
export function withSettings(environment: Environment, more: Settings): Environment {
  return { ...environment, ...settingsEnvironment([...settingsOf(environment), ...more]) };
}

/** The settings that an environment gives to git. */
export function settingsOf(environment: Environment): Settings {
  const count = Number(environment['GIT_CONFIG_COUNT'] ?? 0);
  return Array.from({ length: count }, (_, index) => [
    environment[`GIT_CONFIG_KEY_${index}`] ?? '',
    environment[`GIT_CONFIG_VALUE_${index}`] ?? '',
  ]);
}

/** The server's address, ending in a slash so that git matches the whole host and nothing that only begins like it. */
export function serverUrl(gitUrl: string): URL {
  const url = URL.parse(gitUrl.endsWith('/') ? gitUrl : `${gitUrl}/`);
  if (!url || !['http:', 'https:', 'file:'].includes(url.protocol) || url.username || url.password) {
    throw new InvalidNameError(
      'the address of a git server, http or https, without credentials',
      gitUrl.split('@').at(-1) ?? '',
    );
  }
  return url;
}

function settingsEnvironment(settings: Settings): Environment {
  return {
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, name],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

function passedOn(given: GivenEnvironment): Environment {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = given[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
