{{/* Who the pods of a process are, to the cluster and to a cloud. Takes { root, component, name, settings }. */}}
{{- define "nereid.serviceAccount" -}}
{{- $cloud := .root.Values.workloadIdentity -}}
{{- $annotations := deepCopy (.settings.serviceAccountAnnotations | default dict) -}}
{{- if and .settings.workloadIdentity (eq $cloud.provider "aws") -}}
{{- $_ := set $annotations "eks.amazonaws.com/role-arn" .settings.workloadIdentity -}}
{{- else if and .settings.workloadIdentity (eq $cloud.provider "azure") -}}
{{- $_ := set $annotations "azure.workload.identity/client-id" .settings.workloadIdentity -}}
{{- end -}}
{{- if not .settings.serviceAccount -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .name }}
  labels:
    {{- include "nereid.labels" . | nindent 4 }}
  {{- with $annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end }}
{{- if and .settings.workloadIdentity (eq $cloud.provider "google") }}
---
# The cluster's token is traded for one of Google at a public address. So no pod needs the metadata service of its node.
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .name }}-google
  labels:
    {{- include "nereid.labels" . | nindent 4 }}
data:
  credentials.json: |
    {
      "type": "external_account",
      "audience": {{ $cloud.googleAudience | toJson }},
      "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
      "token_url": "https://sts.googleapis.com/v1/token",
      "service_account_impersonation_url": "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/{{ .settings.workloadIdentity }}:generateAccessToken",
      "credential_source": { "file": "/var/run/secrets/google/token", "format": { "type": "text" } }
    }
{{- end }}
{{- end -}}
