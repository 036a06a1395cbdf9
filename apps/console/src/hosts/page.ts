/** The page `/hosts`. A pure function of the API's answer, which is followed: nobody is told when a host was heard from again. */
import type { HostList, HostSummary, StoppedHost } from '@nereid/api';
import { HOST_LOOK } from '@nereid/domain/looks';
import { named } from '../access/sight.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import { html, type Html } from '../platform/html/html.ts';
import { iconOf } from '../platform/html/icons.ts';
import { liveState } from '../platform/html/live.ts';
import { deploymentPath } from '../platform/html/paths.ts';
import { when } from '../platform/html/when.ts';
import { drainForm } from './drain-form.ts';

/** Without an actor nobody may do anything here. */
export function hostsBody({ items, stopped }: HostList, actor?: Actor): Html {
  if (items.length + stopped.length === 0)
    return liveState(html`<p class="card">No host has ever reported. Start a worker with the role “terraform”.</p>`);
  return liveState(
    html`<ul class="cards">
      ${items.map((host) => card(host, actor))}${stopped.map((host) => stoppedCard(host, actor))}
    </ul>`,
  );
}

function card(host: HostSummary, actor: Actor | undefined): Html {
  const { id, pool, state, slots, previews, runs = [], disk, release, startedAt, at } = host;
  const { icon, mood, word } = HOST_LOOK[state];
  return html`<li class="card" id="host-${id}">
    <h2>${id}</h2>
    <p class="status ${mood}"><strong>${iconOf(icon)} ${word}</strong>${askedToDrain(host)}</p>
    <dl>
      <div>
        <dt>Pool</dt>
        <dd>${pool}</dd>
      </div>
      <div>
        <dt>Slots</dt>
        <dd>
          <meter min="0" max="${slots.total}" value="${slots.used}" aria-hidden="true"></meter> ${slots.used} of
          ${slots.total}
          taken${previews !== undefined && html`, ${previews.used} by previews, which keep ${previews.total} at most`}
        </dd>
      </div>
      ${runs.length > 0 && runsOf(runs, slots.used)}
      <div>
        <dt>Last heard from</dt>
        <dd>
          ${state === 'away' ? when(at) : 'within the last minute'}${startedAt !== undefined && html`; started ${when(startedAt)}`}
        </dd>
      </div>
      ${
        disk !== undefined &&
        html`<div>
          <dt>Disk</dt>
          <dd>${gigabytes(disk.freeBytes)} of ${gigabytes(disk.totalBytes)} GB free</dd>
        </div>`
      }${
        release !== undefined &&
        html`<div>
          <dt>Release</dt>
          <dd>${release}</dd>
        </div>`
      }
    </dl>
    ${drainForm(host, actor)}
  </li>`;
}

/** Other holders of slots are previews, or nothing of the reader's. */
function runsOf(runs: NonNullable<HostSummary['runs']>, used: number): Html {
  const others = used - runs.length;
  return html`<div>
    <dt>Runs</dt>
    <dd>
      <ul class="runs">
        ${runs.map(({ id, repository, rootName }) => {
          const lane = { ...named(repository), rootName };
          return html`<li><a href="${deploymentPath(id, lane)}">${rootName}</a> of ${repository}</li>`;
        })}${others > 0 && html`<li>${others} more</li>`}
      </ul>
    </dd>
  </div>`;
}

function askedToDrain({ state, drain }: HostSummary): Html | undefined {
  if (drain === undefined) return undefined;
  const until =
    state === 'draining'
      ? 'asked for by'
      : state === 'away'
        ? 'starts drained, as asked by'
        : 'drains within seconds, as asked by';
  return html` <span>(${until} @${drain.by} ${when(drain.at)})</span>`;
}

function stoppedCard(host: StoppedHost, actor: Actor | undefined): Html {
  const { id, drain } = host;
  return html`<li class="card" id="host-${id}">
    <h2>${id}</h2>
    <p class="status waiting">
      <strong>${iconOf('clock')} Stopped</strong>
      <span>(starts drained, as asked by @${drain.by} ${when(drain.at)})</span>
    </p>
    ${drainForm(host, actor)}
  </li>`;
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(bytes < 10e9 ? 1 : 0);
}
