export * from './activities.ts';
export type { DeploymentActor } from './actor.ts';
export { decideDeployment } from './decide.ts';
export type { Answers, Asking, AskingOf, DeploymentEffect } from './effects.ts';
export type { Answered, DeploymentEvent, EffectFailure } from './events.ts';
export { nextDeploymentEffect } from './next-effect.ts';
export { openDeployment } from './open.ts';
export { answerOf, isExtension, isReview, type AnsweringPress, type Press } from './press.ts';
