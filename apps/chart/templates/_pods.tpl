{{/* What all pods have in common. Takes { root, component, settings, name }. */}}
{{- define "nereid.podMetadata" -}}
labels:
  {{- include "nereid.labels" . | nindent 2 }}
  {{- with .settings.pool }}
  nereid/pool: {{ . | quote }}
  {{- end }}
  {{- if and (eq .root.Values.workloadIdentity.provider "azure") .settings.workloadIdentity }}
  azure.workload.identity/use: 'true'
  {{- end }}
  {{- with .settings.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  # A change of the server's file starts the pods again.
  nereid/server-file: {{ .root.Values.serverFile | toJson | sha256sum }}
  {{- with .settings.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* Takes { root, component, settings, name }. */}}
{{- define "nereid.podSpec" -}}
serviceAccountName: {{ .settings.serviceAccount | default .name }}
# Neither the API of Kubernetes nor the variables of other services are of use to them.
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.hostAliases }}
hostAliases:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.dnsConfig }}
dnsConfig:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
topologySpreadConstraints:
  {{- if .settings.topologySpreadConstraints }}
  {{- toYaml .settings.topologySpreadConstraints | nindent 2 }}
  {{- else }}
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "nereid.selector" $ | nindent 8 }}
        {{- with $.settings.pool }}
        nereid/pool: {{ . | quote }}
        {{- end }}
  {{- end }}
  {{- end }}
{{- end -}}

{{/* Where the Jobs run that do a part of control's work, and as whom. The result is YAML. */}}
{{- define "nereid.jobSettings" -}}
{{- toYaml (pick .Values.control "serviceAccount" "podLabels" "podAnnotations" "nodeSelector" "tolerations" "affinity" "priorityClassName") -}}
{{- end -}}

{{/* The user of the images, and the group to which volumes belong. */}}
{{- define "nereid.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
{{- end -}}

{{- define "nereid.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Takes the port of /healthz and /readyz. */}}
{{- define "nereid.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: {{ . }} }
  periodSeconds: 2
  # A worker looks around before it listens: what its sandbox reaches takes seconds.
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: {{ . }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: {{ . }} }
  periodSeconds: 5
  timeoutSeconds: 5
{{- end -}}

{{- define "nereid.metricsPort" -}}
{{- if .Values.metrics.enabled }}
- { name: metrics, containerPort: 9090 }
{{- end }}
{{- end -}}
