# Two commands: `make play` and `make test`. Each sets up what it needs.

.PHONY: play manual site site-test site-compare package deb image test setup web handbook lint unit rules e2e browsers outsiders python lab million baselines measure framing siege faults simulate load long bench fuzz mutants

# Where scripts/setup puts what a bare machine lacks.
export PATH := $(CURDIR)/target/tools/bin:$(PATH):$(HOME)/.cargo/bin

# The declarations of the board's types are checked too, and what only large sites need.
DECLARE = --features server/declare,linstock/hosting

play:
	scripts/setup --play
	$(MAKE) web
	cargo run --profile play --package linstock -- serve --open

test: setup lint web unit rules e2e browsers outsiders python

setup:
	scripts/setup

web:
	cd web && npm run build

# The manual as a site, into target/manual, if all its links lead somewhere.
manual:
	cargo xtask manual

# Each handbook as a PDF, into target/handbook.
handbook: web
	cargo build --workspace --profile checked $(DECLARE) --bin linstock
	cd web && LINSTOCK_BIN=$(CURDIR)/target/checked/linstock npm run handbook

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --profile checked $(DECLARE) -- -D warnings
	cd web && npm run check

unit:
	rm -rf target/proofs
	LINSTOCK_PROOFS=$(CURDIR)/target/proofs cargo test --workspace --profile checked $(DECLARE)
	cd web && npm test

# Every rule has a test that ran and names it.
rules:
	cargo xtask rules --recorded target/proofs --complete $(shell cat rules/complete)
	cargo xtask rules --handbook
	cargo xtask rules --shown
	cargo xtask manual

e2e:
	cargo test --workspace --profile checked $(DECLARE) --no-run
	cd web && LINSTOCK_BIN=$(CURDIR)/target/checked/linstock npm run e2e

# A battle of each system in Firefox, and what Lighthouse thinks of every kind of screen.
browsers:
	cargo test --workspace --profile checked $(DECLARE) --no-run
	cd web/outside && LINSTOCK_BIN=$(CURDIR)/target/checked/linstock npm run firefox
	cd web/outside && LINSTOCK_BIN=$(CURDIR)/target/checked/linstock npm run lighthouse

# The server as strangers meet it: a tool that reads its OpenAPI description, and nginx with TLS. All on the loopback.
outsiders:
	cargo test --workspace --profile checked $(DECLARE) --no-run
	LINSTOCK_BIN=target/checked/linstock scripts/outsiders
	LINSTOCK_BIN=target/checked/linstock scripts/proxy
	$${LINSTOCK_TOOLS:-target/schemathesis}/bin/python scripts/manifests
	LINSTOCK_BIN=target/checked/linstock scripts/restore

# The Python wheel, built and tested in a clean virtual environment.
python:
	scripts/python

# The laboratory's long tests: a real Ray with a killed worker, the learner, and the speed beside other environments.
lab:
	scripts/python --all
	target/python/venv/bin/pip install --quiet open_spiel "pettingzoo[classic]"
	target/python/venv/bin/python python/benchmarks/speed.py

# A million random games of each hex system's introductory battle and 200,000 of each table's, every check on: hours.
# GAMES=20000 for less. It stops and goes on.
million:
	cargo build --profile checked --package linstock
	scripts/million

# All levels on the introductory battles, by the fixed protocol of docs/researchers.md.
baselines:
	cargo build --release --package linstock
	target/release/linstock study studies/baselines.toml --out target/studies/baselines

# How long people wait while the server is attacked, on a quiet machine.
siege:
	cargo build --release --package linstock
	LINSTOCK_BIN=target/release/linstock scripts/siege

# Three servers on PostgreSQL, 500 games, 20 servers killed, 3 crashes of the database, 6 cuts; then each server replaced under load.
faults:
	cargo build --workspace --profile checked $(DECLARE) --example faults
	target/checked/examples/faults
	target/checked/examples/faults --kills 0 --crashes 0 --cuts 0 --rolled 6

# 10,000 simulated stories of nodes that die and lines that break; SEEDS=100000 for more.
simulate:
	LINSTOCK_SEEDS=$(or $(SEEDS),10000) cargo test --workspace --profile checked $(DECLARE) --lib simulation -- --nocapture

# Acts a second and how long each takes, on SQLite and on PostgreSQL with one server and with three; on a quiet machine.
load:
	scripts/load

# Is all that a prompt is about in the free part of the map? DECISIONS of every scenario on three screens, and the tables' labels
# for so many turns.
framing:
	cargo build --workspace --profile checked $(DECLARE) --bin linstock
	cd web && LINSTOCK_BIN=$(CURDIR)/target/checked/linstock FRAMING=$(or $(DECISIONS),60) PLATES=6 npm run e2e -- -g "framing:|after each turn"

# How fast the board is, on a quiet machine.
measure:
	cargo build --release --package linstock
	cd web && LINSTOCK_BIN=$(CURDIR)/target/release/linstock npm run measure

# The long run: 20,000 games a scenario, a million configurations of each piece of geometry.
long:
	LINSTOCK_LONG=1 cargo test --workspace --release

# Instructions counted under valgrind, not seconds.
bench:
	scripts/bench

# Five minutes for each target; MINUTES=1 for a short one.
fuzz:
	scripts/fuzz

# 300 random breaks of the rules, of which tests must notice 95 in a hundred; SEED=7 for the same again.
mutants:
	cargo xtask mutants --count 300 --at-least 95 $(if $(SEED),--seed $(SEED))

# The static site: the board with the rules inside, in a folder that any web host can serve.
site:
	scripts/site

# Whole games on the site with the network off, on a slow line, and under an update.
site-test: site
	cargo build --profile checked --package linstock
	cd web && LINSTOCK_BIN=$(CURDIR)/target/checked/linstock npm run site
	cargo build --profile checked --package page --example ask
	cd web && RACES=0 node site/compare.mjs ../target/engines ../target/checked/examples/ask 20 1

# The modules of the site against the native program: the same positions in GAMES random games of each system, the same moves of
# every computer level, and the speed.
GAMES = 1000
site-compare: site
	cargo build --release --package page --example ask
	cd web && node site/compare.mjs ../target/engines ../target/release/examples/ask $(GAMES) 4

# Every crate packed as for the registry, and the program installed from the packed files alone.
package: web
	scripts/package

# A Debian package, tried in a clean Debian root; needs root and mmdebstrap.
deb: web
	cargo build --release --package linstock --features hosting
	scripts/deb target/release/linstock target/dist
	scripts/deb-test target/dist/linstock_*.deb

# The container image's layout, tried without a container engine; needs root and mmdebstrap.
image: web
	cargo build --release --package linstock --features hosting
	scripts/image-test target/release/linstock
