{{/* How a process reaches Temporal. Takes { root, client }: client names its certificate. */}}
{{- define "nereid.temporalEnvironment" -}}
{{- $temporal := .root.Values.temporal -}}
- { name: TEMPORAL_ADDRESS, value: {{ $temporal.address | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ $temporal.namespace | quote }} }
{{- if $temporal.tls.enabled }}
- { name: TEMPORAL_TLS, value: 'true' }
{{- with $temporal.tls.serverName }}
- { name: TEMPORAL_TLS_SERVER_NAME, value: {{ . | quote }} }
{{- end }}
{{- if $temporal.tls.authority }}
- { name: TEMPORAL_TLS_SERVER_CA_CERT_PATH, value: /run/secrets/nereid/temporal-ca.pem }
{{- end }}
{{- if $temporal.tls.clientCertificates }}
- { name: TEMPORAL_TLS_CLIENT_CERT_PATH, value: /run/secrets/nereid/temporal-client-{{ .client }}.pem }
- { name: TEMPORAL_TLS_CLIENT_KEY_PATH, value: /run/secrets/nereid/temporal-client-{{ .client }}-key.pem }
{{- end }}
{{- end }}
{{- if $temporal.apiKey }}
- { name: TEMPORAL_API_KEY_FILE, value: /run/secrets/nereid/temporal-api-key }
{{- end }}
{{- end -}}

{{/* Variables, each of which has one value. Takes { component, variables }, as YAML. */}}
{{- define "nereid.distinct" -}}
{{- $names := list -}}
{{- range .variables | fromYamlArray -}}
{{- if has .name $names -}}
{{- fail (printf "%s.environment: expected variables that the chart does not set, found %s; remove it, also from extraEnvironment, and use the value that sets it" (eq $.component "host" | ternary "hosts" $.component) .name) -}}
{{- end -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- .variables -}}
{{- end -}}

{{/* The variables of every process. Takes { root, client, secret, settings, variables }. */}}
{{- define "nereid.environment" -}}
{{ include "nereid.temporalEnvironment" . }}
- { name: NEREID_CONFIG, value: /etc/nereid/nereid.server.yaml }
- { name: LOG_LEVEL, value: {{ .root.Values.log.level }} }
{{- if .root.Values.metrics.enabled }}
- { name: METRICS_ADDRESS, value: '{{ .root.Values.listenOn }}:9090' }
{{- end }}
{{- range $variable, $file := .settings.secretFiles }}
{{- if $file }}
- { name: {{ $variable }}_FILE, value: /run/secrets/nereid/{{ $file }} }
{{- end }}
{{- end }}
{{- if .root.Values.temporal.payloadKey }}
- { name: PAYLOAD_KEY_FILE, value: /run/secrets/nereid/payload-key }
{{- end }}
{{- if and (eq .root.Values.workloadIdentity.provider "google") .settings.workloadIdentity }}
- { name: GOOGLE_APPLICATION_CREDENTIALS, value: /var/run/secrets/google/credentials.json }
{{- end }}
{{- with .root.Values.authorities.configMap }}
{{- $file := printf "/etc/ssl/certs/nereid/%s" $.root.Values.authorities.key }}
- { name: NODE_EXTRA_CA_CERTS, value: {{ $file }} }
- { name: SSL_CERT_FILE, value: {{ $file }} }
- { name: GIT_SSL_CAINFO, value: {{ $file }} }
{{- end }}
{{- with .root.Values.proxy.url }}
- { name: NODE_USE_ENV_PROXY, value: '1' }
- { name: HTTPS_PROXY, value: {{ . | quote }} }
- { name: HTTP_PROXY, value: {{ . | quote }} }
- { name: NO_PROXY, value: {{ concat (list "localhost" "127.0.0.1" "::1") $.root.Values.proxy.except | join "," | quote }} }
{{- end }}
{{- range $variable, $value := .settings.environment }}
- { name: {{ $variable | quote }}, value: {{ $value | quote }} }
{{- end }}
{{- with .settings.extraEnvironment }}
{{ toYaml . }}
{{- end }}
{{- range $variable, $value := .variables }}
{{- if $value }}
- { name: {{ $variable }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
{{- end -}}

{{/* The names of the files that a process reads from its Secret, one in a line. Takes { root, client, settings }. */}}
{{- define "nereid.secretFiles" -}}
{{- $tls := .root.Values.temporal.tls -}}
{{- range $file := .settings.secretFiles -}}
{{- if $file }}{{ $file }}{{ "\n" }}{{- end -}}
{{- end -}}
{{- if and .root.Values.temporal.payloadKey .settings.secretFiles }}payload-key{{ "\n" }}{{- end -}}
{{- if .root.Values.temporal.apiKey }}temporal-api-key{{ "\n" }}{{- end -}}
{{- if and $tls.enabled $tls.authority }}temporal-ca.pem{{ "\n" }}{{- end -}}
{{- if and $tls.enabled $tls.clientCertificates -}}
temporal-client-{{ .client }}.pem{{ "\n" }}temporal-client-{{ .client }}-key.pem{{ "\n" }}
{{- end -}}
{{- end -}}

{{/* Takes { root, client, secret, settings, name }. */}}
{{- define "nereid.volumes" -}}
- name: secrets
  secret:
    secretName: {{ .secret }}
    # Only these files of it.
    defaultMode: 0440
    items:
      {{- range include "nereid.secretFiles" . | trim | splitList "\n" | uniq }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
- name: server-file
  configMap:
    name: {{ .root.Values.serverFile.configMap | default (printf "%s-server-file" (include "nereid.name" .root)) }}
{{- if and (eq .root.Values.workloadIdentity.provider "google") .settings.workloadIdentity }}
- name: google
  projected:
    sources:
      - serviceAccountToken:
          path: token
          audience: https:{{ .root.Values.workloadIdentity.googleAudience }}
          expirationSeconds: 3600
      - configMap:
          name: {{ .name }}-google
          items: [{ key: credentials.json, path: credentials.json }]
{{- end }}
{{- with .root.Values.authorities.configMap }}
- name: authorities
  configMap: { name: {{ . }} }
{{- end }}
{{- with .settings.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Takes { root, settings }. */}}
{{- define "nereid.mounts" -}}
- { name: secrets, mountPath: /run/secrets/nereid, readOnly: true }
- { name: server-file, mountPath: /etc/nereid, readOnly: true }
- { name: temporary, mountPath: /tmp }
{{- if and (eq .root.Values.workloadIdentity.provider "google") .settings.workloadIdentity }}
- { name: google, mountPath: /var/run/secrets/google, readOnly: true }
{{- end }}
{{- if .root.Values.authorities.configMap }}
# Where sandboxes see it: they show all of the folder above.
- { name: authorities, mountPath: /etc/ssl/certs/nereid, readOnly: true }
{{- end }}
{{- with .settings.extraMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}
