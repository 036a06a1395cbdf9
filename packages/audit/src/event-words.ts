/** What places that filter, order and recognise events are told about one, besides the event itself. */
import { defined } from '@nereid/domain/defined';
import { operatorSubject } from '@nereid/domain/intake';
import { laneWorkflowId } from '@nereid/domain/lane';
import type { TrailEvent } from '@nereid/domain/trail';

/** The attributes by which subscriptions filter. */
export function attributesOf(event: TrailEvent): Readonly<Record<string, string>> {
  if (event.state === 'FORGED') return { state: event.state, forged: event.forged };
  if (event.state === 'ERASED') return { state: event.state };
  if (!('repository' in event)) return { state: event.state, action: event.action };
  const { state, repository, rootName } = event;
  const of = 'trigger' in event ? { trigger: event.trigger } : { action: event.action };
  return { state, repository, ...defined({ rootName }), ...of };
}

/** Events keep their order within a group: the lane, the repository for events without a root, the host, the destination or the pool. */
export function groupOf(event: TrailEvent): string {
  if (event.state === 'FORGED' || event.state === 'ERASED') return event.state;
  if (!('repository' in event)) {
    const { kind, name } = operatorSubject(event);
    return `${kind}/${name}`;
  }
  const { repository, rootName } = event;
  if (rootName === undefined) return repository;
  const [owner = '', name = ''] = repository.split('/');
  return laneWorkflowId({ owner, name }, rootName);
}
