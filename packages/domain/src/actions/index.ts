export * from './action.ts';
export * from './actions.ts';
export { lengthOfStop, STOP_LENGTH, STOP_LENGTH_FORM } from './limits/stop-length.ts';
