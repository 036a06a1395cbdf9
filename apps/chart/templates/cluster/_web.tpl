{{/* What gateway and console have in common. Takes { root, component, name, settings, port, client, secret, variables, graceSeconds }. */}}
{{- define "nereid.web" -}}
{{- $root := .root -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  labels:
    {{- include "nereid.labels" . | nindent 4 }}
spec:
  {{- if not (dig "autoscaling" "enabled" false .settings) }}
  replicas: {{ .settings.replicas }}
  {{- end }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels:
      {{- include "nereid.selector" . | nindent 6 }}
  template:
    metadata:
      {{- include "nereid.podMetadata" . | nindent 6 }}
    spec:
      {{- include "nereid.podSpec" . | nindent 6 }}
      securityContext:
        {{- include "nereid.podSecurity" . | nindent 8 }}
        seccompProfile: { type: RuntimeDefault }
      # Ten seconds until nobody sends it requests, and what requests in flight take at most.
      terminationGracePeriodSeconds: {{ add 15 .graceSeconds }}
      {{- with .settings.initContainers }}
      initContainers:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .component }}
          image: {{ include "nereid.image" (dict "root" $root "image" .component) }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          env:
            {{- include "nereid.distinct" (dict "component" .component "variables" (include "nereid.environment" .)) | nindent 12 }}
          {{- with .settings.environmentFrom }}
          envFrom:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            - { name: http, containerPort: {{ .port }} }
            {{- include "nereid.metricsPort" $root | nindent 12 }}
          {{- include "nereid.probes" "http" | nindent 10 }}
          lifecycle: { preStop: { sleep: { seconds: 10 } } }
          resources:
            {{- toYaml .settings.resources | nindent 12 }}
          securityContext:
            {{- include "nereid.containerSecurity" . | nindent 12 }}
          volumeMounts:
            {{- include "nereid.mounts" . | nindent 12 }}
        {{- with .settings.sidecars }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes:
        {{- include "nereid.volumes" . | nindent 8 }}
        - name: temporary
          emptyDir: { medium: Memory, sizeLimit: 32Mi }
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .name }}
  labels:
    {{- include "nereid.labels" . | nindent 4 }}
    nereid/job: nereid-{{ .component }}
  {{- with .settings.serviceAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: ClusterIP
  selector:
    {{- include "nereid.selector" . | nindent 4 }}
  ports:
    - { name: http, port: 80, targetPort: http, appProtocol: http }
    {{- if $root.Values.metrics.enabled }}
    - { name: metrics, port: 9090, targetPort: metrics }
    {{- end }}
---
{{ include "nereid.disruptionBudget" . }}
---
{{ include "nereid.serviceAccount" . }}
{{- include "nereid.externalSecret" . }}
{{- end -}}

{{- define "nereid.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .name }}
  labels:
    {{- include "nereid.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  # One that is not ready keeps no node from being emptied.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "nereid.selector" . | nindent 6 }}
      {{- with .settings.pool }}
      nereid/pool: {{ . | quote }}
      {{- end }}
{{- end -}}
