/** The buttons of a host. */
import type { HostSummary, StoppedHost } from '@nereid/api';
import { buttonForm } from '../actions/buttons.ts';
import type { Actor } from '../login/visitor/actor-of.ts';
import type { Html } from '../platform/html/html.ts';

export function drainForm({ id, drain }: HostSummary | StoppedHost, actor: Actor | undefined): Html | undefined {
  if (actor === undefined) return undefined;
  if (drain !== undefined) {
    const description = 'Let this host take work again';
    return buttonForm(actor, '', { id: `resume-${id}`, path: `/hosts/${id}/resume`, label: 'Resume', description });
  }
  const description = 'Let this host take no more work; what runs there goes on';
  return buttonForm(actor, '', { id: `drain-${id}`, path: `/hosts/${id}/drain`, label: 'Drain', description });
}
