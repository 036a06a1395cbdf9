interface Topic {
  /** When somebody is notified: the row of the guide, in Markdown. */
  readonly means: string;
  /** Follow the name of a root. */
  readonly words: string;
  /** For a count of several, where that differs. */
  readonly wordsOfSeveral?: string;
  /** A person has to do something about it: destinations are told of it by default. */
  readonly isUrgent?: true;
  /** Somebody is woken for it. */
  readonly isAlarming?: true;
  /** It ends the alert about the same subject. */
  readonly isEnd?: true;
  /**
   * What its notifications are about, at the least: a repository, or the whole installation; default: a root. A destination that is
   * limited to roots or repositories is told of no wider one.
   */
  readonly about?: 'repository' | 'installation';
  /** Of its alert. `warning`: nothing is broken, a person is needed. */
  readonly severity: 'critical' | 'warning';
}

/** The topics of notifications, from the most urgent; `when` of a destination in the server's file chooses some of them. */
export const TOPICS = {
  'outcome-unknown': {
    means: 'nobody knows how an apply ended',
    words: 'ended in an unknown way',
    isUrgent: true,
    isAlarming: true,
    severity: 'critical',
  },
  failed: {
    means: 'a plan or an apply failed, its host was lost, or the deployment was refused',
    words: 'failed',
    isUrgent: true,
    isAlarming: true,
    severity: 'critical',
  },
  halted: {
    means: 'a [check of a wave](waves.md#checks) halts a rollout',
    words: 'is halted',
    wordsOfSeveral: 'are halted',
    isUrgent: true,
    isAlarming: true,
    about: 'repository',
    severity: 'warning',
  },
  'waits-for-person': {
    means: 'a plan waits for its review',
    words: 'waits for a review',
    wordsOfSeveral: 'wait for a review',
    isUrgent: true,
    severity: 'warning',
  },
  reminder: {
    means: 'a plan still waits for its review, as [`review.remind`](reviews.md#reminders) says',
    words: 'still waits for a review',
    isUrgent: true,
    severity: 'warning',
  },
  locked: {
    means: 'a deployment waits because its root is locked; once for each lock',
    words: 'is locked',
    wordsOfSeveral: 'are locked',
    isUrgent: true,
    severity: 'warning',
  },
  stuck: {
    means: '[a workflow is stuck](../operate/stuck.md), for operators',
    words: 'is stuck',
    wordsOfSeveral: 'are stuck',
    isUrgent: true,
    isAlarming: true,
    about: 'installation',
    severity: 'critical',
  },
  forged: {
    means: 'a message with a wrong signature was refused; once an hour for each kind',
    words: 'was forged',
    wordsOfSeveral: 'were forged',
    isAlarming: true,
    about: 'installation',
    severity: 'critical',
  },
  closing: {
    means: 'a [window](windows.md) closes within 24 hours and something waits; once for each repository',
    words: 'closes soon',
    wordsOfSeveral: 'close soon',
    about: 'repository',
    severity: 'warning',
  },
  'not-deployed': {
    means: 'a deployment was rejected or cancelled, expired, or another one was deployed in its place',
    words: 'was not deployed',
    wordsOfSeveral: 'were not deployed',
    severity: 'critical',
  },
  resumed: {
    means: 'a halted rollout or a stuck workflow goes on, or that workflow has ended',
    words: 'is no longer held up',
    wordsOfSeveral: 'are no longer held up',
    isEnd: true,
    about: 'repository',
    severity: 'warning',
  },
  succeeded: { means: 'a deployment ended well', words: 'succeeded', isEnd: true, severity: 'critical' },
  applying: { means: 'an apply begins', words: 'is being applied', severity: 'critical' },
} as const satisfies Readonly<Record<string, Topic>>;

export type NotificationTopic = keyof typeof TOPICS;

export const NOTIFICATION_TOPICS = Object.keys(TOPICS) as readonly NotificationTopic[]; // As written above.

/** Somebody is woken for these. */
export const ALARMING_TOPICS = topicsThat((topic) => topic.isAlarming === true);

/** These end alerts. */
export const ENDING_TOPICS = topicsThat((topic) => topic.isEnd === true);

/** A person has to do something about these. */
export const URGENT_TOPICS = topicsThat((topic) => topic.isUrgent === true);

function topicsThat(hold: (topic: Topic) => boolean): readonly NotificationTopic[] {
  return NOTIFICATION_TOPICS.filter((name) => hold(TOPICS[name]));
}

/** The narrowest subject that a notification of the topic has. */
export function subjectOfTopic(name: NotificationTopic): 'root' | 'repository' | 'installation' {
  const { about }: Topic = TOPICS[name];
  return about ?? 'root';
}

/** Such as "is locked"; of several, "are locked". */
export function topicWords(name: NotificationTopic, count = 1): string {
  const { words, wordsOfSeveral = words }: Topic = TOPICS[name];
  return count === 1 ? words : wordsOfSeveral;
}
