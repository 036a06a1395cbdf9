{{/* What a schema cannot say. Each refusal says what was expected, what was found, and what to do. */}}
{{- define "nereid.checks" -}}
{{- $file := .Values.serverFile -}}
{{- if and $file.content $file.configMap -}}
{{- fail "serverFile: expected either content or configMap, found both; remove one" -}}
{{- end -}}
{{- if not (or $file.content $file.configMap) -}}
{{- fail "serverFile: expected the server's file in content, or the name of a ConfigMap in configMap, found neither; apps/docs/reference/server-file.md has an example" -}}
{{- end -}}
{{- range $key, $url := omit ($file.content.storage | default dict) "s3" "gs" "az" -}}
{{- if and (kindIs "string" $url) (hasPrefix "file:" $url) -}}
{{- fail (printf "serverFile.content.storage.%s: expected storage that all pods reach, found %q, the disk of one; use s3://bucket/prefix, gs://bucket/prefix or az://account/container/prefix" $key $url) -}}
{{- end -}}
{{- end -}}
{{- $places := dig "audit" "to" list $file.content -}}
{{- range $place := kindIs "string" $places | ternary (list $places) $places -}}
{{- if and (kindIs "string" $place) (hasPrefix "file:" $place) -}}
{{- fail (printf "serverFile.content.audit.to: expected an address that all pods reach, found %q, the disk of one; use a topic or a webhook" $place) -}}
{{- end -}}
{{- end -}}
{{- $login := dig "console" "login" "" $file.content -}}
{{- $isOidc := or (and (kindIs "map" $login) (hasKey $login "oidc")) (hasKey .Values.console.secretFiles "OIDC_CLIENT_SECRET") -}}
{{- if and .Values.console.enabled $isOidc (gt (int .Values.console.replicas) 1) (not .Values.console.stickySessions) -}}
{{- fail (printf "console.replicas: expected one console, because people log in with OpenID Connect, whose refresh tokens count once, found %d; set 1, or have the load balancer send a browser to the same console each time and set console.stickySessions" (int .Values.console.replicas)) -}}
{{- end -}}
{{- $longest := include "nereid.longestApply" . | int -}}
{{- $seen := list -}}
{{- /* Of the 63 letters of a label, a StatefulSet takes 11 for its revision. */ -}}
{{- $room := sub 52 (len (printf "%s-host-" (include "nereid.name" .))) | int -}}
{{- range $pool := .Values.hosts.pools -}}
{{- if has $pool.name $seen -}}
{{- fail (printf "hosts.pools: expected each pool once, found %s twice; remove one" $pool.name) -}}
{{- end -}}
{{- $seen = append $seen $pool.name -}}
{{- if gt (len $pool.name) $room -}}
{{- fail (printf "hosts.pools: expected names of at most %d letters beside that of the release, found %s; shorten it, or set a shorter fullnameOverride" $room $pool.name) -}}
{{- end -}}
{{- $settings := include "nereid.pool" (dict "root" $ "pool" $pool) | fromYaml -}}
{{- if lt (int $settings.shutdownGraceMinutes) $longest -}}
{{- fail (printf "hosts.shutdownGraceMinutes: expected at least %d for the pool %s, because the server's file lets an apply take so long, found %d; raise it, or an upgrade interrupts applies" $longest $pool.name (int $settings.shutdownGraceMinutes)) -}}
{{- end -}}
{{- if and $file.content (not $settings.sandbox.enabled) (ne (dig "terraform" "sandbox" "bubblewrap" $file.content) "none") -}}
{{- fail (printf "hosts.sandbox.enabled: expected true for the pool %s, because the server's file has sandboxes, found false; leave it, or write terraform.sandbox: none there if code of all repositories may read all that hosts can read" $pool.name) -}}
{{- end -}}
{{- include "nereid.checkEnvironment" (dict "path" "hosts.environment" "settings" $settings) -}}
{{- end -}}
{{- range list "gateway" "console" "control" -}}
{{- include "nereid.checkEnvironment" (dict "path" (printf "%s.environment" .) "settings" (get $.Values .)) -}}
{{- end -}}
{{- $identity := .Values.workloadIdentity -}}
{{- if and (eq $identity.provider "google") (not $identity.googleAudience) -}}
{{- fail "workloadIdentity.googleAudience: expected the provider of the cluster's tokens, like //iam.googleapis.com/projects/123/locations/global/workloadIdentityPools/nereid/providers/cluster, found nothing; set it" -}}
{{- end -}}
{{- if and .Values.gateway.ingress.enabled (not .Values.gateway.ingress.host) -}}
{{- fail "gateway.ingress.host: expected the name that GitHub knows, found nothing; set it, or the paths of every name lead to the gateway" -}}
{{- end -}}
{{- range list "gateway" "console" -}}
{{- $route := (get $.Values .).route -}}
{{- if and $route.enabled (not $route.parentRefs) -}}
{{- fail (printf "%s.route.parentRefs: expected a Gateway, like [{ name: public, namespace: gateways }], found none; name one" .) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.gateway.route.enabled (not .Values.gateway.route.hostnames) -}}
{{- fail "gateway.route.hostnames: expected the name that GitHub knows, found none; set it" -}}
{{- end -}}
{{- if and .Values.externalSecrets.enabled (not .Values.externalSecrets.store.name) -}}
{{- fail "externalSecrets.store.name: expected the name of a store, found nothing; set it" -}}
{{- end -}}
{{- end -}}

