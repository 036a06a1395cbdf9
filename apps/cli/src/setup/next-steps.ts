/** What is left to do, for people. Pure. */
import { join } from 'node:path';
import type { App } from './kept/app.ts';
import { installUrlOf } from './app/register-app.ts';
import type { Answers } from './kept/answers.ts';
import { operatorOf, SERVER_FILE } from './files/server-file.ts';
import { SECRETS_FILE, VALUES_FILE } from './files/kubernetes-files.ts';

export interface NextInput {
  readonly answers: Answers;
  readonly app: App;
  readonly folder: string;
  /** What a person has to do on the page of an App that was there before. */
  readonly toDo: readonly string[];
  /** A variable that docker compose needs, where it does not find the environment by itself. */
  readonly composeVariable: string | undefined;
  /** Whether the containers cannot read the files yet. */
  readonly isOfAnotherUser: boolean;
}

export function nextSteps(input: NextInput): readonly string[] {
  const { answers, app, folder, toDo } = input;
  const repositories = answers.repositories ?? `${app.owner}/*`;
  const steps = [
    ...toDo.map((each) => `On the page of the App, ${app.url}: ${each}.`),
    `Install the App on your repositories: ${installUrlOf(app)}`,
    ...auditSteps(input),
    ...(answers.target === 'compose' ? composeSteps(input) : kubernetesSteps(folder)),
    ...operatorSteps(input),
    `Terminate TLS in front of the gateway (${answers.gatewayUrl}, of which GitHub reaches /events) and the console (${answers.consoleUrl}).`,
    `Merge a pull request that changes a root of ${repositories}: a check run shows its plan, and Confirm applies it.`,
  ];
  return [
    'Next:',
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    '',
    `Keep ${folder} where nobody reads it, with a copy elsewhere: without its keys, nobody can open plans and links.`,
    `No process needs temporal-ca-key.pem, which can make more certificates: move it away.`,
    ...(app.clientId === undefined
      ? []
      : ['For nereid login, tick Enable Device Flow on the page of the App: no program can do that.']),
  ];
}

/** A volume has its trail in a file. */
function auditSteps(input: NextInput): readonly string[] {
  return input.answers.storage === undefined
    ? []
    : [`Name a topic of SNS as audit.to in ${fileOfServer(input)}, unless storage alone may keep the audit trail.`];
}

/** Of the console that runs; each process has a doctor of its own. */
function operatorSteps(input: NextInput): readonly string[] {
  const nobody = operatorOf(input.answers, input.app) === undefined && input.app.clientId !== undefined;
  return nobody
    ? [`Name yourself in ${fileOfServer(input)}, as console.operators, to see hosts and to use nereid doctor.`]
    : [];
}

/** The chart takes its copy. */
function fileOfServer({ answers, folder }: NextInput): string {
  return join(folder, answers.target === 'compose' ? SERVER_FILE : VALUES_FILE);
}

function composeSteps({ folder, composeVariable, isOfAnotherUser }: NextInput): readonly string[] {
  return [
    ...(isOfAnotherUser
      ? [
          `Let the containers, which run as the user 1000, read the secrets: sudo chown 1000 ${folder}/github-* ${folder}/*-key ${folder}/*.pem ${folder}/postgres-password`,
        ]
      : []),
    `In the clone of Nereid: ${composeVariable === undefined ? '' : `${composeVariable} `}docker compose up --detach --build`,
    `Check whether it can work: docker compose exec worker node apps/worker/src/doctor/main.ts`,
  ];
}

function kubernetesSteps(folder: string): readonly string[] {
  return [
    `Build and push the images, with the commit as their tag, and name their registry in ${folder}/${VALUES_FILE} (apps/docs/guides/kubernetes.md).`,
    `Start Temporal's server, with temporal.pem, temporal-key.pem and temporal-ca.pem of ${folder}, and name its address in ${folder}/${VALUES_FILE} as temporal.address, unless it is temporal-frontend.temporal.svc:7233 (apps/docs/guides/kubernetes.md).`,
    `Let the namespace have hosts, and give it the secrets: kubectl create namespace nereid && kubectl label namespace nereid pod-security.kubernetes.io/enforce=privileged && kubectl apply --namespace nereid --filename ${folder}/${SECRETS_FILE}`,
    `In the clone of Nereid: helm install nereid apps/chart --namespace nereid --values ${folder}/${VALUES_FILE} --set-string image.tag=$(git rev-parse --short HEAD)`,
    `Check whether it can work: kubectl exec --namespace nereid statefulset/nereid-control -- node apps/worker/src/doctor/main.ts`,
  ];
}
