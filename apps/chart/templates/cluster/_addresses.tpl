{{/*
All addresses but those of the cluster, of the company and of the clouds' services for machines (169.254.169.254,
fd00:ec2::254, of Azure 168.63.129.16): whoever needs a private one gets an entry for exactly that.
*/}}
{{- define "nereid.publicAddresses" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except:
      - 0.0.0.0/8
      - 10.0.0.0/8
      - 100.64.0.0/10
      - 127.0.0.0/8
      - 168.63.129.16/32
      - 169.254.0.0/16
      - 172.16.0.0/12
      - 192.168.0.0/16
- ipBlock: { cidr: '2000::/3' }
{{- end -}}

{{/* The rules for who reaches a process. Takes { root, component }. */}}
{{- define "nereid.mayReach" -}}
{{- $policies := .root.Values.networkPolicies -}}
{{- if eq .component "gateway" }}
- from:
    {{- toYaml $policies.toGateway | nindent 4 }}
  ports: [{ protocol: TCP, port: 4143 }]
{{- else if eq .component "console" }}
- from:
    {{- toYaml $policies.toConsole | nindent 4 }}
  ports: [{ protocol: TCP, port: 4144 }]
{{- end }}
{{- if and .root.Values.metrics.enabled (not (has .component (list "temporal-namespace" "temporal-replay"))) }}
- from:
    {{- toYaml $policies.toMetrics | nindent 4 }}
  ports: [{ protocol: TCP, port: 9090 }]
{{- end }}
{{- end -}}
