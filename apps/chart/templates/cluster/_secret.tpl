{{/* The Secret of a process, made from a store. Takes { root, component, client, secret, settings, prefix }. */}}
{{- define "nereid.externalSecret" -}}
{{- $external := .root.Values.externalSecrets -}}
{{- if $external.enabled }}
---
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata:
  name: {{ .secret }}
  labels:
    {{- include "nereid.labels" . | nindent 4 }}
spec:
  refreshInterval: {{ $external.refreshInterval }}
  secretStoreRef: { kind: {{ $external.store.kind }}, name: {{ $external.store.name }} }
  target: { name: {{ .secret }}, creationPolicy: Owner }
  data:
    {{- range include "nereid.secretFiles" . | trim | splitList "\n" | uniq }}
    - secretKey: {{ . }}
      remoteRef: { key: {{ printf "%s%s" $.prefix . | replace "." "-" }} }
    {{- end }}
{{- end }}
{{- end -}}
