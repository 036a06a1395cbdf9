interface Findings {
  readonly workers?: readonly unknown[] | undefined;
  readonly workersUnread?: boolean | undefined;
}

/** Why a diagnosis has no findings of workers; undefined when it has some. */
export function whyNoWorkers({ workers = [], workersUnread = false }: Findings): string | undefined {
  if (workersUnread) return 'The results of workers cannot be read: storage does not answer.';
  if (workers.length > 0) return undefined;
  return 'No worker has examined itself yet: each does so a minute after its start, and then every ten minutes.';
}
