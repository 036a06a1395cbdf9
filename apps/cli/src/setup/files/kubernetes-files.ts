/** What the chart takes: a Secret for each process, and its values. Pure. */
import { githubApiUrlOf } from '@nereid/config';
import { CLIENT_SECRET_FILE, type App } from '../kept/app.ts';
import type { Answers } from '../kept/answers.ts';
import { quoted } from './server-file.ts';

export const SECRETS_FILE = 'secrets.yaml';
export const VALUES_FILE = 'values.yaml';

/** The files of each Secret, by the names that the chart gives to a release called nereid. It mounts `identity-key` only for `identities.issuer`. */
export const SECRETS: Readonly<Record<string, readonly string[]>> = {
  'nereid-gateway': ['github-webhook-secret', 'gateway-key.pem', 'identity-key.pub.pem', ...temporalOf('gateway')],
  'nereid-console': [
    ...['link-key', 'session-key', 'orders-key.pub.pem', 'console-key.pem', 'control-seal-key.pub.pem'],
    ...temporalOf('console'),
  ],
  'nereid-control': [
    ...['github-app-private-key', 'gateway-key.pub.pem', 'console-key.pub.pem', 'control-seal-key.pem'],
    ...['orders-key.pem', 'pool-key.pub.pem', 'pool-seal-key.pub.pem', 'link-key', 'identity-key.pem'],
    ...temporalOf('worker'),
  ],
  'nereid-host-default': [
    ...['orders-key.pub.pem', 'pool-key.pem', 'pool-seal-key.pem', 'plan-key'],
    ...temporalOf('worker'),
  ],
};

function temporalOf(process: string): readonly string[] {
  return ['temporal-ca.pem', `temporal-client-${process}.pem`, `temporal-client-${process}-key.pem`];
}

/** `read` returns a file of the folder. */
export function kubernetesSecrets({ clientId }: App, read: (name: string) => string): string {
  const documents = Object.entries(SECRETS).map(([name, files]) => {
    const all = name === 'nereid-console' && clientId !== undefined ? [...files, CLIENT_SECRET_FILE] : files;
    return [
      '---',
      'apiVersion: v1',
      'kind: Secret',
      'type: Opaque',
      `metadata: { name: ${name}, labels: { app.kubernetes.io/name: nereid } }`,
      'stringData:',
      ...all.map((file) => `  ${file}: ${quoted(read(file))}`),
    ].join('\n');
  });
  return `# Made by nereid setup: kubectl apply --filename ${SECRETS_FILE}. Keep it where nobody reads it.\n${documents.join('\n')}\n`;
}

/** `serverFile` is the text of the server's file. */
export function kubernetesValues(answers: Answers, { id, clientId }: App, serverFile: string): string {
  return [
    '# Made by nereid setup, for the chart. apps/docs/guides/kubernetes.md says what else an installation needs.',
    '# Where you pushed the images, like registry.example.org/acme.',
    'image: { registry: "" }',
    `github: { appId: ${id}, apiUrl: ${quoted(githubApiUrlOf(answers.githubUrl))} }`,
    'console:',
    `  url: ${quoted(answers.consoleUrl)}`,
    ...(clientId === undefined ? [] : [`  secretFiles: { GITHUB_CLIENT_SECRET: ${CLIENT_SECRET_FILE} }`]),
    'temporal: { tls: { serverName: temporal-frontend } }',
    '# Hosts do not start on nodes without the profile of their sandboxes, which this puts there.',
    'hosts: { installSeccompProfile: true }',
    'serverFile:',
    '  content:',
    ...serverFile
      .trimEnd()
      .split('\n')
      .map((line) => (line === '' ? '' : `    ${line}`)),
    '',
  ].join('\n');
}
