/** A host without the key of identities asks control, through a real Temporal. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ApplyJob } from '@nereid/domain/deployment';
import { CONTROL_QUEUE } from '@nereid/domain/temporal-names';
import type { IdentityTokenActivities, IdentityTokenRequest } from '@nereid/domain/tokens';
import { inParts } from '@nereid/domain/parts';
import { createOpener } from '@nereid/signature';
import { tradeToken } from '@nereid/test-kit';
import { createWorkflowEnvironment, type WorkflowEnvironment } from '@nereid/test-kit/workflow-environment';
import { Context } from '@temporalio/activity';
import {
  openedApply,
  openedBy,
  SEAL_VARIABLES,
  testSignatures,
  withGo,
  withOrder,
} from '../../../testing/test-signatures.ts';
import { aJob } from '../testing/a-job.ts';
import { identityTokensFromControl } from './identity-tokens.ts';
import { createIdentityTokenActivities } from './seal-identity-token.ts';
import { controlWith, serverWith, startTestIssuer, type TestIssuer } from './testing/test-issuer.ts';

let environment: WorkflowEnvironment;
let issuer: TestIssuer;
let control: IdentityTokenActivities;

beforeAll(async () => {
  environment = await createWorkflowEnvironment();
  issuer = await startTestIssuer();
  control = createIdentityTokenActivities({
    context: controlWith(serverWith('[{ match: acme/*, identity: { audience: nereid } }]'), issuer),
    sealKeyOf: () => createPublicKey(SEAL_VARIABLES.POOL_SEAL_PUBLIC_KEY),
  });
});

afterAll(async () => {
  await environment.close();
  await issuer.close();
});

test('a host gets the token of its job from control, and what goes through Temporal shows none', async () => {
  const job = await openedApply(await anApply());
  let workflowId = '';
  const sealIdentityToken: IdentityTokenActivities['sealIdentityToken'] = (request) => {
    workflowId = Context.current().info.workflowExecution?.workflowId ?? '';
    return control.sealIdentityToken(request);
  };

  const token = await whileControlRuns({ sealIdentityToken }, () => hostTokens().tokenFor(job));

  const trust = { issuer: issuer.url, audience: 'nereid', subject: 'repository:acme/infra:root:network:phase:apply' };
  expect(await tradeToken('azure', trust, token)).toMatchObject({ kind: 'traded' });
  const { events } = await environment.client.workflow.getHandle(workflowId).fetchHistory();
  const texts = Array.from(JSON.stringify(events).matchAll(/"data":"([^"]+)"/g), ([, data = '']) =>
    Buffer.from(data, 'base64').toString(),
  );
  expect(texts.join('\n')).toContain('"sealed":');
  expect(texts.join('\n')).not.toContain(token.split('.')[2]);
});

test.each<[string, (asked: IdentityTokenRequest, apply: ApplyJob) => IdentityTokenRequest]>([
  ['an apply no token of its plan', ({ apply: _none, ...asked }) => asked],
  [
    'an apply no token of an earlier permission',
    (asked, { go }) => ({ ...asked, ...(asked.apply && { apply: { ...asked.apply, go } }) }),
  ],
])('whoever poses as control gives %s', async (_what, change) => {
  const applying = await toApply();
  const job = await openedApply(await withGo(applying));
  const earlier = await withGo(applying, new Date(Date.now() + 30_000).toISOString());
  const sealIdentityToken: IdentityTokenActivities['sealIdentityToken'] = (request) =>
    control.sealIdentityToken(change(request, earlier));

  await whileControlRuns({ sealIdentityToken }, () =>
    expect(hostTokens().tokenFor(job)).rejects.toMatchObject({ code: 'FORGED' }),
  );
});

test('whoever poses as control gives a plan no token of its apply', async () => {
  const apply = await anApply();
  const plan = await openedBy(apply);
  const { go } = apply;
  const sealIdentityToken: IdentityTokenActivities['sealIdentityToken'] = (request) =>
    control.sealIdentityToken({ ...request, apply: { go } });

  await whileControlRuns({ sealIdentityToken }, () =>
    expect(hostTokens().tokenFor(plan)).rejects.toMatchObject({ code: 'FORGED' }),
  );
});

test('while no control worker answers, the host gives up within its patience, and says what to look at', async () => {
  const asking = hostTokens(500).tokenFor(await openedApply(await anApply()));

  await expect(asking).rejects.toMatchObject({
    code: 'NO_IDENTITY_TOKEN',
    message: expect.stringMatching(/expected a token of the identity of network from the control workers, found: no/),
  });
});

async function toApply() {
  return { ...(await withOrder(aJob())), digest: 'd'.repeat(64), hostId: 'h1' };
}

async function anApply(): Promise<ApplyJob> {
  return withGo(await toApply());
}

function hostTokens(patienceMs?: number) {
  return identityTokensFromControl({
    temporal: environment.client,
    signatures: testSignatures,
    opener: createOpener([createPrivateKey(SEAL_VARIABLES.POOL_SEAL_KEY)]),
    ...(patienceMs !== undefined && { patienceMs }),
  });
}

async function whileControlRuns<T>(activities: IdentityTokenActivities, does: () => Promise<T>): Promise<T> {
  const worker = await environment.createWorker({
    taskQueue: CONTROL_QUEUE,
    activities: { answer: inParts(activities) },
  });
  return worker.runUntil(does);
}
