/** The buttons of a host. */
import type { HostSummary, StoppedHost } from '@nereid/api';
import { buttonForm } from '../actions/buttons.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import type { Html } from '../platform/html/html.ts';

export function drainForm({ id, drain }: HostSummary | StoppedHost, actor: Actor | undefined): Html | undefined {
  if (actor === undefined) return undefined;
  const action = drain === undefined ? 'drain' : 'resume';
  return buttonForm(actor, '', { action, idSuffix: `-${id}`, parameters: { id } });
}
