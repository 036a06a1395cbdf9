/** The pages and the API of merges with all their roots, each person's own: what they may not see is not there. */
import type { RolloutDetail, RolloutList } from '@nereid/api';
import { shortSha } from '@nereid/domain/deployment';
import { Router } from 'express';
import { createServeReaders, type Find, type ReaderSources } from '../access/serve-readers.ts';
import type { Sight } from '../access/sight.ts';
import type { DeploymentSources } from '../deployments/find/find-deployment.ts';
import { lanesPath, rolloutPath } from '../platform/html/paths.ts';
import { sitePage, type PlacePart } from '../platform/html/site.ts';
import { AWAY } from '../platform/http/lists.ts';
import type { Message } from '../platform/http/send-message.ts';
import { IN_LISTS_MS } from '../trail/day-cache.ts';
import { findPlans, type PlanSources, type WaitingPlans } from './find-plans.ts';
import { findRollout, listRollouts, type OneRolloutSources } from './find-rollouts.ts';
import { ROLLOUT_TO_TOP, rolloutsState, rolloutState } from './page.ts';
import { PLANS_TO_TOP, plansBody } from './plans-page.ts';

export interface RolloutRouteSources extends ReaderSources, PlanSources {
  readonly logger: DeploymentSources['logger'];
  readonly trail: ReaderSources['trail'];
  readonly rolloutRecords: OneRolloutSources['rolloutRecords'];
  readonly readChecked: OneRolloutSources['readChecked'];
}

export function rolloutRoutes(sources: RolloutRouteSources): Router {
  const router = Router({ strict: true });
  const serve = createServeReaders(sources, router);
  const { forgePages } = sources.links;
  const sourcesOf = (sight: Sight) => ({ ...sources, ...sight, forgePages, nowMs: Date.now() });

  const rollouts: Find<RolloutList> = async ({ sight }) => {
    return { kind: 'found', value: await listRollouts(sourcesOf(sight)) };
  };

  const rollout: Find<RolloutDetail> = async ({ request, sight }) => {
    const { owner, name, sha } = request.params;
    const found = await findRollout(sourcesOf(sight), `${String(owner)}/${String(name)}`, String(sha));
    if (typeof found === 'string') return { kind: 'message', message: found === 'unavailable' ? AWAY : NO_ROLLOUT };
    return { kind: 'found', value: found };
  };

  const plans: Find<WaitingPlans> = async (asked) => {
    const found = await rollout(asked);
    return found.kind === 'found' ? { kind: 'found', value: await findPlans(sources, found.value) } : found;
  };

  serve.api('/rollouts', rollouts, (found) => found);
  serve.pages('/rollouts', rollouts, {
    page: (found, { who, stops }) => {
      const live = { fragment: 'rollouts/fragment', events: { kinds: OF_DEPLOYMENTS }, settledMs: IN_LISTS_MS };
      return sitePage('rollouts', rolloutsState(found, stops), { live, who });
    },
    state: (found, { stops }) => rolloutsState(found, stops),
  });
  serve.api(ROLLOUT, rollout, (found) => found);
  serve.pages(ROLLOUT, rollout, {
    page: (found, { actor, who, stops }) => {
      const { title, sha, repository } = found;
      const events = { repository, kinds: OF_DEPLOYMENTS };
      const live = { fragment: `${sha}/fragment`, events, settledMs: IN_LISTS_MS };
      const place = placeOf(found);
      return sitePage('rollouts', rolloutState(found, stops, actor), {
        title,
        toTop: ROLLOUT_TO_TOP,
        live,
        who,
        place,
      });
    },
    state: (found, { actor, stops }) => rolloutState(found, stops, actor),
  });
  serve.page(`${ROLLOUT}/plans`, plans, (found, { actor, who }) => {
    const { title, sha } = found.rollout;
    const place = placeOf(found.rollout, 'Plans');
    const options = { title: `Plans of ${title === '' ? shortSha(sha) : title}`, toTop: PLANS_TO_TOP, who, place };
    return sitePage('rollouts', plansBody(found, actor), options);
  });
  return router;
}

function placeOf({ repository, sha }: RolloutDetail, last?: string): readonly PlacePart[] {
  const lead = last === undefined ? {} : { path: rolloutPath(repository, sha) };
  return [
    { text: repository, path: lanesPath(repository) },
    { text: shortSha(sha), ...lead },
    ...(last === undefined ? [] : [{ text: last }]),
  ];
}

const ROLLOUT = '/rollouts/:owner/:name/:sha';

/** Events that tell how deployments go and end. */
const OF_DEPLOYMENTS = 'lane,deployment,unavailable';

const NO_ROLLOUT: Message = {
  status: 404,
  title: 'Not found',
  sentence: 'This revision was not deployed in the last two weeks.',
};
