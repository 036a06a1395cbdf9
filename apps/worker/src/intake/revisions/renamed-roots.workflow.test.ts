import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aLock } from '@nereid/github/testing';
import { openIntakeStage, type IntakeStage } from '../testing/intake-stage.ts';
import { BACKEND, type StagedRepository } from '../testing/staged-repository.ts';

const AS_LOOSE = 'version: 1\nroots: [{ dir: loose }]\n';
const RENAMED = 'version: 1\nroots: [{ dir: loose, name: harmless }]\n';

let stage: IntakeStage;

beforeAll(async () => {
  stage = await openIntakeStage();
});

afterAll(() => stage.close());

/** A root whose plans nobody has to review, deployed as `loose`; then its repository gives it another name. */
async function aRenamedRoot(yaml = RENAMED) {
  const infra = await stage.repository({ 'loose/main.tf': BACKEND, 'nereid.yaml': AS_LOOSE });
  const { repository } = infra;
  await stage.context.rootPlaces.add({ repository, dir: 'loose', workspace: 'default' }, 'loose');
  const before = await infra.head();
  const after = await infra.commit({ 'nereid.yaml': yaml, 'loose/main.tf': `${BACKEND}# wider` });
  return { infra, push: infra.pushes(before, after) };
}

async function deploymentOf(infra: StagedRepository, rootName: string) {
  const [deployment] = await infra.lane(rootName).holds(1);
  return deployment;
}

describe('a new name for a directory and workspace that were deployed under another', () => {
  test('takes a review, whatever its settings say', async () => {
    const { infra, push } = await aRenamedRoot();

    await stage.take(push);

    expect(await deploymentOf(infra, 'harmless')).toMatchObject({
      root: { name: 'harmless', planReview: 'required' },
      formerly: { rootName: 'loose' },
    });
  });

  test('is as new again when another name was deployed since', async () => {
    const { infra, push } = await aRenamedRoot(AS_LOOSE);
    await stage.context.rootPlaces.add({ repository: infra.repository, dir: 'loose', workspace: 'default' }, 'since');

    await stage.take(push);

    expect(await deploymentOf(infra, 'loose')).toMatchObject({
      root: { planReview: 'required' },
      formerly: { rootName: 'since' },
    });
  });

  test('starts with the lock of the name before', async () => {
    const { infra, push } = await aRenamedRoot();
    const lock = aLock();
    await infra.lane('loose').record({ lock });

    await stage.take(push);

    const view = await infra.lane('harmless').waitsFor('lock');
    expect(view).toMatchObject({ lock, waiting: [{ formerly: { rootName: 'loose', lock } }] });
  });
});

test.each([
  ['the name that it always had', 'loose', AS_LOOSE],
  [
    'a name of its own in another workspace',
    'other',
    'version: 1\nroots: [{ dir: loose, name: other, workspace: b }]\n',
  ],
])('%s takes no more than its settings say', async (_what, rootName, yaml) => {
  const { infra, push } = await aRenamedRoot(yaml);

  await stage.take(push);

  const deployment = await deploymentOf(infra, rootName);
  expect(deployment).toMatchObject({ root: { planReview: 'auto' } });
  expect(deployment).not.toHaveProperty('formerly');
});
