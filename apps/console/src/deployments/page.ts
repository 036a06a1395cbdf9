/** A deployment's page: its state, then its logs. A pure function of the view. */
import { fullName } from '@nereid/domain/root';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';
import { lanePath, lanesPath, pullPath } from '../platform/html/paths.ts';
import { sitePage } from '../platform/html/site.ts';
import { isKnown, type Who } from '../platform/html/who.ts';
import type { DeploymentView } from './deployment-view.ts';
import { JOB_NAMES, type JobName } from './logs/job-name.ts';
import { stateFragment, TO_TOP } from './state-fragment.ts';

export function deploymentPage(view: DeploymentView, query: string, actor?: Actor, who?: Who): Html {
  const { id, lane, deployment } = view;
  const repository = fullName(lane);
  const number = deployment.trigger === 'preview' ? deployment.pullRequest : undefined;
  // A person who came by a link may see no lane.
  const lead = (path: string) => (isKnown(who) ? { path } : {});
  return sitePage('lanes', pageFragment(view, query, actor), {
    title: `${lane.rootName} · ${repository}`,
    heading: html`${lane.rootName}`,
    place: [
      { text: repository, ...lead(lanesPath(repository)) },
      ...(number === undefined
        ? [{ text: lane.rootName, ...lead(lanePath(lane)) }]
        : [{ text: `#${number}`, ...lead(pullPath(repository, number)) }, { text: lane.rootName }]),
      { text: id.slice(0, ID_SHOWN) },
    ],
    ...{ toTop: TO_TOP, who },
    live: { fragment: `${id}/fragment`, events: { deployment: id } },
  });
}

/** As much of an id as people read. */
const ID_SHOWN = 8;

/** The part of the page that its script asks for when something has changed: state and logs, without the frame. */
export function pageFragment(view: DeploymentView, query: string, actor?: Actor): Html {
  const { jobs } = view.progress;
  return html`${stateFragment(view, query, actor)}
    <div id="logs">
      ${JOB_NAMES.filter((job) => jobs[job] !== undefined).map((job) => logSection(view.id, job, query))}
    </div>`;
}

const HEADINGS: Readonly<Record<JobName, string>> = { plan: 'Plan log', apply: 'Apply log' };

/** `query` names the lane and carries the key, as in the page's own address. */
function logSection(id: string, job: JobName, query: string): Html {
  const path = `${id}/logs/${job}`;
  return html`<section
    class="log"
    id="log-${job}"
    data-events="${path}/events${query}"
    aria-labelledby="log-${job}-heading"
  >
    <h2 id="log-${job}-heading">${HEADINGS[job]}</h2>
    <p class="log-links">
      <span class="log-state" role="status"></span> <button type="button" hidden>Follow</button>
      <a href="${path}${query}">As plain text</a>
    </p>
    <pre
      tabindex="0"
      role="log"
      aria-label="${HEADINGS[job]}"
    ><noscript>Without JavaScript, this log can be read only as plain text.</noscript></pre>
  </section>`;
}