{{/* What everybody who reads the values or the pods would see. Takes { path, settings }. */}}
{{- define "nereid.checkEnvironment" -}}
{{- range $name, $value := .settings.environment -}}
{{- if regexMatch "(_KEY|_KEY_ID|_SECRET|_TOKEN|PASSWORD)$" $name -}}
{{- fail (printf "%s: expected variables that are no secrets, found %s; put it into a Secret, and name it in secretFiles or environmentFrom" $.path $name) -}}
{{- end -}}
{{- end -}}
{{- range .settings.extraEnvironment -}}
{{- if and (hasKey . "value") (regexMatch "(_KEY|_KEY_ID|_SECRET|_TOKEN|PASSWORD)$" .name) -}}
{{- fail (printf "%s: expected variables that are no secrets, found %s; put it into a Secret, and name it in secretFiles or environmentFrom" ($.path | replace "environment" "extraEnvironment") .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The longest apply that the server's file allows, in minutes. Without a `timeout.apply`, it is an hour; where a repository may set it, a day. */}}
{{- define "nereid.longestApply" -}}
{{- $longest := 60 -}}
{{- range $entry := (.Values.serverFile.content.repositories | default list) -}}
{{- if has "timeout" ($entry.allowed_overrides | default list) -}}
{{- $longest = 1440 -}}
{{- end -}}
{{- range $settings := prepend (values ($entry.roots | default dict)) $entry -}}
{{- with dig "timeout" "apply" "" ($settings | default dict) -}}
{{- $longest = max $longest (include "nereid.minutes" . | int) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $longest -}}
{{- end -}}

{{/* The minutes of 500ms, 30s, 90m, 2h or 1d, as packages/config/src/duration.ts reads them; a part of one counts as one. */}}
{{- define "nereid.minutes" -}}
{{- $text := toString . -}}
{{- if not (regexMatch "^[0-9]{1,9}(ms|s|m|h|d)$" $text) -}}
{{- fail (printf "serverFile.content.repositories: expected a duration from 1m to 24h as timeout.apply, found %q; write it like 90m or 2h" $text) -}}
{{- end -}}
{{- $unit := regexFind "[a-z]+$" $text -}}
{{- /* A leading zero would make it an octal number. */ -}}
{{- $amount := regexFind "[1-9][0-9]*" $text | int64 -}}
{{- $milliseconds := mul $amount (get (dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000 "d" 86400000) $unit) -}}
{{- div (add $milliseconds 59999) 60000 -}}
{{- end -}}
