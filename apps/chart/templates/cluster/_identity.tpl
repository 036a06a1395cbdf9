{{/* Who the pods of a process are, to the cluster and to a cloud. Takes { root, component, name, settings }. */}}
{{- define "nereid.serviceAccount" -}}
{{- $cloud := .root.Values.workloadIdentity -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .name }}
  labels:
    {{- include "nereid.labels" . | nindent 4 }}
  {{- if .settings.workloadIdentity }}
  {{- if eq $cloud.provider "aws" }}
  annotations: { eks.amazonaws.com/role-arn: {{ .settings.workloadIdentity | quote }} }
  {{- else if eq $cloud.provider "azure" }}
  annotations: { azure.workload.identity/client-id: {{ .settings.workloadIdentity | quote }} }
  {{- end }}
  {{- end }}
automountServiceAccountToken: false
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
