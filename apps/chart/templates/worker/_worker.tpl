{{/* Takes what a worker takes. */}}
{{- define "nereid.workerEnvironment" -}}
{{ include "nereid.environment" . }}
- { name: WORKER_ROLES, value: {{ .role }} }
- { name: WORKER_ADDRESS, value: '{{ .root.Values.listenOn }}:4142' }
- { name: SHUTDOWN_GRACE, value: {{ int .settings.shutdownGraceMinutes }}m }
- { name: DISK_BUDGET, value: {{ .settings.diskBudget }} }
- { name: GITHUB_API_URL, value: {{ .root.Values.github.apiUrl | quote }} }
- { name: CONSOLE_URL, value: {{ .root.Values.console.url | quote }} }
{{- end -}}

{{/*
A StatefulSet of workers with one role, and what belongs to it: each worker has a name and a disk of its own.
Takes { root, component, name, settings, role, variables, secret, client, prefix }; component is control or host.
*/}}
{{- define "nereid.worker" -}}
{{- $root := .root -}}
{{- $isHost := eq .component "host" -}}
{{- $isSandboxed := and $isHost (dig "sandbox" "enabled" false .settings) -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ .name }}
  labels:
    {{- include "nereid.labels" . | nindent 4 }}
spec:
  {{- if not (dig "autoscaling" "enabled" false .settings) }}
  replicas: {{ .settings.replicas }}
  {{- end }}
  serviceName: {{ .name }}
  # They do not wait for each other.
  podManagementPolicy: Parallel
  selector:
    matchLabels:
      {{- include "nereid.selector" . | nindent 6 }}
      {{- with .settings.pool }}
      nereid/pool: {{ . | quote }}
      {{- end }}
  template:
    metadata:
      {{- include "nereid.podMetadata" . | nindent 6 }}
    spec:
      {{- include "nereid.podSpec" . | nindent 6 }}
      {{- if $isSandboxed }}
      # The API wants it with an unmasked /proc.
      hostUsers: false
      {{- end }}
      securityContext:
        {{- include "nereid.podSecurity" . | nindent 8 }}
        {{- if $isSandboxed }}
        # What runtimes refuse by default, bubblewrap needs: unshare, mount, umount2, pivot_root.
        seccompProfile:
          type: {{ .settings.sandbox.seccompProfile.type }}
          {{- if eq .settings.sandbox.seccompProfile.type "Localhost" }}
          localhostProfile: {{ .settings.sandbox.seccompProfile.localhostProfile }}
          {{- end }}
        {{- if .settings.sandbox.unconfinedByAppArmor }}
        appArmorProfile: { type: Unconfined }
        {{- end }}
        {{- else }}
        seccompProfile: { type: RuntimeDefault }
        {{- end }}
      # A minute more than the worker itself takes to finish or to stop what runs.
      terminationGracePeriodSeconds: {{ mul 60 (add 1 (int .settings.shutdownGraceMinutes)) }}
      {{- with .settings.initContainers }}
      initContainers:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: worker
          image: {{ include "nereid.image" (dict "root" $root "image" "worker") }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          env:
            {{- include "nereid.distinct" (dict "component" .component "variables" (include "nereid.workerEnvironment" .)) | nindent 12 }}
          {{- with .settings.environmentFrom }}
          envFrom:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            - { name: health, containerPort: 4142 }
            {{- include "nereid.metricsPort" $root | nindent 12 }}
          {{- include "nereid.probes" "health" | nindent 10 }}
          resources:
            {{- toYaml .settings.resources | nindent 12 }}
          securityContext:
            {{- include "nereid.containerSecurity" . | nindent 12 }}
            {{- if $isSandboxed }}
            # The kernel mounts a /proc for a sandbox only where the container's own is whole.
            procMount: Unmasked
            {{- end }}
          volumeMounts:
            {{- include "nereid.mounts" . | nindent 12 }}
            - { name: data, mountPath: /var/lib/nereid }
        {{- with .settings.sidecars }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes:
        {{- include "nereid.volumes" . | nindent 8 }}
        - name: temporary
          emptyDir: { sizeLimit: {{ .settings.temporary | default "2Gi" }} }
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        {{- with .settings.volume.storageClass }}
        storageClassName: {{ . }}
        {{- end }}
        resources: { requests: { storage: {{ .settings.volume.size }} } }
  # Workers are also scaled to 0 to stop them for a while. The disk has who they are, and how their applies ended.
  persistentVolumeClaimRetentionPolicy: { whenDeleted: Retain, whenScaled: Retain }
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .name }}
  labels:
    {{- include "nereid.labels" . | nindent 4 }}
    nereid/job: nereid-worker
spec:
  clusterIP: None
  selector:
    {{- include "nereid.selector" . | nindent 4 }}
    {{- with .settings.pool }}
    nereid/pool: {{ . | quote }}
    {{- end }}
  ports:
    {{- if $root.Values.metrics.enabled }}
    - { name: metrics, port: 9090, targetPort: metrics }
    {{- else }}
    - { name: health, port: 4142, targetPort: health }
    {{- end }}
---
{{ include "nereid.disruptionBudget" . }}
---
{{ include "nereid.serviceAccount" . }}
{{- include "nereid.externalSecret" . }}
{{- end -}}
