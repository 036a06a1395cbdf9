/** Prometheus for tests of metrics and alerts, and the rules and the dashboard of this repository. */
export { dashboardQueries, metricsIn, readAlerts, readRules, type Alert } from '../production/alerts.ts';
export { findPrometheus, type PrometheusTools } from './find-prometheus.ts';
export { startPrometheus, type Prometheus, type Sample } from './start-prometheus.ts';
