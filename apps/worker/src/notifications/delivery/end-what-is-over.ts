/** Ends alerts that are over by themselves, such as the one about a window that has closed. */
import type { DestinationState } from '@nereid/domain/notification';
import type { Sender } from '@nereid/notifications';
import { afterEnd, withAttempt } from '../destination-rules.ts';
import type { Turn } from './turn.ts';

export function subjectsToEnd({ notes }: DestinationState, { ending }: Sender, nowMs: number): readonly string[] {
  return notes.filter(({ text }) => ending?.isDue(text, nowMs) === true).map(({ about }) => about);
}

/** False while the destination takes nothing. After a kill, the same is ended once more. */
export async function endWhatIsOver(turn: Turn, sender: Sender): Promise<boolean> {
  const { tools, name } = turn;
  for (const subject of subjectsToEnd(turn.state, sender, tools.now())) {
    const before = turn.state;
    const beganMs = performance.now();
    const answer = await sender.ending?.end(subject);
    if (answer === undefined) return true;
    turn.state = withAttempt(before, answer, performance.now() - beganMs, tools.now());
    turn.state = afterEnd(turn.state, subject, answer, tools.now());
    turn.warnOnceStuck(before);
    if (answer.kind === 'later') return false;
    if (answer.kind === 'refused')
      tools.logger.warn({ destination: name, about: subject, reason: answer.reason }, 'a destination ends no alert');
  }
  return true;
}
