/** Control, as a test has it answer. */
import type { Answered, PersonRequest, Requests } from '@nereid/console/testing';

export interface FakeControl extends Requests {
  /** What was asked for, in order. */
  readonly asked: readonly PersonRequest[];
}

const ID = `${'a'.repeat(16)}-${'b'.repeat(32)}`;

/** Answers one after the other; the last one from then on. The first answers the request, the others those who ask again. */
export function controlThat(...answers: readonly Partial<Answer>[]): FakeControl {
  const asked: PersonRequest[] = [];
  let index = 0;
  const next = () => {
    const { kind = 'done', sentence = '@alice did it', deployments, isRefused = false } = answers[index] ?? {};
    index = Math.min(index + 1, answers.length - 1);
    if (kind !== 'done') return Promise.resolve<Answered>({ kind, id: ID });
    const result = {
      kind: isRefused ? ('refused' as const) : ('signalled' as const),
      ...{ sentence, workflows: [] },
      ...(deployments && { deployments }),
    };
    return Promise.resolve<Answered>({ kind: 'done', id: ID, result });
  };
  return {
    asked,
    make(one) {
      asked.push(one);
      return next();
    },
    answerTo: next,
  };
}

interface Answer {
  readonly kind: 'done' | 'pending';
  readonly sentence: string;
  readonly isRefused: boolean;
  readonly deployments: readonly { readonly id: string; readonly rootName: string }[];
}
