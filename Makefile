# Every target first prepares what it needs: Node and the packages of package-lock.json. `make help` lists the targets.
prepared := .config/prepared.sh
step := $(prepared) .config/step.sh
# Older Nodes warn that TypeScript and SQLite are experimental, which would only distract.
local := node --disable-warning=ExperimentalWarning apps/local/src/main.ts
jest := $(prepared) --needs python3 --needs go npm run -s jest --
# Images are made with the Node that runs here.
like_images := $(prepared) --pinned-node --needs python3 --needs go
cluster := packages/test-kit/src/production/cluster
release_program := node --disable-warning=ExperimentalWarning apps/pack/src/main.ts
release := $(prepared) $(release_program)
# Histories of unreleased workflows may be recorded again at any time; the folders beside this one belong to releases.
histories := workflows/histories/unreleased
# The fault tests that CI runs: five minutes on two cores.
faults := $(if $(filter selection,$(FAULTS)),$(addsuffix .faults,kills restarts elsewhere))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help install demo demo-reset test unit test-programs workflow stack test-faults test-production test-cluster record-histories check static format-check \
  lint types boundaries dead-code docs demo-once format pack chart-readme version release-dry-run release-check release-sign release-chart release-publish \
  screenshots fuzz bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: ## install all packages, and Node if the machine's is too old
	@$(prepared) echo 'Everything is installed.'

demo: ## start everything and merge a sample pull request; ARGS=--once plays the whole story, ARGS=--history makes up a week, STORAGE=s3 stores on S3 and needs Python 3
	@$(prepared) $(if $(filter s3,$(STORAGE)),--needs python3) $(local) $(ARGS)

demo-reset: ## remove what the demo keeps between runs
	@if [ -d .nereid ]; then $(prepared) $(local) --reset; else echo 'The demo kept nothing: the next `make demo` starts afresh.'; fi

test: ## run all tests except those of faults; ARGS are for jest; SINCE=main runs only those that import what changed since then, but none of the stack
	@$(jest) $(ARGS) $(if $(SINCE),--changedSince=$(SINCE)) --selectProjects unit programs workflow $(if $(SINCE),,stack)

unit: ## run the fast tests, which start no program: after each change
	@$(jest) $(ARGS) --selectProjects unit

test-programs: ## run the tests that start programs, such as git, Terraform, bubblewrap, a browser or servers
	@$(jest) $(ARGS) --selectProjects programs

workflow: ## run the workflow tests, on a Temporal dev server
	@$(jest) $(ARGS) --selectProjects workflow

stack: ## run the tests of everything together, as separate processes; UPGRADE_FROM=<commit> is what they are upgraded from
	@$(jest) $(ARGS) --selectProjects stack

test-faults: ## kill parts of a running stack and check that nothing is lost: an hour; FAULTS=selection takes minutes, as in CI
	@$(jest) $(faults) $(ARGS) --selectProjects faults

test-production: ## try the parts for production with the tools that run them (Prometheus, Helm, the API server of Kubernetes, a container engine, Docker Compose, a Temporal server on PostgreSQL), which are fetched or built: minutes, the first time half an hour; UPGRADE_FROM=<commit> is what images are upgraded from
	@$(like_images) npm run -s jest -- $(ARGS) --selectProjects production

test-cluster: ## run the pods of the chart on a node of Kubernetes, as root: a kubelet and containerd, which are built; minutes, the first time an hour
	@$(like_images) node --disable-warning=ExperimentalWarning $(cluster)/prepare.ts
	@$(like_images) $(cluster)/own-machine.sh npm run -s jest -- $(ARGS) --runInBand --selectProjects cluster

