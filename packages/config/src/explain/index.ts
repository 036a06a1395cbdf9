/** Which rules hold for one root, and where each comes from. */
export { explainRoot, type ToExplain } from './explain-root.ts';
export { listWindows } from './list-windows.ts';
export type { ExplainedSetting, Explanation, SettingSource } from './explanation.ts';
