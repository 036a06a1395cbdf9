/** How a check run says who has confirmed a plan, where that is not one person. */
import { describe, expect, test } from '@jest/globals';
import type { Deployment, DeploymentStatus, Progress } from '@nereid/domain/deployment';
import type { Root } from '@nereid/domain/root';
import { aBreakGlass, aDeployment, aPlan, aPress } from '@nereid/domain/testing';
import { renderCheckRun } from './render-check-run.ts';

const LINKS = { deploymentUrl: 'https://console.example/deployments/3f2a?key=k' };
const EACH = { count: 2, eachOf: ['acme/sre', 'acme/dba'] };
const BOB = { ...aPress({ requestId: 'r1', by: 'bob', byId: 7, teams: ['acme/sre'] }), signature: 'of bob' };
const CAROL = { ...aPress({ requestId: 'r2', by: 'carol', byId: 8, teams: ['acme/dba'] }), signature: 'of carol' };
const CONFIRMED = { answer: 'approved', by: 'carol', at: CAROL.body.at, press: CAROL } as const;

function shown(status: DeploymentStatus, progress: Partial<Progress>, root: Partial<Root> = { review: EACH }) {
  const deployment: Deployment = aDeployment({ status, plan: aPlan(), ...progress });
  const { title, summary } = renderCheckRun(
    { deployment: { ...deployment, root: { ...deployment.root, ...root } } },
    LINKS,
  );
  return { title, summary };
}

describe('a plan that several people have to confirm', () => {
  test('says whom it takes before anybody has', () => {
    expect(shown('awaiting-review', {})).toEqual({
      title: expect.stringMatching(/^Plan: /),
      summary: expect.stringContaining(
        'Needs 2 people, among them a member of acme/sre and a member of acme/dba: 0 of 2 confirmed; waits for somebody of acme/sre and somebody of acme/dba.',
      ),
    });
  });

  test('says who has confirmed it, and whom it waits for', () => {
    const { title, summary } = shown('awaiting-review', { approvals: [BOB] });

    expect(title).toMatch(/^1 of 2 confirmed: 2 to add/);
    expect(summary).toContain('1 of 2 confirmed (@bob); waits for somebody of acme/dba.');
    expect(summary).toContain('- Confirmed by @bob, ');
  });

  test('counts nobody who is in none of the teams, but names them', () => {
    const eve = { ...aPress({ requestId: 'r0', by: 'eve', byId: 6, teams: [] }), signature: 'of eve' };
    const { title, summary } = shown('awaiting-review', { approvals: [eve, BOB] });

    expect(title).toMatch(/^1 of 2 confirmed: /);
    expect(summary).toContain('1 of 2 confirmed (@bob; not counted: @eve); waits for somebody of acme/dba.');
  });

  test('names all of them once it is applied, each once', () => {
    const { summary } = shown('applying', { approvals: [BOB, CAROL], review: CONFIRMED });

    expect(summary.match(/- Confirmed by @\w+/g)).toEqual(['- Confirmed by @bob', '- Confirmed by @carol']);
  });

  test('shows an odd name of a team as it is', () => {
    const { summary } = shown('awaiting-review', {}, { review: { count: 1, eachOf: ['acme/_sre_'] } });

    expect(summary).toContain(String.raw`Needs a member of acme/\_sre\_: `);
  });
});

describe('a plan that is equal to the one that somebody confirmed', () => {
  const press = aPress({ by: 'carol', carriedFrom: 'a1'.repeat(32) });
  const { title, summary } = shown('applying', { review: { ...CONFIRMED, press } }, {});

  test('is not said to be the one that the person saw', () => {
    expect(title).toBe('Applying (confirmed by @carol on an equal plan)');
    expect(summary).not.toContain('exactly the plan that');
  });

  test('says what was compared', () => {
    expect(summary).toContain(
      'a plan that is equal to the one that @carol confirmed, by all addresses, actions and values before and after',
    );
  });
});

describe('a plan that a rule confirms', () => {
  const rule = { of: 'dns/**', no: ['replace'], onlyTypes: ['aws_route53_*'], digest: 'a1' } as const;
  const summary = { ...aPlan().made.body.summary, replace: 0, delete: 1 };
  const plan = aPlan({ summary, types: ['aws_route53_record'], reviewRequired: false });
  const root = { autoWhen: [rule] };

  test('is said to be, in place of a person', () => {
    const applying = shown('applying', { plan }, root);

    expect(applying.title).toBe('Applying (confirmed by a rule)');
    expect(applying.summary).toContain(
      String.raw`the plan of exactly this revision, confirmed by the rule of dns/\*\*: no replace, only aws\_route53\_\*`,
    );
    expect(applying.summary).toContain(
      String.raw`- Confirmed by the rule of dns/\*\*: no replace, only aws\_route53\_\*`,
    );
  });

  test('names no rule where a person confirmed it, or nobody had to', () => {
    const byPerson = shown('applying', { plan, review: CONFIRMED }, root);
    const byNobody = shown('applying', { plan }, { ...root, planReview: 'auto' });

    expect(byPerson.summary).not.toContain('the rule of');
    expect(byNobody.summary).toContain('its root requires no review of such a plan');
  });
});

test('an apply that a person let pass stops and windows names them, and gives their reason as text', () => {
  const glass = aBreakGlass({ by: 'ada', reason: 'the site is down, see [this](https://evil.example) @all' });

  const { summary } = shown('applying', { glass }, {});

  expect(summary).toMatch(/^- Let pass stops and windows by @ada, .*: the site is down, see .*evil.example/m);
  expect(summary).not.toContain('](https://evil.example)');
  expect(summary).not.toContain('@all');
});