record-histories: ## record workflow histories in each state again; `make test` replays them as an upgrade would
	@recorded=$$(mktemp -d) && trap 'rm -rf "$$recorded"' EXIT && \
	NEREID_TEST_RECORDS_HISTORIES_IN=$$recorded \
	  $(jest) workflows --selectProjects workflow --testPathIgnorePatterns histories.workflow.test interleaved.workflow.test && \
	rm -rf $(histories) && mkdir -p $(histories) && mv "$$recorded"/*.json $(histories)
	@$(jest) histories.workflow.test interleaved.workflow.test --selectProjects workflow

check: static test demo-once ## do what CI does, except the faults

# Each of these keeps one core busy, and linting takes as long as the others together. Only one of two can have a running clock.
static: ## check everything that needs no running
	@$(prepared)
	@TERM=dumb $(MAKE) --no-print-directory lint & \
	  $(MAKE) --no-print-directory --keep-going format-check types boundaries dead-code docs; others=$$?; \
	  wait $$! && exit $$others

format-check: ## check that all files are formatted
	@$(step) 'Checking the format' npm run -s format:check

lint: ## check the sources with ESLint
	@$(step) 'Linting' npm run -s lint

types: ## check the types
	@$(step) 'Checking types' npm run -s types

boundaries: ## check the rules of imports
	@$(step) 'Checking the rules of imports' npm run -s boundaries

dead-code: ## look for dead code
	@$(step) 'Looking for dead code' npm run -s dead-code

docs: ## build the documentation as a site, in dist/docs; a dead link fails it
	@$(step) 'Building the documentation' npm run -s build -w @nereid/docs
	@echo 'Look at it with: npm run preview -w @nereid/docs, which prints the address'

demo-once: ## play the whole story of the demo once
	@$(prepared) $(local) --once

format: ## format all files
	@$(step) 'Formatting' npm run -s format

pack: ## make the package nereid for npm, of the command line and the demo, below dist
	@$(release) package

chart-readme: ## write the README of the chart from its values
	@$(release) chart-readme

version: ## take the changes of .changeset into CHANGELOG.md, and raise the version if it is released
	@$(release) version

release-dry-run: ## make all files of a release below dist/release, and say what keeps this commit from being one; nothing leaves this machine; IMAGES=here builds the images too
	@$(prepared) --pinned-node --needs go $(release_program) dry-run

# The steps of .github/workflows/release.yml.
release-check: ## check that the commit is the release that TAG says
	@$(release) check

release-sign: ## sign IMAGE, by its digest, with the identity of the workflow
	@$(release) sign

release-chart: ## pack the chart with DIGESTS of the images, push it to REGISTRY, and sign it
	@$(release) chart

release-publish: ## make the files of the release TAG, sign them, and put them on its page
	@$(release) publish

screenshots: ## photograph every page of the console and five of the documentation, narrow and wide and in both themes, into FOLDER (screenshots)
	@mkdir -p $(or $(FOLDER),screenshots) && \
	SCREENSHOTS_IN=$(abspath $(or $(FOLDER),screenshots)) $(jest) pages.browser site.browser --selectProjects programs

fuzz: ## send 10,000 made-up requests to the console's API, and check each answer against its document; REQUESTS and SEED vary it
	@FUZZ_REQUESTS=$(or $(REQUESTS),10000) FUZZ_SEED=$(or $(SEED),1) $(jest) fuzz.stack --selectProjects stack

bench: ## measure what must stay fast, as ratios side by side; ARGS=discovery, deployments, pushes, many, presentation, writes, flood, isolation, pull-requests, confirmed, cancel, open-pull-requests, webhooks, idle-lanes, long-queue, fleet, past, people, large-plan, long-log, hosts, memory or doctor for one part; SCALE=0.01 tries some of them with less
	@$(prepared) node apps/bench/src/main.ts $(ARGS)

clean: ## remove everything that was installed or made here, but not the cache
	@[ ! -d .nereid ] || $(prepared) $(local) --reset
	@rm -rf node_modules apps/*/node_modules packages/*/node_modules workflows/node_modules .nereid dist
	@echo 'Removed the packages and what the demo kept.'
