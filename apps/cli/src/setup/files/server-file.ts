/** The server's file of a first installation: the least that it takes. Pure. */
import type { App } from '../kept/app.ts';
import type { Answers } from '../kept/answers.ts';

export const SERVER_FILE = 'nereid.server.yaml';

/** As in the sample beside docker-compose.yml. */
const TERRAFORM_VERSION = '1.11.4';

/** The volume of docker-compose.yml. */
const VOLUME = '/var/lib/nereid-storage';

/** Who owns the App, as far as the file says it. */
export type FileOwner = Pick<App, 'owner' | 'personId' | 'clientId'>;

/** Texts stand in quotes as JSON has them, which YAML reads alike. */
export function serverFile(answers: Answers, app: FileOwner): string {
  const { owner, clientId } = app;
  return [
    '# Made by nereid setup. apps/docs/reference/server-file.md says what else it may hold; nereid config check looks for mistakes.',
    'repositories:',
    '  # Nothing else is ever deployed.',
    `  - match: ${quoted(answers.repositories ?? `${owner}/*`)}`,
    '    plan_review: required',
    '',
    `terraform: { version: ${quoted(TERRAFORM_VERSION)}, downloads: true }`,
    '',
    ...(clientId === undefined
      ? []
      : [
          '# People log in to the console with their account on GitHub, through the App.',
          'console:',
          `  login: { github: { client_id: ${quoted(clientId)} } }`,
          ...operatorLines(operatorOf(answers, app)),
          '',
        ]),
    ...storageLines(answers.storage),
    '',
  ].join('\n');
}

/** Undefined where nobody is known. */
export function operatorOf({ operator }: Pick<Answers, 'operator'>, app: FileOwner): string | undefined {
  return operator ?? (app.personId === undefined ? undefined : `${app.owner}#${app.personId}`);
}

function operatorLines(operator: string | undefined): readonly string[] {
  return [
    '  # They may ask the doctor and drain hosts: login#id, like olga#1234567, because a login can become somebody else’s.',
    operator === undefined ? '  # operators: []' : `  operators: [${quoted(operator)}]`,
  ];
}

function storageLines(url: string | undefined): readonly string[] {
  const storage = (of: (kind: string) => string) => [
    'storage:',
    `  deployments: ${quoted(of('records'))}`,
    `  plans: ${quoted(of('plans'))}`,
    `  logs: ${quoted(of('logs'))}`,
  ];
  if (url !== undefined)
    return [
      ...storage((kind) => `${url}/${kind}`),
      '',
      '# Who confirmed and applied what is kept in storage alone. A topic of SNS keeps it from those who can write there:',
      '# audit: { to: "sns:arn:aws:sns:eu-central-1:123456789012:nereid", required: true }',
    ];
  return [
    '# A volume of docker-compose.yml. Several workers need storage that all of them reach.',
    ...storage(() => `file:${VOLUME}`),
    '',
    `audit: { to: ${quoted(`file:${VOLUME}/audit.jsonl`)}, required: true }`,
  ];
}

export function quoted(text: string): string {
  return JSON.stringify(text);
}
