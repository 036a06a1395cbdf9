{{/* The name of the release, of which all names are made: short enough for what StatefulSets add to it. */}}
{{- define "nereid.name" -}}
{{- if .Values.fullnameOverride -}}{{ .Values.fullnameOverride }}
{{- else if eq .Release.Name "nereid" -}}nereid
{{- else -}}{{ printf "%s-nereid" .Release.Name | trunc 40 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{/* Takes { root, component }. */}}
{{- define "nereid.selector" -}}
app.kubernetes.io/name: nereid
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "nereid.labels" -}}
{{ include "nereid.selector" . }}
app.kubernetes.io/part-of: nereid
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Takes { root, image }: gateway, worker or console. */}}
{{- define "nereid.image" -}}
{{- $image := .root.Values.image -}}
{{- $digest := get $image.digests .image -}}
{{- $name := printf "%s/nereid-%s" ($image.registry | trimSuffix "/") .image -}}
{{- if $digest -}}{{ $name }}@{{ $digest }}{{- else -}}{{ $name }}:{{ $image.tag | default .root.Chart.AppVersion }}{{- end -}}
{{- end -}}

{{/* A pool with what it takes from `hosts`. Takes { root, pool }; the result is YAML. */}}
{{- define "nereid.pool" -}}
{{- $defaults := omit .root.Values.hosts "pools" "installSeccompProfile" -}}
{{- $settings := mergeOverwrite (deepCopy $defaults) (deepCopy .pool) -}}
{{- if not $settings.shutdownGraceMinutes -}}
{{- $_ := set $settings "shutdownGraceMinutes" (add 5 (include "nereid.longestApply" .root | int)) -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}

{{/* The host name of the console. */}}
{{- define "nereid.consoleHost" -}}
{{- (urlParse .Values.console.url).hostname -}}
{{- end -}}
