/** Deployments of one lane as a table, with their durations as bars. */
import { tookText } from '@nereid/domain/duration';
import type { DeploymentBrief } from '@nereid/api';
import { shortSha, type DeploymentStatus } from '@nereid/domain/deployment';
import { STATUS_LOOK } from '@nereid/domain/looks';
import { html, type Html } from '../../platform/html/html.ts';
import { stateMark } from '../../platform/html/icons.ts';
import { when } from '../../platform/html/when.ts';
import { stackedTable } from '../../platform/html/table.ts';

export function deploymentsTable(deployments: readonly DeploymentBrief[], { label, toTop, buttonsOf }: Shown): Html {
  const longest = Math.max(...deployments.map(secondsOf));
  return stackedTable(
    label,
    ['Revision', 'State', 'Asked for', ...(longest > 0 ? ['Took'] : [])],
    deployments.map((one) => row(one, longest, { toTop, buttons: buttonsOf?.(one) })),
  );
}

interface Shown {
  readonly label: string;
  /** The relative path from the page to the console's top. */
  readonly toTop: string;
  readonly buttonsOf?: (deployment: DeploymentBrief) => Html | undefined;
}

function row(
  one: DeploymentBrief,
  longest: number,
  { toTop, buttons }: { readonly toTop: string; readonly buttons: Html | undefined },
): Html {
  const { path, sha, title, trigger, rerun, requestedBy, receivedAt, checkRun } = one;
  const seconds = secondsOf(one);
  return html`<tr role="row">
    <th scope="row" role="rowheader">
      <a href="${toTop}${path}"><code>${shortSha(sha)}</code></a> <span class="quiet"><bdi>${title}</bdi></span>
    </th>
    <td role="cell">
      ${statusText(one, toTop)}
      ${checkRun !== undefined && html`<span class="detail"><a href="${checkRun}">check run</a></span>`}${buttons}
    </td>
    <td role="cell">
      ${when(receivedAt)}
      <span class="quiet">by ${requestedBy}${trigger === 'manual' && !rerun && ', by hand'}${rerun && ', again'}</span>
    </td>
    ${
      longest > 0 &&
      html`<td role="cell" class="took">
        <meter min="0" max="${longest}" value="${seconds}" aria-hidden="true"></meter>
        <span class="label">took </span>${tookText(seconds)}
      </td>`
    }
  </tr>`;
}

function statusText({ status, carrier }: DeploymentBrief, toTop: string): Html {
  const mark = stateMark(STATUS_LOOK[status as DeploymentStatus]); // As the console itself has written it.
  if (carrier === undefined) return mark;
  return html`${mark} for <a href="${toTop}${carrier.path}"><code>${shortSha(carrier.sha)}</code></a>`;
}

function secondsOf({ receivedAt, endedAt }: DeploymentBrief): number {
  return endedAt === undefined ? 0 : Math.max(0, (Date.parse(endedAt) - Date.parse(receivedAt)) / 1_000);
}
